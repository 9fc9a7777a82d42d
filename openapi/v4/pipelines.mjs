import { always, bool, count, id, list, nullable, object, one, or, paths, real, ref, sha, text, time, visitors, whole } from "../words.mjs";
import { empty } from "./empty.mjs";

const none = { type: "null" };
const STATES = ["pending", "running", "success", "failed", "canceled", "skipped"];
const state = one(...STATES);
/** Those of the original. Pipelines and jobs here have only some of them. */
const ALL_STATES = one("created", "waiting_for_resource", "preparing", ...STATES, "manual", "scheduled");
const span = (description) => text({ description: `${description} ISO 8601 in any form, or RFC 2822; without a zone it is UTC.` });
const basic = {
  id: id(),
  iid: id("The number in the project."),
  project_id: id(),
  sha,
  ref: text("Empty if its statuses have none."),
  status: state,
  source: always("external"),
  created_at: time,
  updated_at: time,
  web_url: text({ pattern: "/-/pipelines/" }),
  name: none,
};
const seconds = (description) => nullable({ ...real(), minimum: 0, description });

const counts = { total_count: count(), success_count: count(), failed_count: count(), skipped_count: count(), error_count: count() };

const testCase = {
  status: one("success", "failed", "error", "skipped"),
  name: text(),
  classname: nullable(text()),
  file: nullable(text()),
  execution_time: real(),
  system_output: nullable(text()),
  stack_trace: none,
  recent_failures: none,
  suite: text(),
  line: count(),
  flaky: always(true),
};
const finding = {
  description: text(),
  check_name: nullable(text()),
  fingerprint: text(),
  severity: one("blocker", "critical", "major", "minor", "info"),
  location: object({ path: text(), lines: object({ begin: count(), end: count() }, { optional: ["end"] }) }),
};
const is_new = nullable(bool("Whether it was not there in the base. null: nobody knows."));
const reported = {
  job_id: id(),
  report: one("tests", "quality"),
  total: count(),
  failed: count("Of findings those that are major or worse."),
  errors: count(),
  skipped: count(),
  flaky: count("Tests that failed first and passed when they were tried again."),
  problem: nullable(text("Why it is not complete.")),
};

export const schemas = {
  PipelineBasic: object(basic),
  Pipeline: object({
    ...basic,
    before_sha: text(),
    tag: bool("Whether the ref is a tag, and no branch."),
    yaml_errors: none,
    user: ref("UserBasic"),
    started_at: nullable(time),
    finished_at: nullable(time),
    committed_at: none,
    duration: nullable(count("Seconds in which a job ran.")),
    queued_duration: nullable(whole({ minimum: 1, description: "Seconds before the first job ran." })),
    coverage: nullable(text({ pattern: "^-?[0-9]+\\.[0-9]{2}$", description: "The mean of its jobs in percent." })),
    detailed_status: object({
      icon: text(),
      text: text(),
      label: text(),
      group: state,
      tooltip: text(),
      has_details: always(true),
      details_path: text(),
      illustration: none,
      favicon: always(""),
    }),
    archived: always(false),
  }),
  Job: object(
    {
      id: id("The id of the commit status."),
      status: state,
      stage: always("external"),
      name: text(),
      ref: text(),
      tag: bool(),
      coverage: nullable(real()),
      allow_failure: always(false),
      created_at: time,
      started_at: nullable(time),
      finished_at: nullable(time),
      erased_at: none,
      duration: seconds("Seconds."),
      queued_duration: seconds("Seconds."),
      user: or(ref("User"), ref("UserBasic")),
      commit: ref("ListedCommit"),
      pipeline: ref("PipelineBasic"),
      failure_reason: always("api_failure"),
      web_url: text("The status's `target_url`, or the pipeline's page."),
      project: object({ ci_job_token_scope_enabled: always(false) }),
      artifacts: list(
        object({
          file_type: one("junit", "codequality"),
          size: count("Bytes, as they are stored."),
          filename: one("junit.xml", "gl-code-quality-report.json"),
          file_format: none,
        }),
        { maxItems: 2, description: "Its reports." },
      ),
      runner: none,
      runner_manager: none,
      artifacts_expire_at: none,
      archived: always(false),
      tag_list: list({}, { maxItems: 0 }),
    },
    { optional: ["failure_reason"] },
  ),
  TestReport: object({
    total_time: real(),
    ...counts,
    test_suites: list(
      object({
        name: text("That of the job."),
        total_time: real(),
        ...counts,
        suite_error: nullable(text("Why it is not complete.")),
        test_cases: list(object(testCase, { optional: ["suite", "line", "flaky"] })),
      }),
      { maxItems: 1000, description: "Behind the hundredth, they have no cases." },
    ),
  }),
  TestReportSummary: object({
    total: object({
      time: real(),
      count: count(),
      success: count(),
      failed: count(),
      skipped: count(),
      error: count(),
      suite_error: none,
    }),
    test_suites: list(
      object({ name: text(), total_time: real(), ...counts, build_ids: list(id(), { maxItems: 1 }), suite_error: nullable(text()) }),
      { maxItems: 1000 },
    ),
  }),
  Finding: object(finding),
  Report: object({ ...reported, seconds: real() }),
  Problems: object({
    reports: list(
      object(
        {
          ...reported,
          name: text("That of the job."),
          base: nullable(object({ sha, ref: text(), job_id: id(), why: one("parent", "ref", "default_branch") })),
          fixed: list(text(), { maxItems: 400, description: "Names of tests that were broken in the base and passed." }),
          slower: list(object({ name: text(), seconds: real(), seconds_before: real() }), {
            maxItems: 20,
            description: "Tests that took twice as long as in the base, and a second more.",
          }),
          cases: list(
            object(
              {
                ...testCase,
                status: one("failed", "error"),
                recent_failures: nullable(object({ count: count("In the last 50 reports of 14 days."), base_branch: text() })),
                is_new,
                is_flaky: bool(),
              },
              { optional: ["suite", "line", "flaky"] },
            ),
            { maxItems: 200 },
          ),
          findings: list(object({ ...finding, is_new }), { maxItems: 1000 }),
        },
        { optional: ["cases", "findings"] },
      ),
      { maxItems: 20, description: "Broken ones first." },
    ),
    cut: bool("Whether something is left out."),
  }),
};

