// What each list costs in a small and in a large world: every route of the description that answers pages, in every
// combination of its filters, for every kind of caller, its first page and one far in. Variable ONLY: the names of some.
import { document } from "../openapi/index.mjs";

/** Rows that a page of 20 may read, and one of 100. */
const MOST = { 20: 300, 100: 1100 };
/** By how much the large world may cost more. */
const SAME = 0.1;

const labels = [undefined, "label-01", "label-01,label-02", "No Label"];
const milestone = [undefined, "v1.0", "No Milestone"];
const states = ["opened", "closed", "all"];
/** The keys of an issue in the middle of the world that has so many: time and id. */
const middle = (issues) => [1_400_000_000_000 + Math.floor(issues / 2) * 60_000, Math.floor(issues / 2)];

/**
 * For each list of the description: its path in the worlds, who asks, what its free parameters may be, and the keys of a
 * cursor far in. Parameters with an enumeration are found in the description. `apart`: why a figure of it may be over the
 * limit. A list that is not here is named at the end.
 */
const LISTS = {
  listProjectIssues: {
    at: ["/projects/world%2Fbig/issues"],
    as: ["olga", "gus", "sly"],
    free: { labels, milestone, iid: [undefined, "500,501"] },
    far: middle,
  },
  listMilestoneIssues: {
    at: ["/projects/world%2Fbig/milestones/1000001/issues"],
    as: ["olga", "gus", "sly"],
    free: { labels, milestone: [undefined] },
    far: middle,
  },
  listGroupIssues: {
    at: ["/groups/200/issues", "/groups/300/issues"],
    as: ["olga", "gus", "sly", "eve"],
    free: { labels, milestone },
    far: (issues, path) => (path.includes("300") ? [1_400_000_000_000 + 10_000 * 60_000, 10_010_000] : middle(issues)),
  },
  listIssues: {
    at: ["/issues"],
    as: ["most", "sly", "user3"],
    free: { labels, milestone },
    far: middle,
  },
};

const far = (issues) => Math.max(300, issues / 10);
const wide = (issues) => Math.max(300, issues / 100);
const half = (of) => (issues) => [Math.floor(of(issues) / 2)];
const any = (...values) => [undefined, ...values];
/** What is searched for is rare, and cannot be found by an index: such pages cost the rows that they pass over. */
const search = any();
const projects = { free: { search, archived: any("false") } };
Object.assign(LISTS, {
  listNotes: { at: ["/projects/world%2Fbig/issues/900/notes"], as: ["olga", "gus"], free: {} },
  listLabels: { at: ["/projects/world%2Fbig/labels"], as: ["olga", "gus"], free: {} },
  listMilestones: { at: ["/projects/world%2Fbig/milestones"], as: ["olga"], free: { iid: any("1,2") } },
  listTodos: { at: ["/todos"], as: ["most"], free: { author_id: any("110"), project_id: any("1000") }, far: half(far) },
  listCommits: {
    at: ["/projects/world%2Fbig/repository/commits"],
    as: ["olga", "most"],
    free: { ref_name: any("master", "topic-000150"), since: any("2014-05-13T16:53:20Z"), until: any("2035-01-01T00:00:00Z") },
  },
  listCommitComments: { at: ["/projects/world%2Fbig/repository/commits/master/comments"], as: ["olga"], free: {}, far: half(far) },
  listBranches: { at: ["/projects/world%2Fbig/repository/branches"], as: ["olga"], free: {} },
  listTags: { at: ["/projects/world%2Fbig/repository/tags"], as: ["olga"], free: {} },
  listStatuses: {
    at: ["/projects/world%2Fbig/repository/commits/master/statuses"],
    as: ["olga"],
    free: { ref_name: any("master"), ref: any(), stage: any("build"), name: any("job 7"), all: any("true") },
    far: half(wide),
  },
  listEnvironments: { at: ["/projects/world%2Fbig/environments"], as: ["olga"], free: {}, far: half(wide) },
  listDeployments: { at: ["/projects/world%2Fbig/deployments"], as: ["olga"], free: {}, far: half(wide) },
  listProjects: { at: ["/projects"], as: ["olga", "sly"], ...projects },
  listOwnedProjects: { at: ["/projects/owned"], as: ["olga"], ...projects },
  listVisibleProjects: { at: ["/projects/visible"], as: ["olga", "eve"], ...projects },
  listAllProjects: { at: ["/projects/all"], as: ["ada"], ...projects },
  listUsers: { at: ["/users"], as: ["eve"], free: { search, username: any("olga"), active: any("true"), blocked: any("true") } },
  listTokens: { at: ["/users/100/personal_access_tokens"], as: ["olga"], free: {} },
  listProjectTokens: { at: ["/projects/world%2Fbig/access_tokens"], as: ["olga"], free: {} },
  listHookTokens: { at: ["/projects/world%2Fbig/hook_tokens"], as: ["olga"], free: {} },
  listNamespaces: { at: ["/namespaces"], as: ["olga"], free: { search } },
  listGroups: { at: ["/groups"], as: ["olga", "eve"], free: { search } },
  listGroupMembers: { at: ["/groups/300/members"], as: ["olga"], free: { query: search } },
  listProjectMembers: { at: ["/projects/1001/members"], as: ["olga"], free: { query: search } },
});

