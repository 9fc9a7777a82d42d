// How soon the heaviest pages are there, loaded cold: by Chromium's trace, with the processor as it is and slowed to a quarter.
//
//   node lab/pages/paint.mjs ADDRESS STATE BROWSER
import { trace } from "../../tests/pages/looks.mjs";
import { api, longCommit, open, PROJECT } from "./hand.mjs";

const [server, state, program] = process.argv.slice(2);
const RUNS = 5;
const { browser, ann, call } = await open(server, state, program);
const { data: made } = await call("POST", "/projects", { name: "hundred", path: "hundred", visibility: "public" }, { expect: [201, 400] });
if (made.id)
  for (let at = 0; at < 100; at++)
    await call("POST", `/projects/${made.id}/issues`, {
      title: `Issue ${at} of a hundred, with a title as long as they are`,
      labels: at % 2 ? "bug,ci" : "feature",
    });
const { data: issue } = await call("POST", `${api}/issues`, {
  title: "Many comments",
  description: "Of **all** kinds: #1, @bob\n\n- [ ] a task\n".repeat(5),
});
for (let at = 0; at < 60; at++)
  await call("POST", `${api}/issues/${issue.iid}/notes`, {
    body: `Comment ${at} with *marks*, \`code\` and #${at + 1}.\n\n> quoted\n\n- a\n- b`,
  });
const long = await longCommit(call, 40, 30);

/** Address, and what must be there. */
const HEAVIEST = {
  "home, signed in": ["/", "main .row"],
  "overview of a project": [PROJECT, "#environments"],
  "100 issues": ["/ann/hundred/-/issues?per_page=100", "main .row:nth-child(100)"],
  "an issue of 60 comments": [`${PROJECT}/-/issues/${issue.iid}`, ".note:nth-child(60)"],
  [`a commit of ${long.files} files`]: [`${PROJECT}/-/commit/${long.sha}`, `.file:nth-of-type(${long.files})`],
};

const middle = (runs, name) => Math.round(runs.map((run) => run[name]).sort((one, other) => one - other)[Math.floor(runs.length / 2)]);
console.log("milliseconds, median of five cold loads\n\n   first paint  largest  shown  interactive  blocked");
for (const slowed of [1, 4]) {
  for (const [name, [path, selector]] of Object.entries(HEAVIEST)) {
    const runs = [];
    for (let at = 0; at < RUNS; at++) runs.push(await trace(browser, ann, path, selector, slowed));
    const [paint, largest, shown, interactive, blocked] = ["paint", "largest", "shown", "interactive", "blocked"].map((figure) =>
      middle(runs, figure),
    );
    console.log(
      `${slowed}x ${String(paint).padStart(11)}${String(largest).padStart(9)}${String(shown).padStart(7)}${String(interactive).padStart(13)}${String(blocked).padStart(9)}  ${name}`,
    );
  }
}
await browser.stop();
