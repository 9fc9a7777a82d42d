// The issues of the hostile worlds that the API takes: very many labels, and the longest texts.

const LABELS = 500;
const LABELED = 100;
const WANTED = 5000;
const LONG = 100;

/** Two bytes a character in JavaScript, and escaped twice in the database's answer. */
const worst = (bytes) => `\u{1F980}${'"'.repeat((bytes - 10) / 2)}`;

/** Runs so many at once. */
async function each(count, act) {
  let next = 0;
  await Promise.all(Array.from({ length: 4 }, async () => { while (next < count) await act(next++); }));
}

export async function makeIssues({ owner, ids, projects, say }) {
  const v3 = (name) => `/api/v3/projects/${projects[name]["projects/{id}"][0]}`;
  const v4 = (name) => `/api/v4/projects/${projects[name]["projects/{id}"][0]}`;
  const refused = (promise) => promise.then(() => "taken", ({ message }) => message.replace(/^.* answered /, ""));

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
  say(`labels: ${WANTED} labels for one issue: ${await refused(owner("PUT", `${v4("labels")}/issues/${iid}`, { labels: names(0, WANTED) }))}`);
  const answers = new Set();
  for (let from = 0; from < WANTED; from += LABELS) {
    answers.add(await refused(owner("PUT", `${v4("labels")}/issues/${iid}`, { add_labels: names(from, LABELS) })));
  }
  const kept = (await owner("GET", `${v4("labels")}/issues/${iid}`)).labels.length;
  say(`labels: ${WANTED} more, ${LABELS} a request: ${[...answers].join("; ")}; it has ${kept}`);
  if (kept > LABELS) throw new Error(`an issue has ${kept} labels`);
  Object.assign(projects.labels, { "issues/{issue_id}": [id], "issues/{issue_iid}": [iid], "labels/{label_id}": [name(1)], "labels/{name}": [name(1)] });

  const milestones = [];
  await each(20, async (n) => milestones.push((await owner("POST", `${v3("long")}/milestones`, { title: `v${n}`, description: "x".repeat(899_000) })).id));
  const issues = [];
  const description = (n) => (n % 2 ? "x".repeat(899_000) : worst(899_000));
  await each(LONG, async (n) => issues.push(await owner("POST", `${v4("long")}/issues`, { title: "long", description: description(n), milestone_id: milestones[n % 20], assignee_id: ids.gus })));
  const long = issues[0];
  await each(20, (n) => owner("POST", `${v3("long")}/issues/${long.id}/notes`, { body: description(n) }));
  const notes = `${v4("long")}/issues/${long.iid}`;
  Object.assign(projects.long, {
    "issues/{issue_id}": [long.id],
    "issues/{issue_iid}": [long.iid],
    "milestones/{milestone_id}": [milestones[0]],
    "notes/{note_id}": [(await owner("GET", `${notes}/notes`))[0].id],
    "discussions/{discussion_id}": [(await owner("GET", `${notes}/discussions`))[0].id],
  });
  say(`long: ${LONG} issues, and 20 comments and milestones, of 899 kB each`);
}
