// Makes every kind of event on a served edgeforge, through the API and the real mirror hook, and collects what hooks send.
//
//   node tests/clients/hooks/deliveries.mjs --hook target/release/edgeforge-mirror --out FILE
//
// The file has the secrets and the deliveries as JSON, for receivers in other languages. `collect` does the same in a test.
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { pause, portOf } from "../../../scripts/workerd.mjs";
import { Served, token } from "./served.mjs";

const key = (byte) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
export const secrets = { token: "swordfish", signing: key(7), before: key(8), system: key(9) };

/** Keeps each request as bytes, and answers 200. */
async function receiver() {
  const got = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { "x-outbound-url": url, ...headers } = request.headers;
    got.push({ url, headers, at: Date.now(), body: Buffer.concat(chunks).toString("base64") });
    response.end("thanks");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", () => done(null)));
  return { got, address: `http://127.0.0.1:${portOf(server)}/`, close: () => server.close() };
}

/** Branches and tags that are made, moved by force, and removed. Returns the tip of main. */
function pushes(repository) {
  repository.commit("a.txt", "1\n", "Add a\n\nWith a body: “quoted” \u{1f680}");
  repository.push("main");
  repository.commit("b.txt", "2\n".repeat(9), "Add b");
  repository.git("mv", "b.txt", "c.txt");
  const tip = repository.commit("a.txt", "3\n", "Rename b, change a, closes #1");
  repository.push("main");
  repository.git("tag", "v1");
  repository.git("tag", "-a", "v2", "-m", "Second\n\nwith notes");
  repository.push("v1", "v2", "main:side");
  repository.git("checkout", "--quiet", "-b", "other", "HEAD~1");
  repository.commit("d.txt", "4\n", "Another way");
  repository.push("--force", "other:side");
  repository.push("--delete", "side", "v1");
  return tip;
}

/** Issues, comments, emoji, a release, milestones, statuses and deployments. */
async function changes(ann, bob, path, sha) {
  const milestone = await ann.post(`${path}/milestones`, { title: "1.0", description: "First", due_date: "2026-12-01" });
  await bob.post(`${path}/labels`, { name: "bug", color: "#d9534f", description: "Wrong" });
  const fields = { labels: "bug,new", assignee_ids: [bob.id], milestone_id: milestone.id, due_date: "2026-12-24" };
  const text = 'Ü \u{1f680} <!-- hidden\nlines --> \u0001 \\ " </script> ![x](/uploads/a/b.png)';
  const { iid } = await ann.post(`${path}/issues`, { title: "A flood & more", description: text, ...fields });
  const at = `${path}/issues/${iid}`;
  await ann.put(at, { title: "Flood", labels: "new", description: "" });
  await ann.put(at, { state_event: "close" });
  await ann.put(at, { state_event: "reopen", due_date: "2027-01-01", assignee_ids: [] });
  const note = await bob.post(`${at}/notes`, { body: "Seen. \u{1f440}" });
  await bob.post(`${at}/award_emoji`, { name: "thumbsup" });
  await bob.post(`${path}/releases`, { tag_name: "v2", name: "Second", description: "With *notes*" });
  await bob.put(`${at}/notes/${note.id}`, { body: "Seen twice." });
  const hidden = await ann.post(`${path}/issues`, { title: "A hole", confidential: true });
  await ann.put(`${path}/issues/${hidden.iid}`, { description: "Deep" });
  await bob.post(`${path}/issues/${hidden.iid}/notes`, { body: "Deep indeed." });
  await bob.post(`${path}/repository/commits/${sha}/comments`, { note: "Fine", path: "a.txt", line: 1, line_type: "new" });
  for (const state of ["pending", "running", "success"]) await bob.post(`${path}/statuses/${sha}`, { state, ref: "main", name: "ci/test" });
  await bob.post(`${path}/statuses/${sha}`, { state: "failed", ref: "main", name: "ci/lint" });
  const deployment = await bob.post(`${path}/deployments`, { environment: "staging", sha, ref: "main", tag: false, status: "running" });
  await bob.put(`${path}/deployments/${deployment.id}`, { status: "success" });
  for (const state_event of ["close", "activate"]) await ann.put(`${path}/milestones/${milestone.id}`, { state_event });
  await ann.ask("DELETE", `${path}/milestones/${milestone.id}`);
}

/** Answers when the last event has come to every hook. A hook gets its events one after the other, in their order. */
async function flush(server, got) {
  const hasLast = (hook) => {
    const bodies = got
      .filter(({ url }) => url.includes(`//${hook}.`))
      .map(({ body }) => JSON.parse(Buffer.from(body, "base64").toString()));
    const last = bodies.at(-1) ?? {};
    if (hook !== "system") return last.object_kind === "milestone" && last.action === "delete";
    // behind the events of a push comes that of the repository
    const tag = bodies.findLastIndex(({ object_kind, after }) => object_kind === "tag_push" && /^0+$/.test(after));
    return tag >= 0 && last.event_name === "repository_update" && bodies.length > tag + 1;
  };
  for (const until = Date.now() + 120_000; !["whole", "bare", "system"].every(hasLast); await pause(200)) {
    if (Date.now() > until) throw new Error(`only ${got.length} deliveries came in two minutes`);
    await fetch(`${server.address}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`);
  }
}

/** The deliveries of a project's hook with all events, of one without secrets, and of a hook of the system. */
export async function collect(hook) {
  const to = await receiver();
  const server = await Served.start(to.address);
  try {
    const admin = server.api(token);
    const group = await admin.post("/groups", { name: "Receivers", path: "receivers" });
    const project = await admin.post("/projects", { name: "app", description: "An app", namespace_id: group.id });
    const path = `/projects/${project.id}`;
    const [ann, bob] = [await server.member(path, "ann", 40), await server.member(path, "bob", 30)];

    const url = (name) => `https://${name}.example.com/in`;
    const whole = await ann.post(`${path}/hooks`, { url: url("whole"), token: secrets.token, signing_token: secrets.before });
    const all = Object.fromEntries(
      Object.keys(whole)
        .filter((name) => name.endsWith("_events"))
        .map((name) => [name, true]),
    );
    await ann.put(`${path}/hooks/${whole.id}`, { ...all, signing_token: secrets.signing });
    await ann.post(`${path}/hooks`, { url: url("bare"), ...all });
    await admin.post("/hooks", { url: url("system"), signing_token: secrets.system, push_events: true, tag_push_events: true });

    await ann.post(`${path}/issues`, { title: "To be closed by a commit" });
    const sha = pushes(await server.repository(ann, project, hook));
    await changes(ann, bob, path, sha);
    await flush(server, to.got);
    return { secrets, deliveries: to.got.map((one) => ({ ...one, hook: /https:\/\/(\w+)\./.exec(one.url)[1] })) };
  } finally {
    await server.stop();
    to.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values: given } = parseArgs({ options: { hook: { type: "string" }, out: { type: "string" } } });
  const found = await collect(given.hook);
  writeFileSync(given.out, JSON.stringify(found), { mode: 0o600 });
  console.log(`${found.deliveries.length} deliveries`);
}
