// The measured requests.

/** The project's address. Its path is one escaped segment, as clients send it. */
export const project = "/api/v3/projects/bench%2Fbench";
/** New issues go into this project, so that the other's lists stay the same. */
export const inbox = "/api/v3/projects/bench%2Finbox";

const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** The parts that may vary between requests. */
export const vary = (world) => ({
  issue: pick(world.issues),
  sha: pick(world.shas),
  name: `ci/${Math.random().toString(36).slice(2)}`,
  title: `Something else is wrong, ${Math.random().toString(36).slice(2)}`,
  long: world.long,
  assignee_id: world.ids.dev,
});

export const form = (path, fields) => ({
  method: "POST",
  path,
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
});
export const get = (path) => ({ method: "GET", path });

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
  status: {
    title: "POST a status",
    of: ({ sha, name }) => form(`${project}/statuses/${sha}`, { state: "success", name, target_url: "https://ci.example.com/build" }),
  },
  commits: { title: "GET 20 commits", of: () => get(`${project}/repository/commits`) },
  diff: { title: "GET 100 KB diff", of: ({ long }) => get(`${project}/repository/commits/${long}/diff`) },
  user: { title: "GET /user", of: () => get("/api/v3/user") },
  unknown: { title: "GET a 404", missing: true, of: () => get("/api/v3/no/such/place") },
};

/** The path of page 1,000: the next link of page 999, which each server writes in its own way. */
export async function deepPath(url, token) {
  const { headers } = await fetch(`${url}${project}/issues?page=999`, { headers: { "PRIVATE-TOKEN": token } });
  const [, next = ""] = /<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "") ?? [];
  return next.replace(url, "");
}
