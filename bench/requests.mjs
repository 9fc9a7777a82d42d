// The four requests that are measured, as the fill, the yardstick's statements and the load all name them.

/** The project's address; its path goes in as one escaped segment, as clients do. */
export const project = "/api/v3/projects/bench%2Fbench";

const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** What may vary from one request to the next. */
export const vary = (world) => ({
  issue: pick(world.issues),
  sha: pick(world.shas),
  name: `ci/${Math.random().toString(36).slice(2)}`,
});

export const requests = {
  issue: { title: "GET one issue", uses: ["issue"], of: ({ issue }) => ({ method: "GET", path: `${project}/issues/${issue}` }) },
  issues: { title: "GET 20 issues", uses: [], of: () => ({ method: "GET", path: `${project}/issues` }) },
  status: {
    title: "POST a status",
    uses: ["sha", "name"],
    of: ({ sha, name }) => ({
      method: "POST",
      path: `${project}/statuses/${sha}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ state: "success", name, target_url: "https://ci.example.com/build" }).toString(),
    }),
  },
  commits: { title: "GET 20 commits", uses: [], of: () => ({ method: "GET", path: `${project}/repository/commits` }) },
};