const isList = (told) => told.parameters?.some(({ name }) => name === "per_page");

/** All ways to choose one of each. */
const product = (choices) =>
  Object.entries(choices).reduce((ways, [name, values]) => ways.flatMap((way) => values.map((value) => ({ ...way, [name]: value }))), [{}]);

/** Every question that a list takes. */
function questions(told, list) {
  const choices = { ...list.free };
  for (const { name, in: place, schema } of told.parameters) {
    if (place !== "query" || name in choices || ["page", "per_page", "cursor"].includes(name)) continue;
    if (!schema.enum) throw new Error(`${told.operationId}: what may ${name} be?`);
    choices[name] = schema.enum;
  }
  return product(choices);
}

/** The same cursor, going on behind other keys. */
function moved(address, keys) {
  const url = new URL(address);
  const parts = JSON.parse(Buffer.from(url.searchParams.get("cursor"), "base64url").toString());
  url.searchParams.set("cursor", Buffer.from(JSON.stringify([...parts.slice(0, 3), ...keys])).toString("base64url"));
  return url.href;
}

/** Asks for everything in both worlds and prints a line for each list, caller and choice of free filters. */
export async function measureLists(worlds, ask, miss) {
  const issues = { small: worlds.smallIssues, large: worlds.largeIssues };
  const lines = new Map();
  const unknown = [];
  let asked = 0;
  for (const [path, verbs] of Object.entries(document.paths)) {
    const told = verbs.get;
    if (!told || !isList(told)) continue;
    const only = process.env.ONLY?.split(",");
    if (only && !only.includes(told.operationId)) continue;
    const list = LISTS[told.operationId];
    if (!list) {
      unknown.push(path);
      continue;
    }
    for (const at of list.at) {
      for (const who of list.as) {
        for (const question of questions(told, list)) {
          for (const size of [20, 100]) {
            const query = new URLSearchParams(Object.entries({ ...question, per_page: size }).filter(([, value]) => value !== undefined));
            const first = {};
            for (const world of ["small", "large"]) {
              const answer = await ask(worlds[world], who, "GET", `${at}?${query}`, undefined, [404]);
              first[world] = answer;
            }
            if (first.small.status === 404) continue;
            asked += 2;
            note(`${at}?${query}`, at, who, question, size, "first", first);
            if (list.far && first.small.next && first.large.next) {
              const far = {};
              for (const world of ["small", "large"]) {
                const keys = list.far(issues[world], at);
                far[world] = await ask(worlds[world], who, "GET", moved(first[world].next, keys));
              }
              asked += 2;
              note(`${at}?${query}`, at, who, question, size, "far in", far);
            }
          }
        }
      }
    }
  }

  function note(what, at, who, question, size, where, { small, large }) {
    const filters = Object.entries(question).filter(([name, value]) => value !== undefined && !["state", "order_by", "sort"].includes(name));
    const name = `${who} ${at}${filters.map(([name, value]) => ` ${name}=${value}`).join("")}`;
    const line = lines.get(name) ?? { name, pages: 0, same: 0, worst: 0, [20]: 0, [100]: 0, counted: 0, at: "" };
    lines.set(name, line);
    line.pages++;
    const [few, many] = [small.cost[1], large.cost[1]];
    line.counted = Math.max(line.counted, large.counted);
    if (many > line[size]) line[size] = many;
    // a page that the small world cannot fill costs less for having less on it
    if (small.json.length === large.json.length) {
      line.same++;
      const more = (many - few) / few;
      if (more > line.worst) [line.worst, line.at] = [more, `${what} ${where}: ${few} and ${many}`];
    }
  }

  const number = (value) => value.toLocaleString("en").padStart(8);
  console.log("rows read by a page, the most of all states, orders, directions and depths");
  console.log(`${"".padEnd(86)} pages  of 20    of 100   grown   counted apart`);
  for (const line of lines.values()) {
    const over = [20, 100].filter((size) => line[size] > MOST[size]);
    const grown = line.worst > SAME;
    console.log(`${line.name.padEnd(86)} ${String(line.pages).padStart(5)}${number(line[20])}${number(line[100])}  ${`+${(line.worst * 100).toFixed(0)} %`.padStart(7)}${number(line.counted)}${over.length || grown ? "  missed" : ""}`);
    if (over.length) miss(`  over ${over.map((size) => `${MOST[size]} for ${size}`).join(", ")}`);
    if (grown) miss(`  ${line.at}`);
  }
  console.log(`${asked} lists asked for`);
  if (unknown.length) console.log(`not measured: ${unknown.join(", ")}`);
}
