// What CI found in a pipeline: failing tests, and findings in files (docs/behaviour.md 20.2).
import { useEffect, useState } from "preact/hooks";
import { useApi } from "../api.mjs";
import { load } from "./later.jsx";

/**
 * The reports of the pipeline at `path`, none without one: `{ problems, error, isHere }`. `isHere`: the answer has come, and with the
 * first report the code that shows it, so that nothing is pushed later.
 */
export function useProblems(path) {
  const { data, error } = useApi(path && `${path}/problems`);
  const [shows, setShows] = useState(false);
  const has = data?.reports.length > 0;
  useEffect(() => {
    const show = () => setShows(true);
    // without the code, the part has a message about that
    if (has) load("reporting").then(show, show);
  }, [has]);
  return { problems: has ? data : null, error, isHere: !path || Boolean(error) || Boolean(data && (!has || shows)) };
}

/** Failing tests and errors of a report. */
export const brokenIn = ({ failed, errors }) => failed + errors;
export const isOfTests = ({ report }) => report === "tests";
/** Reports of tests first, and broken ones first, as in the answer. */
export const testsFirst = ({ reports }) => [...reports.filter(isOfTests), ...reports.filter((report) => !isOfTests(report))];
/** New ones first, each part in the order of the report. */
export const newFirst = (list = []) => [...list.filter((one) => one.is_new), ...list.filter((one) => !one.is_new)];

/**
 * Problems as remarks on lines: those of tests first, new ones first. A remark has the place of a comment on a new line.
 * @returns {{ id: string, path: string, line: number, of: string, item: any }[]}
 */
export function remarks(problems) {
  if (!problems) return [];
  return testsFirst(problems).flatMap((report) =>
    newFirst(report.cases ?? report.findings).flatMap((item, at) => {
      const [path, line] = item.location ? [item.location.path, item.location.lines.begin] : [item.file?.replace(/^\.\//, ""), item.line];
      return path && line ? [{ id: `${report.job_id} ${report.report} ${at}`, path, line, of: report.name, item }] : [];
    }),
  );
}
