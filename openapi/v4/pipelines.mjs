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
      artifacts: list({}, { maxItems: 0 }),
      runner: none,
      runner_manager: none,
      artifacts_expire_at: none,
      archived: always(false),
      tag_list: list({}, { maxItems: 0 }),
    },
    { optional: ["failure_reason"] },
  ),
  TestReport: object({
    total_time: always(0),
    total_count: always(0),
    success_count: always(0),
    failed_count: always(0),
    skipped_count: always(0),
    error_count: always(0),
    test_suites: list({}, { maxItems: 0 }),
  }),
  TestReportSummary: object({
    total: object({
      time: always(0),
      count: always(0),
      success: always(0),
      failed: always(0),
      skipped: always(0),
      error: always(0),
      suite_error: none,
    }),
    test_suites: list({}, { maxItems: 0 }),
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
      summary: "An empty report: test results stay where the tests run",
      gives: { 200: ref("TestReport") },
      open: visitors,
    },
    "GET /projects/{id}/pipelines/{pipeline_id}/test_report_summary": {
      id: "showTestReportSummary",
      summary: "An empty summary: test results stay where the tests run",
      gives: { 200: ref("TestReportSummary") },
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
    "POST /projects/{id}/jobs/{job_id}/cancel": refused("cancelJob", elsewhere),
    "POST /projects/{id}/jobs/{job_id}/retry": refused("retryJob", elsewhere),
    "POST /projects/{id}/jobs/{job_id}/play": refused("playJob", elsewhere),
    "POST /projects/{id}/jobs/{job_id}/erase": refused("eraseJob", elsewhere),
  }),
};
