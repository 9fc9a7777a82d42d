// The cost of each list in a small and in a large world: every paged route of both descriptions, with the combinations
// of its filters, every kind of caller, the first page and one further in. Variables: ONLY, names of lists (`v4`,
// `listCommits`, `v4/listCommits`); ALL=1 prints each query that misses the target.
//
//   node lab/cost.mjs --small URL --large URL --issues N
import { parseArgs } from "node:util";
import { APIS, questions } from "./cost-questions.mjs";
import { parametersOf } from "./described.mjs";

/** The values of placeholders in paths: the records with the most content. */
const PLACES = [
  ["/projects/{id}", "/projects/world%2Fbig"],
  ["/groups/{id}", "/groups/300"],
  ["{milestone_id}", "1000001"],
  ["{issue_iid}", "900"],
  ["{issue_id}", "900"],
  ["{sha}", "master"],
  ["{deployment_id}", "1"],
];

/** The most rows that a page may read: it filters 10,000 issues, each of which costs up to 45 rows. */
const MOST = 450_000;
/** The same cursor with other keys. */
function moved(address, keys) {
  const url = new URL(address);
  const parts = JSON.parse(Buffer.from(url.searchParams.get("cursor"), "base64url").toString());
  url.searchParams.set("cursor", Buffer.from(JSON.stringify([...parts.slice(0, 3), ...keys])).toString("base64url"));
  return url.href;
}

const { values: worlds } = parseArgs({ options: { small: { type: "string" }, large: { type: "string" }, issues: { type: "string" } } });
const issues = { small: 1000, large: Number(worlds.issues) };
const only = process.env.ONLY?.split(",");
const lines = [];
const unknown = [];
let asked = 0;
let missed = 0;

/** An answer of a path or of a whole address: its records, the rows read for them and for a total. Null: refused. */
async function ask(server, who, path) {
  asked++;
  const answer = await fetch(path.startsWith("http") ? path : server + path, { headers: { "PRIVATE-TOKEN": `token-of-${who}` } });
  const text = await answer.text();
  if ([400, 403, 404].includes(answer.status)) return null;
  if (!answer.ok) throw new Error(`${path} by ${who} answered ${answer.status}: ${text.slice(0, 300)}`);
  const timing = answer.headers.get("Server-Timing");
  const [rows, counted] = ["rows_read", "rows_counted"].map((name) => Number(timing.match(`${name};desc="(\\d+)"`)[1]));
  return { rows: rows - counted, counted, json: JSON.parse(text), next: /<([^>]*)>; rel="next"/.exec(answer.headers.get("Link"))?.[1] };
}

/** Both worlds' answers to a request. */
async function both(who, address) {
  const [small, large] = await Promise.all(["small", "large"].map((world) => ask(worlds[world], who, address(world))));
  return { small, large };
}

function miss(text) {
  missed++;
  console.log(text);
}

async function measure(line, who, path, question, list) {
  for (const size of [20, 100]) {
    const query = new URLSearchParams(Object.entries({ ...question, per_page: size }).filter(([, value]) => value !== undefined));
    const address = `${path}?${query}`;
    const first = await both(who, () => address);
    if (!first.small || !first.large) {
      line.refused++;
      return;
    }
    note(line, address, size, first);
    if (!first.small.next || !first.large.next) continue;
    const next = ({ next }, world) => (list.far ? moved(next, list.far(issues[world], path)) : next);
    note(line, `${address} further in`, size, await both(who, (world) => next(first[world], world)));
  }
}

function note(line, address, size, { small, large }) {
  const [few, many] = [small.rows, large.rows];
  line.pages++;
  line.counted = Math.max(line.counted, large.counted);
  line[size] = Math.max(line[size], many);
  // a page that ends early or is not full in the small world costs less, since it has fewer rows
  const same = small.json.length === large.json.length && Boolean(small.next) === Boolean(large.next);
  const grown = same ? (many - few) / Math.max(1, few) : 0;
  line.grown = Math.max(line.grown, grown);
  if (many > MOST) line.missed.push([many / MOST, `${many} rows for ${size} (of ${large.json.length}): ${address}`]);
}

for (const [api, { document, lists }] of Object.entries(APIS)) {
  for (const [template, { get: described }] of Object.entries(document.paths)) {
    const parameters = described ? parametersOf(document, described) : [];
    if (!parameters.some(({ name }) => name === "per_page")) continue;
    const names = [api, described.operationId, `${api}/${described.operationId}`];
    if (only && !only.some((name) => names.includes(name))) continue;
    const list = lists[described.operationId];
    if (!list) {
      unknown.push(`${api} ${template}`);
      continue;
    }
    if (list.elsewhere) continue;
    const usual = PLACES.reduce((path, [name, value]) => path.replace(name, value), template);
    for (const path of list.at ?? [usual]) {
      for (const who of list.as ?? ["olga"]) {
        const line = { name: `${api} ${path} ${who}`, pages: 0, refused: 0, 20: 0, 100: 0, counted: 0, grown: 0, missed: [] };
        for (const question of questions(described, parameters, list)) await measure(line, who, `/api/${api}${path}`, question, list);
        lines.push(line);
        process.stderr.write(`${line.name}: ${line.pages} pages, ${line.missed.length} missed\n`);
      }
    }
  }
}

const number = (value) => value.toLocaleString("en").padStart(8);
console.log("rows read by a page, the most of all filters, orders and depths");
console.log(`${"".padEnd(72)} pages  of 20    of 100   grown   counted apart`);
for (const { name, pages, refused, 20: few, 100: many, grown, counted, missed } of lines) {
  const share = `+${(grown * 100).toFixed(0)} %`.padStart(7);
  console.log(
    `${name.padEnd(72)} ${String(pages).padStart(5)}${number(few)}${number(many)}  ${share}${number(counted)}${refused ? `  ${refused} refused` : ""}${missed.length ? `  ${missed.length} missed` : ""}`,
  );
  missed.sort(([one], [other]) => other - one);
  for (const [, text] of missed.slice(0, process.env.ALL ? undefined : 4)) miss(`  ${text}`);
}
for (const size of [20, 100]) console.log(`worst page of ${size}: ${Math.max(...lines.map((line) => line[size]))} rows`);
console.log(`${asked} lists asked for`);
if (asked === 0) miss("no list was asked for");
if (unknown.length) miss(`not measured: ${unknown.join(", ")}`);
console.log(missed ? `${missed} missed` : "none missed");
process.exit(missed ? 1 : 0);
