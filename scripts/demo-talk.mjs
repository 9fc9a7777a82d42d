// More of the demo world: colours, a milestone, comments, builds and deployments.

const COLOURS = {
  bug: "#d1242f",
  ci: "#8250df",
  feature: "#1a7f37",
  mirror: "#0969da",
  observability: "#0e8a8a",
  paging: "#9a6700",
  performance: "#bc4c00",
  question: "#bf3989",
  settings: "#57606a",
  licenses: "#6e7781",
};

const REPORT = `The filter is right on the first page and gone from the \`next\` link:

\`\`\`
GET /projects/1/issues?labels=bug&per_page=5
Link: <…/issues?cursor=Wz…&per_page=5>; rel="next"
\`\`\`

| page | asked for | came |
|---|---|---|
| 1 | \`labels=bug\` | bugs |
| 2 | nothing | everything |

- [x] a test that fails
- [ ] keep every parameter of the request
- [ ] the same for \`first\` and \`last\`

Perhaps the same as #2?`;

const TALK = [
  ["rae", "Seen with **gitbeaker**, too: it follows `next` and counts twice. @bob, is it in the paging code or in the list's own?"],
  [
    "bob",
    "In the paging code. `Link` is built from the parameters that were *read*, and labels are read later.\n\n> gone from the `next` link\n\nWill mend it with the others of the milestone.",
  ],
  [
    "ann",
    "Good. A test that follows all links to the end, please: see [the list of lists](https://docs.gitlab.com/ee/api/rest/#pagination).",
  ],
];

/** `call`: as in demo.mjs; `open`: the public project; `titled`: its issues by their titles. */
export async function talk({ call, people, open, titled }) {
  const { ann, bob, rae } = people;
  const base = `/projects/${open.id}`;
  const { data: known } = await call(ann.token, "GET", `${base}/milestones`);
  if (known.length) return;
  const { data: labels } = await call(ann.token, "GET", `${base}/labels`);
  for (const { name } of labels) if (COLOURS[name]) await call(ann.token, "PUT", `${base}/labels`, { name, color: COLOURS[name] });
  const { data: milestone } = await call(ann.token, "POST", `${base}/milestones`, {
    title: "Spring release",
    description: "What has to be **right** before others depend on it.",
    due_date: new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10),
  });
  const example = titled.get("Link headers lose the label filter");
  await call(bob.token, "PUT", `${base}/issues/${example.id}`, { description: REPORT, assignee_id: bob.id, milestone_id: milestone.id });
  for (const [who, body] of TALK) await call(people[who].token, "POST", `${base}/issues/${example.id}/notes`, { body });
  for (const [title, who] of [
    ["Retry a push of refs that lost the race", bob],
    ["Deploy to a second region", ann],
    ["Show who closed an issue", rae],
  ]) {
    await call(ann.token, "PUT", `${base}/issues/${titled.get(title).id}`, { assignee_id: who.id, milestone_id: milestone.id });
  }
}

/** Builds and deployments of the newest commits. `shas`: the newest first. Returns the ids of the builds by hash and name. */
export async function build({ call, people, project, shas }) {
  const { ann, bob } = people;
  const builds = [
    [
      ["ci/build", "success", "compiled in 41 s"],
      ["ci/test", "running", "212 of 580 tests"],
      ["ci/deploy", "pending", null],
    ],
    [
      ["ci/build", "success", "compiled in 44 s"],
      ["ci/test", "success", "580 tests"],
    ],
    [
      ["ci/build", "success", "compiled in 40 s"],
      ["ci/test", "failed", "1 of 579 tests failed"],
    ],
    [
      ["ci/build", "success", "compiled in 43 s"],
      ["ci/test", "canceled", null],
    ],
    [
      ["ci/build", "success", null],
      ["ci/test", "success", "579 tests"],
    ],
  ];
  const jobs = new Map();
  for (const [at, sha] of shas.slice(0, builds.length).entries()) {
    for (const [name, state, description] of builds[at]) {
      const target_url = `https://ci.example.com/${name}/${sha.slice(0, 8)}`;
      const { data: job } = await call(bob.token, "POST", `${project}/statuses/${sha}`, {
        state,
        name,
        target_url,
        ...(description && { description }),
        ref: "main",
        ...(name === "ci/test" && state === "success" && { coverage: 93.4 }),
      });
      jobs.set(`${sha} ${name}`, job.id);
    }
  }
  const sites = [
    ["production", 4, ann, "https://forge.example.com"],
    ["staging", 1, bob, "https://staging.example.com"],
  ];
  for (const [environment, at, who, external_url] of sites) {
    if (!shas[at]) continue;
    const deployment = { environment, sha: shas[at], ref: "main", tag: false, status: "success", ...(external_url && { external_url }) };
    await call(who.token, "POST", `${project}/deployments`, deployment);
  }
  return jobs;
}
