// The requests that are measured, as the fill, the yardstick's statements and the load all name them.

/** The project's address; its path goes in as one escaped segment, as clients do. */
export const project = "/api/v3/projects/bench%2Fbench";
const today = "/api/v4/projects/bench%2Fbench";

const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** What may vary from one request to the next. */
export const vary = (world) => {
  const { id, iid } = pick(world.issues);
  return {
    issue: id,
    iid,
    sha: pick(world.shas),
    name: `ci/${Math.random().toString(36).slice(2)}`,
    title: `Something else is wrong, ${Math.random().toString(36).slice(2)}`,
    deep: world.deep,
    long: world.long,
  };
};

const form = (path, fields) => ({
  method: "POST",
  path,
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
});
const get = (path) => ({ method: "GET", path });
const post = (project, { sha, name }) =>
  form(`${project}/statuses/${sha}`, { state: "success", name, target_url: "https://ci.example.com/build" });

/** `uses`: what of the above goes into binds. `text`: the answer is no JSON. `missing`: the answer is 404. */
export const requests = {
  issue: { title: "GET one issue", uses: ["issue"], of: ({ issue }) => get(`${project}/issues/${issue}`) },
  issues: { title: "GET 20 issues", uses: [], of: () => get(`${project}/issues`) },
  deep: { title: "GET page 1,000", uses: [], of: ({ deep }) => get(deep) },
  create: {
    title: "POST an issue",
    uses: ["title"],
    of: ({ title }) => form(`${project}/issues`, { title, description: "What happens, and how to see it." }),
  },
  status: {
    title: "POST a status",
    uses: ["sha", "name"],
    of: (varied) => post(project, varied),
  },
  commits: { title: "GET 20 commits", uses: [], of: () => get(`${project}/repository/commits`) },
  diff: { title: "GET 100 KB diff", uses: [], of: ({ long }) => get(`${project}/repository/commits/${long}/diff`) },
  badge: { title: "GET a badge", uses: [], text: true, of: () => get(`${project}/badges/master/build.svg`) },
  user: { title: "GET /user", uses: [], of: () => get("/api/v3/user") },
  licenses: { title: "GET /licenses", uses: [], of: () => get("/api/v3/licenses") },
  unknown: { title: "GET a 404", uses: [], missing: true, of: () => get("/api/v3/no/such/place") },
};

/** Of v4, what five of these are there. */
export const requestsOfToday = {
  issue: ({ iid }) => get(`${today}/issues/${iid}`),
  issues: () => get(`${today}/issues`),
  status: (varied) => post(today, varied),
  commits: () => get(`${today}/repository/commits`),
  diff: ({ long }) => get(`${today}/repository/commits/${long}/diff`),
};
