// The questions to every GET route of both descriptions: paths with the values of world.json, and values for each
// parameter. A new route or parameter without values is an error.
import { document as v3 } from "../../openapi/index.mjs";
import { document as v4 } from "../../openapi/v4/index.mjs";
import { parametersOf, wordsOf } from "../described.mjs";

const APIS = { v3, v4 };

const many = (count, name) => Array.from({ length: count }, (_, n) => name(n)).join(",");
/** As many as the server takes: labels that all issues of a project have, and labels that none has. */
const manyLabels = [many(50, (n) => n.toString(16)), many(50, (n) => `absent-${n}`)];
/** As many as fit into an address. */
const manyNumbers = many(1400, (n) => n + 1);
/** All letters: words that all texts have or none. */
const manyWords = many(26, (n) => String.fromCharCode(97 + n)).replaceAll(",", " ");
const words = ["common", "wrong with", "w c t h i", "zz", manyWords];
const times = ["1990-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "2035-01-01T00:00:00Z"];
const people = (ids) => [ids.mallory, ids.gus];
/** Values of the parameters by name, besides those that the description lists. */
const valuesOf = (ids) => ({
  names: ["default", many(50, (n) => `check-${n}`)],
  except: ["default"],
  labels: ["bug", "bug,feature", "1", "1,2,3", "None", "Any", "No Label", "absent", ...manyLabels],
  milestone: ["v1", "None", "Any", "No Milestone"],
  iid: ["1,2,3", manyNumbers],
  iids: ["1,2,3", manyNumbers],
  author_id: people(ids),
  author_username: ["mallory", "gus"],
  assignee_id: [...people(ids), "None", "Any"],
  assignee_username: ["gus"],
  closed_by_id: people(ids),
  search: words,
  query: ["mallory", "zz"],
  username: ["mallory"],
  in: ["title", "title,description"],
  created_after: times,
  created_before: times,
  updated_after: times,
  updated_before: times,
  last_activity_after: times,
  last_activity_before: times,
  last_used_after: times,
  last_used_before: times,
  expires_after: times,
  expires_before: times,
  finished_after: times,
  finished_before: times,
  my_reaction_emoji: ["None"],
  weight: ["None"],
  iteration_id: ["None"],
  iteration_title: ["None"],
  epic_id: ["None"],
  health_status: ["None"],
  user_id: people(ids),
  user_ids: [ids.gus],
  skip_users: [ids.gus],
  skip_groups: ["1"],
  id_after: ["1", "1000"],
  id_before: ["1000"],
  entity_id: ["1"],
  topic: ["a"],
  topic_id: ["1"],
  marked_for_deletion_on: ["2020-01-01"],
  extern_uid: ["x"],
  provider: ["x"],
  saml_provider_id: ["1"],
  public_email: ["gus@example.com"],
  with_programming_language: ["a"],
  ref_name: ["master", "topic-1", "v0.0..master", "topic-1..master"],
  ref: ["master", "topic-1"],
  since: times,
  until: times,
  path: ["a00001", "zz", "a", "dir", "d", "d/".repeat(400)],
  filepath: ["dir/f00001", "big.txt"],
  file_path: ["dir/f00001", "big.txt"],
  from: ["topic-1", "master"],
  to: ["master", "topic-1"],
  from_project_id: ["1"],
  refs: [
    ["master", "topic-1"],
    ["topic-1", "v0.0"],
    ["master", ...Array.from({ length: 9 }, (_, n) => `topic-${n * 100 + 1}`)],
  ],
  page_token: ["0".repeat(40)],
  // as many as the server takes, and as an address has
  exclude_paths: ["a", "dir", many(100, (n) => `b${n}`), many(2000, (n) => n.toString(36))],
  file: ["x.zip"],
  package_name: ["tool", "zz"],
  package_version: ["1.0"],
  status: ["200", "successful", many(20, (n) => 400 + n)],
  link_url: [`https://x/${"%{commit_sha}".repeat(15)}`],
  image_url: [`https://x/${"%{project_path}".repeat(15)}`],
  author: ["zz", "ann"],
  stage: ["external"],
  name: ["job 7", "env 7"],
  environment: ["env 7"],
  source: ["external"],
  sha: ["0".repeat(40), "wide", "stars", "bombs", "letters", "noise"],
  pipeline_id: ["1"],
  states: ["available", "stopped"],
  custom_attributes: ["x"],
  repository_storage: ["default", "other"],
  regex: ["topic", "^t.*9$"],
  title: ["v1"],
  after: ["refs/heads/t", "8", "2020-01-01"],
  before: ["1990-01-01", "2020-01-01", "2035-01-01"],
  scope: ["all"],
  project: ["x"],
  fullname: ["x"],
  key_text: ["x"],
  key_width: [80],
  value_width: [100],
  job: ["job 7", "zz"],
  min_good: [50],
  min_acceptable: [40],
  min_medium: [30],
  page: [2, 5, 10, 20, 50, 100, 200, 499],
  // the page of 100 is the ordinary question
  per_page: [1],
});
/** Cursors are followed from answers. */
const FOLLOWED = ["cursor"];

/** Combinations that were dear once: behind the operation, by the same name in each API. */
const KNOWN = {
  listProjectIssues: ["search=common&labels=bug&state=opened&page=99", "labels=Any&page=199", "page=200", "with_labels_details=true"],
  listIssues: ["scope=all&search=common&in=title&page=100", "scope=all&with_labels_details=true"],
  countProjectIssues: ["search=common", "search=w+c+t+h+i"],
  compareCommits: [
    "from=master&to=topic-1",
    "from=topic-1&to=master&straight=true",
    ...["similar", "patches", "names", "lines"].map((name) => `from=${name}-1&to=${name}-2&straight=true`),
  ],
  listCommits: [
    "until=1990-01-01T00:00:00Z",
    "page=10",
    "page=99",
    "page=120",
    "author=zz",
    "path=zz",
    "all=true&until=2000-01-01T00:00:00Z",
    "since=1990-01-01T00:00:00Z&until=1990-06-01T00:00:00Z&page=10",
  ],
};

/** A path with every combination of these values for its placeholders. Empty if one has no value. */
function filled(path, places) {
  let paths = [""];
  const segments = path.split("/").slice(1);
  for (const [at, segment] of segments.entries()) {
    // the longest name of a place: notes/{note_id}/award_emoji/{award_id} before award_emoji/{award_id}
    const names = segments.slice(0, at).map((_, from) => segments.slice(from, at + 1).join("/"));
    const values = segment.startsWith("{") ? (places[names.find((name) => name in places)] ?? []) : [segment];
    paths = paths.flatMap((start) => values.map((value) => `${start}/${encodeURIComponent(value)}`));
  }
  return paths;
}

/** Every route with its paths and the values of its parameters. `missing`: what has none. */
export function questions({ ids, places, projects }) {
  const values = valuesOf(ids);
  const ofPlaces = { project_id: [projects.words["projects/{id}"][0]], group_id: places["groups/{id}"] };
  const [routes, missing] = [[], []];
  for (const [api, document] of Object.entries(APIS)) {
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (!get) continue;
      const isAnswered = Object.keys(get.responses).some((status) => status < "300");
      const own = path.startsWith("/projects/{id}") ? Object.values(projects) : [{}];
      const paths = own.flatMap((project) => filled(path, { ...places, ...project })).map((one) => `/api/${api}${one}`);
      const route = `${api} ${path}`;
      if (!paths.length) missing.push(`${route}: no path has a value for each placeholder`);
      const [choices, needed] = [{}, {}];
      for (const { name, in: place, schema, required } of parametersOf(document, get)) {
        if (place !== "query" || FOLLOWED.includes(name)) continue;
        choices[name] = [...(wordsOf(schema) ?? []), ...(ofPlaces[name] ?? values[name.replace(/^not\[(.*)\]$/, "$1")] ?? [])];
        if (!choices[name].length) missing.push(`${route}: ${name} has no values`);
        if (required) needed[name] = choices[name][0];
      }
      const known = (KNOWN[get.operationId] ?? []).map((query) => Object.fromEntries(new URLSearchParams(query)));
      routes.push({ route, paths, choices, needed, known, isAnswered });
    }
  }
  for (const name of Object.keys(KNOWN)) {
    if (!Object.values(APIS).some(({ paths }) => Object.values(paths).some(({ get }) => get?.operationId === name)))
      missing.push(`KNOWN has no operation ${name}`);
  }
  return { routes, missing };
}