const scope = list(ALL_STATES, { description: "Only jobs with one of these states." });
const refused = (id, summary) => ({ id, summary: `Refused: ${summary}`, gives: {} });
const log = { content: { "text/plain; charset=utf-8": { schema: text() } } };
const elsewhere = "builds run elsewhere";

export const pathsOfPipelines = {
  pipelines: paths("Pipelines", {
    "GET /projects/{id}/pipelines": {
      id: "listPipelines",
      summary: "List pipelines",
      description:
        "A pipeline has the posted statuses of a ref of a commit. Newest first. In another order than by id, only the 1,000 newest are listed. With a filter a page may have fewer entries; follow `next`.",
      query: {
        scope: {
          ...one("running", "pending", "finished", "branches", "tags"),
          description: "`branches` and `tags`: the newest pipeline of each branch or tag that exists.",
        },
        status: ALL_STATES,
        ref: text({ maxLength: 1024, description: "Branch or tag." }),
        sha: text({ maxLength: 1024, description: "The whole hash of a commit." }),
        username: text("Who posted the first status."),
        source: text("All pipelines are `external`."),
        name: text("Pipelines have no names, so none has this one."),
        yaml_errors: bool(),
        updated_after: span("Not before."),
        updated_before: span("Not after."),
        created_after: span("Not before."),
        created_before: span("Not after."),
        order_by: { ...one("id", "status", "ref", "updated_at", "user_id"), default: "id" },
        sort: { ...one("asc", "desc"), default: "desc" },
      },
      paged: true,
      gives: { 200: list(ref("PipelineBasic")) },
      open: visitors,
    },
    "POST /projects/{id}/pipeline": refused("createPipeline", elsewhere),
    "GET /projects/{id}/pipelines/latest": {
      id: "showLatestPipeline",
      summary: "The newest pipeline of the tip of a branch or tag",
      query: { ref: text({ maxLength: 1024, description: "Default: the default branch." }) },
      gives: { 200: ref("Pipeline") },
      open: visitors,
    },
    "GET /projects/{id}/pipelines/{pipeline_id}": {
      id: "showPipeline",
      summary: "A pipeline",
      gives: { 200: ref("Pipeline") },
      open: visitors,
    },
    "DELETE /projects/{id}/pipelines/{pipeline_id}": refused("deletePipeline", elsewhere),
    "POST /projects/{id}/pipelines/{pipeline_id}/cancel": refused("cancelPipeline", elsewhere),
    "POST /projects/{id}/pipelines/{pipeline_id}/retry": refused("retryPipeline", elsewhere),
    "PUT /projects/{id}/pipelines/{pipeline_id}/metadata": refused("renamePipeline", "pipelines have no names"),
    "GET /projects/{id}/pipelines/{pipeline_id}/jobs": {
      id: "listJobsOfPipeline",
      summary: "List the jobs of a pipeline",
      description: "The newest status of each name, newest first. With `scope` a page may have fewer entries; follow `next`.",
      query: { scope, include_retried: bool("Also lists the older statuses of each name.") },
      paged: true,
      gives: { 200: list(ref("Job")) },
      open: visitors,
    },
    "GET /projects/{id}/pipelines/{pipeline_id}/bridges": { ...empty("listBridges", "bridges"), open: visitors },
    "GET /projects/{id}/pipelines/{pipeline_id}/variables": empty("listVariablesOfPipeline", "variables"),
    "GET /projects/{id}/pipelines/{pipeline_id}/test_report": {
      id: "showTestReport",
      summary: "The tests of the newest job of each name",
      description:
        "A suite is a job. Beyond 100 suites or 32 MiB of cases a suite has its counts alone. `suite`, `line` and `flaky` of a case are ours.",
      gives: { 200: ref("TestReport") },
      refuses: [501],
      open: visitors,
    },
    "GET /projects/{id}/pipelines/{pipeline_id}/test_report_summary": {
      id: "showTestReportSummary",
      summary: "How many tests passed in the newest job of each name",
      gives: { 200: ref("TestReportSummary") },
      open: visitors,
    },
    "GET /projects/{id}/pipelines/{pipeline_id}/problems": {
      id: "showProblems",
      summary: "Failing tests and findings of a pipeline, compared with the reports before",
      description:
        "The base of a job is the newest report of its name on the first parent of its commit, or before it on its branch or tag, or before it on the default branch. Of eight reports the cases are read, of each the begin.",
      query: {
        job_id: id("Only of this job of the pipeline."),
        path: text({ maxLength: 4096, description: "Only cases and findings of this file." }),
      },
      gives: { 200: ref("Problems") },
      refuses: [501],
      open: visitors,
    },
    "GET /projects/{id}/jobs": {
      id: "listJobs",
      summary: "List the jobs of a project",
      description: "All posted statuses, newest first. With `scope` a page may have fewer entries; follow `next`.",
      query: { scope },
      paged: true,
      gives: { 200: list(ref("Job")) },
      open: visitors,
    },
    "GET /projects/{id}/jobs/{job_id}": {
      id: "showJob",
      summary: "A job, the commit status with this id",
      description: "Visitors get no profile of its user.",
      gives: { 200: ref("Job") },
      open: visitors,
    },
    "GET /projects/{id}/jobs/{job_id}/trace": {
      id: "showTrace",
      summary: "The status of a job as text, because its log is elsewhere",
      gives: { 200: log },
      open: visitors,
    },
    "PUT /projects/{id}/jobs/{job_id}/reports/{kind}": {
      id: "putReport",
      summary: "Report what CI found in a job",
      description:
        "For who posted the status, until a day after it ended. A report is final: the same bytes again are 200, others 409. The body is lines of JSON, at most 4 MiB with `Content-Encoding: gzip` and 16 MiB unpacked: a head with `report` and `version`, the tests or findings with the worst first, and `end` with their number.",
      path: { kind: { description: "What it is of.", schema: one("tests", "quality"), example: "tests" } },
      anyBody: { "application/x-ndjson": { schema: text() } },
      gives: { 200: ref("Report"), 201: ref("Report") },
      refuses: [409, 501],
    },
    "DELETE /projects/{id}/jobs/{job_id}/artifacts": {
      id: "deleteReports",
      summary: "Delete the reports of a job, for maintainers",
      gives: { 204: null },
    },
    "GET /projects/{id}/jobs/{job_id}/artifacts/gl-code-quality-report": {
      id: "showFindings",
      summary: "The findings of a job in GitLab's form",
      description: "The path may end in `.json`.",
      gives: { 200: list(ref("Finding"), { maxItems: 1000 }) },
      refuses: [501],
    },
    "POST /projects/{id}/jobs/{job_id}/cancel": refused("cancelJob", elsewhere),
    "POST /projects/{id}/jobs/{job_id}/retry": refused("retryJob", elsewhere),
    "POST /projects/{id}/jobs/{job_id}/play": refused("playJob", elsewhere),
    "POST /projects/{id}/jobs/{job_id}/erase": refused("eraseJob", elsewhere),
  }),
};
