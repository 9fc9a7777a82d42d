// The measured requests.

/** The project's address. Its path is one escaped segment, as clients send it. */
export const project = "/api/v3/projects/bench%2Fbench";
/** New issues go into this project, so that the other's lists stay the same. */
export const inbox = "/api/v3/projects/bench%2Finbox";
const today = "/api/v4/projects/bench%2Fbench";

const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** The parts that may vary between requests. Statuses avoid the newest commit, whose badge is requested. */
export const vary = (world) => {
  const { id, iid } = pick(world.issues);
  return {
    issue: id,
    iid,
    sha: pick(world.shas.slice(1)),
    name: `ci/${Math.random().toString(36).slice(2)}`,
    title: `Something else is wrong, ${Math.random().toString(36).slice(2)}`,
    long: world.long,
    assignee_id: world.ids.dev,
  };
};

export const form = (path, fields) => ({
  method: "POST",
  path,
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
});
export const get = (path) => ({ method: "GET", path });
const post = (project, { sha, name }) =>
  form(`${project}/statuses/${sha}`, { state: "success", name, target_url: "https://ci.example.com/build" });

/** `missing`: the answer is 404. `deep` is each server's own `next` link of page 999. */
export const requests = {
  issue: { title: "GET one issue", of: ({ issue }) => get(`${project}/issues/${issue}`) },
  issues: { title: "GET 20 issues", of: () => get(`${project}/issues`) },
  deep: { title: "GET page 1,000", of: ({ deep }) => get(deep) },
  create: {
    title: "POST an issue",
    of: ({ title }) => form(`${inbox}/issues`, { title, description: "What happens, and how to see it." }),
  },
  planned: {
    title: "POST a full one",
    of: ({ title, assignee_id }) => form(`${inbox}/issues`, { title, description: "As @guest says.", labels: "bug,area-1", assignee_id }),
  },
  status: { title: "POST a status", of: (varied) => post(project, varied) },
  commits: { title: "GET 20 commits", of: () => get(`${project}/repository/commits`) },
  diff: { title: "GET 100 KB diff", of: ({ long }) => get(`${project}/repository/commits/${long}/diff`) },
  badge: { title: "GET a badge", of: () => get(`${project}/badges/master/build.svg`) },
  user: { title: "GET /user", of: () => get("/api/v3/user") },
  licenses: { title: "GET /licenses", of: () => get("/api/v3/licenses") },
  unknown: { title: "GET a 404", missing: true, of: () => get("/api/v3/no/such/place") },
};

/** Five of these requests in v4. */
export const requestsOfToday = {
  issue: ({ iid }) => get(`${today}/issues/${iid}`),
  issues: () => get(`${today}/issues`),
  status: (varied) => post(today, varied),
  commits: () => get(`${today}/repository/commits`),
  diff: ({ long }) => get(`${today}/repository/commits/${long}/diff`),
};
