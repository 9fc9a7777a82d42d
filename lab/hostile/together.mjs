// One dear route after another in one isolate: wasm never gives memory back, so what one route took stays while the next one runs.
import { freePort, serve } from "../../scripts/workerd.mjs";
import { ask } from "./client.mjs";
import { MOST } from "./bounds.mjs";
import { inspect } from "./inspector.mjs";

const MIB = 1 << 20;
const PACKAGE = new Uint8Array(30 * MIB);
/** No push, but read as one: a text of 4 MB in JSON. */
const PUSH = new TextEncoder().encode(JSON.stringify({ commits: "x".repeat(4 * MIB) }));
const ISSUE = new TextEncoder().encode(JSON.stringify({ description: "x".repeat(MIB - 1000) }));

/** How many at once, what, and the request with that number: verb, path, body and its type. */
const casesOf = ({ archives, files, comparisons }) => {
  const at = (project, path) => `/api/v4/projects/${project["projects/{id}"][0]}/${path}`;
  const archive = (name) => () => ["GET", at(archives, `repository/archive.tar?sha=${name}`)];
  return /** @type {[number, string, (n: number) => [string, string, any?, string?]][]} */ ([
    [8, "archives of 99,300 entries in 300 directories", archive("many")],
    [8, "archives of 99,000 names", archive("wide")],
    [40, "diffs of 28,000 files", () => ["GET", at(files, `repository/commits/${files.longest}/diff?per_page=1`)]],
    [8, "comparisons of 400,000 names", () => ["GET", at(comparisons, "repository/compare?from=names-1&to=names-2&straight=true")]],
    [8, "trees of 99,000 names", () => ["GET", at(archives, "repository/tree?ref=wide&recursive=true&per_page=100")]],
    [8, "packages of 30 MiB", (n) => ["PUT", at(archives, `packages/generic/together/1/${n}`), PACKAGE, "application/octet-stream"]],
    [8, "pushes of 4 MiB", () => ["POST", at(archives, "mirror/commits").replace("v4", "v3"), PUSH, "application/json"]],
    [12, "issues of 1 MiB", () => ["POST", at(archives, "issues"), ISSUE, "application/json"]],
  ]);
};

export async function together({ state, tokens, projects, findings }) {
  const port = await freePort();
  const server = await serve(state, 0, ["--inspector", String(port)]);
  const inspector = await inspect(port);
  await ask(server.address, null, "GET", "/api/v4/version");
  await inspector.find();
  let most = 0;
  for (const [times, what, request] of casesOf(projects)) {
    const { processor } = server;
    let isOver = false;
    const watch = (async () => {
      while (!isOver) most = Math.max(most, (await inspector.sizes()).all);
    })();
    const one = (_, n) => {
      const [method, path, body, type] = request(n);
      // a guest sends no packages and no pushes
      const callers = [tokens.owner, tokens.root, ...(body ? [] : [tokens.guest])];
      return ask(server.address, callers[n % callers.length], method, path, body, type ? { "Content-Type": type } : {});
    };
    const answers = await Promise.all(Array.from({ length: times }, one)).finally(() => (isOver = true));
    await watch;
    const { wasm } = await inspector.sizes();
    const statuses = Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, some]) => `${some.length} x ${status}`);
    const millis = answers.reduce((sum, { ms }) => sum + ms, 0);
    findings.check(
      answers.every(({ status }) => status < 500) && most <= MOST.memory,
      `${times} ${what}: ${statuses.join(", ")}; at most ${(most / MIB).toFixed(0)} MiB so far, wasm ${(wasm / MIB).toFixed(0)}; processor ${server.processor - processor} ms, D1 ${millis.toFixed(0)} ms`,
    );
  }
  inspector.close();
  await server.stop();
}
