// What CI found in the jobs of a pipeline. All texts of a report are shown as they are: no HTML, and no links.
import { useState } from "preact/hooks";
import { Build, Sha } from "../parts/marks.jsx";
import { brokenIn, isOfTests, newFirst, testsFirst } from "../parts/problems.mjs";
import { span } from "../parts/time.jsx";
import { to } from "../route.mjs";

const many = (count, one) => `${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}`;
const counted = (parts) => parts.filter(([count]) => count > 0).map(([count, word]) => `${count.toLocaleString("en")} ${word}`);

/** How many of the shown ones are new. A report of more, or without a base that lists all, leaves that open. */
function newOf(list, total) {
  const count = list.filter((one) => one.is_new).length;
  if (!count) return "";
  return `, ${list.length < total ? "at least " : ""}${count.toLocaleString("en")} of them new`;
}

/** A report in a sentence. */
function told(report) {
  const { total, cases = [], findings = [] } = report;
  if (!isOfTests(report)) return total ? many(total, "finding") + newOf(findings, total) : "no findings";
  const broken = brokenIn(report);
  if (broken) return `${broken.toLocaleString("en")} of ${many(total, "test")} failed${newOf(cases, broken)}`;
  return total ? `${many(total - report.skipped, "test")} passed` : "no tests";
}

/** All reports of a kind as one. */
const together = (reports) => ({
  ...reports[0],
  ...Object.fromEntries(["total", "failed", "errors", "skipped"].map((name) => [name, reports.reduce((sum, one) => sum + one[name], 0)])),
  cases: reports.flatMap(({ cases = [] }) => cases),
  findings: reports.flatMap(({ findings = [] }) => findings),
});

/** What is wrong with a commit, as a line that leads to its pipeline. */
export function Summary({ problems, project, pipeline }) {
  const kinds = Object.values(Object.groupBy(testsFirst(problems), ({ report }) => report)).map(together);
  const wrong = kinds.filter((one) => (isOfTests(one) ? brokenIn(one) : one.total) > 0);
  if (!wrong.length) return null;
  return (
    <a class="byline" href={to.pipeline(project, pipeline)}>
      {wrong.map(told).join("; ")}
    </a>
  );
}

export const Reports = ({ problems, project }) => (
  <section class="reports" aria-labelledby="reports">
    <h2 id="reports">Reports</h2>
    {testsFirst(problems).map((report) => (
      <Report key={`${report.job_id} ${report.report}`} report={report} project={project} />
    ))}
    {problems.cut && <p class="quiet">There is more than a page shows. The log of CI has all.</p>}
  </section>
);

function Report({ report, project }) {
  const { name, base, problem, fixed, slower, cases = [], findings = [] } = report;
  const isTests = isOfTests(report);
  const broken = brokenIn(report);
  const facts = counted([
    [isTests && broken ? report.total - broken - report.skipped : 0, "passed"],
    [isTests ? 0 : broken, "major or worse"],
    [report.errors, "ended with an error"],
    [report.skipped, "skipped"],
    [report.flaky, "passed when tried again"],
  ]);
  return (
    <section aria-label={`${isTests ? "Tests" : "Findings"} of ${name}`}>
      <h3>
        <Build state={broken > 0 ? "failed" : "success"} words={SIGN} /> {name}: {told(report)}
      </h3>
      <p class="byline quiet">
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {base ? (
          <span>
            compared with <Sha project={project} sha={base.sha} /> of {base.ref}
          </span>
        ) : (
          <span>there is no report before to compare with</span>
        )}
      </p>
      {problem && <p class="quiet">This report is not complete: {problem}.</p>}
      {cases.length > 0 && (
        <ul class="rows dense">
          {newFirst(cases).map((item, at) => (
            <li class="row" key={at}>
              <Opening head={<Head item={item} />}>
                <Output item={item} />
              </Opening>
            </li>
          ))}
        </ul>
      )}
      {fixed.length > 0 && (
        <Opening head={`${many(fixed.length, "test")} fixed`}>
          <Names names={fixed} />
        </Opening>
      )}
      {slower.length > 0 && (
        <Opening head={`${many(slower.length, "test")} slower`}>
          <Names names={slower.map((one) => `${one.name}: ${seconds(one.seconds)}, before ${seconds(one.seconds_before)}`)} />
        </Opening>
      )}
      {findings.length > 0 && (
        <Opening head="Findings">
          <ul class="rows dense">
            {newFirst(findings).map((item, at) => (
              <li class="row" key={at}>
                <div class="row-main">
                  <Head item={item} />
                  <p class="row-text" dir="auto">
                    {item.description}
                  </p>
                </div>
                <div class="row-side">
                  <code>
                    {item.location.path}:{item.location.lines.begin}
                  </code>
                </div>
              </li>
            ))}
          </ul>
        </Opening>
      )}
    </section>
  );
}

/** Without a word. */
const SIGN = { failed: "", success: "" };
const seconds = (count) => (count < 60 ? `${count.toFixed(1)} s` : span(0, count * 1000));

/** What is inside is made when it is opened: it may be long. */
function Opening({ head, children }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="opening" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{head}</summary>
      {open && children}
    </details>
  );
}

const Names = ({ names }) => (
  <ul>
    {names.map((name, at) => (
      <li key={at} dir="auto">
        {name}
      </li>
    ))}
  </ul>
);

/** The name of a test or of a check, and what is known of it. */
const Head = ({ item: { status, name, check_name, severity, is_new, is_flaky, recent_failures: lately } }) => (
  <>
    {status ? <Build state="failed" words={{ failed: status }} /> : <span class="quiet">{severity}</span>}
    <span class="named" dir="auto">
      {name ?? check_name}
    </span>
    {is_new && <span class="tag">new</span>}
    {is_flaky && <span class="tag">flaky</span>}
    {lately && (
      <span class="quiet">
        failed {many(lately.count, "time")} in {lately.base_branch} in 14 days
      </span>
    )}
  </>
);

const Output = ({ item: { suite, classname, file, line, system_output: output } }) => (
  <>
    <p class="row-text">{[suite, classname, file && `${file}${line ? `:${line}` : ""}`].filter(Boolean).join(" · ")}</p>
    {output ? (
      <pre tabIndex={0} role="group" aria-label="Output">
        {output}
      </pre>
    ) : (
      <p class="row-text">CI reported no output.</p>
    )}
  </>
);

/** A failing test or a finding at its line of a diff. */
export const Remark = ({ remark: { of, item } }) => (
  <div class="card note">
    <p class="note-head">
      <Head item={item} />
      <span class="quiet">in {of}</span>
    </p>
    {item.status ? (
      <Opening head="Output">
        <Output item={item} />
      </Opening>
    ) : (
      <p dir="auto">{item.description}</p>
    )}
  </div>
);
