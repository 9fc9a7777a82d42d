// What CI found in the builds of the demo world: tests of three commits, of which one broke a test, and findings of a linter.

/** A report as it is sent (docs/behaviour.md 20.1). `problem`: why it is not complete. */
export const reportOf = (kind, items, problem = undefined) =>
  [{ report: kind, version: 1, problem }, ...items, { end: items.length }].map((line) => JSON.stringify(line)).join("\n");

const OUTPUT = `assertion failed: left == right
  left: "labels=bug&page=2"
 right: "page=2"
   at follows_the_next_link (tests/paging.rs:41)`;

const LINKS = { name: "follows the next link", classname: "api::paging", execution_time: 2.25 };
const passed = (more) => ({ status: "success", ...more });
const OTHERS = Array.from({ length: 578 }, (_, at) =>
  passed({ name: `case ${at + 1}`, classname: "api::paging", execution_time: Number((1.5 - at / 1000).toFixed(3)) }),
);

/** The first lines of a commit that are new: `[path, line, text]`. */
function newLines(files) {
  return files.flatMap(({ new_path, diff }) => {
    const start = Number(/^@@ -\S+ \+(\d+)/.exec(diff)?.[1]);
    const rows = diff
      .split("\n")
      .slice(1)
      .filter((row) => !row.startsWith("-"));
    const at = rows.findIndex((row) => row.startsWith("+"));
    return start && at >= 0 ? [[new_path, start + at, rows[at].slice(1)]] : [];
  });
}

/** `put(job, kind, body)`: sends a report. `shas`: the newest first. `jobs`: by hash and name. */
export async function reports({ put, diff, shas, jobs }) {
  const tests = (at, items) => put(jobs.get(`${shas[at]} ci/test`), "tests", reportOf("tests", items));
  if (shas[4]) await tests(4, [passed(LINKS), ...OTHERS]);
  if (shas[2]) {
    const lines = newLines(await diff(shas[2]));
    const [file, line] = lines[0] ?? ["tests/paging.rs", 41];
    await tests(2, [{ status: "failed", ...LINKS, file, line, system_output: OUTPUT }, ...OTHERS]);
    const findings = lines.slice(0, 5).map(([path, begin, text], at) => ({
      path,
      line: begin,
      severity: at ? "minor" : "major",
      check_name: "readability",
      description: `This line is hard to read: ${text.trim().slice(0, 60)}`,
    }));
    const sorted = findings.sort((one, other) =>
      one.severity === other.severity ? (one.path < other.path ? -1 : 1) : one.severity < other.severity ? -1 : 1,
    );
    await put(jobs.get(`${shas[2]} ci/build`), "quality", reportOf("quality", sorted));
  }
  if (shas[1]) await tests(1, [passed(LINKS), ...OTHERS, { status: "skipped", name: "needs a network" }]);
}
