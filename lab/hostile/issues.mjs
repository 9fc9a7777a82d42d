// The issues of the hostile worlds that the API takes: very many labels, and the longest texts.
import { texts } from "./texts.mjs";

const LABELS = 500;
const LABELED = 100;
const WANTED = 5000;
/** Enough for a page of 3 MB; few escaped ones, because a list of more takes the Worker a second. */
const ISSUES = { escaped: 12, long: 100 };
/** Comments of an issue and milestones: more than fit one page of 3 MB, however they are escaped. */
const MANY = 30;

/** Runs so many at once. */
async function each(count, act) {
  let next = 0;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (next < count) await act(next++);
    }),
  );
}

export async function makeIssues({ owner, ids, projects, say }) {
  const v3 = (name) => `/api/v3/projects/${projects[name]["projects/{id}"][0]}`;
  const v4 = (name) => `/api/v4/projects/${projects[name]["projects/{id}"][0]}`;
  const refused = (promise) =>
    promise.then(
      () => "taken",
      ({ message }) => message.replace(/^.* answered /, ""),
    );

  const name = (n) => n.toString(16);
  const label = (n, description) => owner("POST", `${v3("labels")}/labels`, { name: name(n), color: "#ff0000", description });
  say(`labels: a description of 255 control characters: ${await refused(label(0, "\u0001".repeat(255)))}`);
  await each(LABELS - 1, (n) => label(n + 1, "\u{1F980}".repeat(127)));
  await refused(label(0, "x"));
  const all = Array.from({ length: LABELS }, (_, n) => name(n)).join(",");
  const labeled = [];
  await each(LABELED, async () => labeled.push(await owner("POST", `${v4("labels")}/issues`, { title: "many labels", labels: all })));
  const { id, iid } = labeled[0];
  say(`labels: ${LABELED} issues with ${(await owner("GET", `${v4("labels")}/issues/${iid}`)).labels.length} labels each`);
  const names = (from, count) => Array.from({ length: count }, (_, n) => `more-${from + n}`).join(",");
  say(
    `labels: ${WANTED} labels for one issue: ${await refused(owner("PUT", `${v4("labels")}/issues/${iid}`, { labels: names(0, WANTED) }))}`,
  );
  const answers = new Set();
  for (let from = 0; from < WANTED; from += LABELS) {
    answers.add(await refused(owner("PUT", `${v4("labels")}/issues/${iid}`, { add_labels: names(from, LABELS) })));
  }
  const kept = (await owner("GET", `${v4("labels")}/issues/${iid}`)).labels.length;
  say(`labels: ${WANTED} more, ${LABELS} a request: ${[...answers].join("; ")}; it has ${kept}`);
  if (kept > LABELS) throw new Error(`an issue has ${kept} labels`);
  const [event] = await owner("GET", `${v4("labels")}/issues/${iid}/resource_label_events`);
  for (const state_event of ["close", "reopen"]) await owner("PUT", `${v4("labels")}/issues/${iid}`, { state_event });
  const [closed] = await owner("GET", `${v4("labels")}/issues/${iid}/resource_state_events`);
  Object.assign(projects.labels, {
    "resource_label_events/{event_id}": [event.id],
    "resource_state_events/{event_id}": [closed.id],
    "issues/{issue_id}": [id],
    "issues/{issue_iid}": [iid],
    "labels/{label_id}": [name(1)],
    "labels/{name}": [name(1)],
  });

  for (const [name, text] of Object.entries(texts)) {
    const description = text(899_000);
    const milestones = [];
    await each(MANY, async (n) => milestones.push((await owner("POST", `${v3(name)}/milestones`, { title: `v${n}`, description })).id));
    const issues = [];
    await each(ISSUES[name], async (n) =>
      issues.push(
        await owner("POST", `${v4(name)}/issues`, { title: "long", description, milestone_id: milestones[n % MANY], assignee_id: ids.gus }),
      ),
    );
    const issue = issues[0];
    await each(MANY, () => owner("POST", `${v3(name)}/issues/${issue.id}/notes`, { body: description }));
    const [discussion] = await owner("GET", `${v4(name)}/issues/${issue.iid}/discussions`);
    // each is an event with a milestone as long as these
    for (let n = 1; n <= MANY; n++) await owner("PUT", `${v4(name)}/issues/${issue.iid}`, { milestone_id: milestones[n % MANY] });
    const [event] = await owner("GET", `${v4(name)}/issues/${issue.iid}/resource_milestone_events`);
    Object.assign(projects[name], {
      "issues/{issue_id}": [issue.id],
      "issues/{issue_iid}": [issue.iid],
      "milestones/{milestone_id}": [milestones[0]],
      "notes/{note_id}": [discussion.notes[0].id],
      "discussions/{discussion_id}": [discussion.id],
      "resource_milestone_events/{event_id}": [event.id],
    });
    say(`${name}: ${ISSUES[name]} issues, and ${MANY} comments and milestones, of 899 kB each as JSON`);
  }
}
