// Known ways to make a page run what somebody wrote, put through the API into every kind of text, and every page opened
// that shows them. Nothing may run, load or be left in a page that could.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { reportOf } from "../../scripts/demo-reports.mjs";
import { caller } from "./browser.mjs";

export const PAYLOADS = JSON.parse(readFileSync(new URL("xss.json", import.meta.url), "utf8"));
/** Lists that are read to their end. */
const LONG = [
  "/",
  "/todos",
  "/admin/users",
  "/corpus/texts/-/issues?state=all",
  "/corpus/texts/-/commits/main",
  "/corpus/texts/-/environments",
  "/corpus/texts/-/labels",
  "/corpus/texts/-/milestones",
  "/corpus/texts/-/branches",
  "/corpus/texts/-/tags",
  "/corpus/texts/-/releases",
  "/corpus/texts/-/pipelines",
  "/corpus/texts/-/project_members",
  "/corpus/texts/-/settings/access_tokens",
];
const BOTH = [200, 201, 400, 404, 409, 422];

/** Who was taken of how many, by kind of text: the API refuses some, and that is as good. */
class Taken {
  counts = new Map();

  note(kind, { status }) {
    const [taken, tried] = this.counts.get(kind) ?? [0, 0];
    this.counts.set(kind, [taken + (status < 300 ? 1 : 0), tried + 1]);
  }

  toString() {
    return [...this.counts].map(([kind, [taken, tried]]) => `${kind} ${taken}/${tried}`).join(", ");
  }
}

const utf8 = (text) => Buffer.byteLength(text);
const data = (text) => `data ${utf8(text)}\n${text}\n`;
/** A path as `git fast-import` reads it; without what no path may hold. */
const inTree = (text) =>
  JSON.stringify(
    text
      .replaceAll("\0", "")
      .split("/")
      .filter((part) => part && part !== "." && part !== ".." && part.toLowerCase() !== ".git")
      .join("/") || "x",
  );
/** A branch's name: git refuses some characters. */
const branch = (text) =>
  text
    .replace(/[\x00-\x20\x7f~^:?*[\\]/g, "")
    .replace(/\.\.+|@\{|\/\/+/g, "")
    .replace(/^[/.-]+|(\.lock|[/.])+$/g, "")
    .replace(/\/\./g, "/") || "x";

/** A repository whose commits, files, lines and branches are called so. */
function repository(folder) {
  mkdirSync(folder, { recursive: true });
  const git = (args, input) =>
    execFileSync("git", args, { cwd: folder, input, stdio: ["pipe", "pipe", "pipe"], encoding: "utf8", maxBuffer: 1 << 26 });
  git(["init", "-q", "-b", "main"]);
  const commits = PAYLOADS.map((payload, at) => {
    const who = payload.replace(/[<>\n]/g, "") || "x";
    const text = `${payload}\n`;
    return `commit refs/heads/main\nmark :${at + 1}\nauthor ${who} <a@example.com> ${1790000000 + at} +0000\ncommitter ${who} <a@example.com> ${1790000000 + at} +0000\n${data(`${payload}\n\n${payload}\n`)}M 100644 inline ${inTree(payload)}\n${data(text)}`;
  });
  git(["fast-import", "--quiet", "--force"], commits.join("\n"));
  for (const payload of PAYLOADS) {
    try {
      git(["branch", "--", `b${branch(payload)}`]);
      git(["-c", "user.name=x", "-c", "user.email=x@example.com", "tag", "-a", "-m", payload, "--", `t${branch(payload)}`]);
    } catch {
      // git's own rules refuse it
    }
  }
  const shas = git(["rev-list", "--reverse", "main"]).trim().split("\n");
  // what the whole branch is compared with
  git(["tag", "--", "first", shas[0]]);
  return shas;
}

/** Puts the corpus everywhere. Returns the paths of all pages that show some of it. */
export async function fill(server, token, { work, hook }) {
  const call = caller(server, token);
  const taken = new Taken();
  const make = async (kind, path, body, options) => {
    const answer = await call("POST", path, body, { expect: BOTH, ...options });
    taken.note(kind, answer);
    return answer.status < 300 ? answer.data : null;
  };
  const { data: group } = await call("POST", "/groups", { name: "Corpus", path: "corpus", visibility: "public", description: PAYLOADS[0] });
  const { data: project } = await call("POST", "/projects", {
    name: "texts",
    path: "texts",
    namespace_id: group.id,
    visibility: "public",
    description: PAYLOADS[1],
  });
  const base = `/projects/${project.id}`;

  const shas = repository(join(work, "corpus"));
  execFileSync(hook, ["sync", "--repository", join(work, "corpus"), "--server", server, "--project", "corpus/texts"], {
    env: { ...process.env, EDGEFORGE_TOKEN: token },
    stdio: "ignore",
  });
  // the server has closed idle connections meanwhile; the client has to notice
  await new Promise((done) => setTimeout(done, 200));

  const titles = [];
  const paths = new Set(["/", "/todos", "/groups/corpus", "/corpus/texts", "/corpus/texts/-/environments"]);
  for (const [at, payload] of PAYLOADS.entries()) {
    const one = PAYLOADS[at];
    const person = await make("name of a user", "/users", { username: `x${at}`, name: one, email: `x${at}@example.com` });
    if (person && at % 7 === 0) await make("member", `${base}/members`, { user_id: person.id, access_level: 10 });
    const label = await make("label", `${base}/labels`, { name: one, color: at % 2 ? "#ff0000" : one, description: one });
    if (!label) await make("label", `${base}/labels`, { name: one, color: "#ff0000" });
    await make("name of a token", `/users/1/personal_access_tokens`, { name: one, scopes: ["read_api"] });
    if (at % 5 === 0) await make("name of a project's token", `${base}/access_tokens`, { name: one, scopes: ["read_api"] });
    if (at < 90) {
      const made = await make("name of a web hook", `${base}/hooks`, {
        url: `https://hooks.invalid/${encodeURIComponent(one)}`,
        name: one,
        push_events_branch_filter: one,
      });
      if (made) paths.add(`/corpus/texts/-/hooks/${made.id}`);
    }
    await make("name of a hook's token", `${base}/hook_tokens`, { name: one });
    const milestone = await make("milestone", `${base}/milestones`, { title: one, description: payload });
    const issue = await make("title", `${base}/issues`, { title: one, description: payload, labels: one, milestone_id: milestone?.id });
    await make("description of a project", "/projects", {
      name: `p${at}`,
      path: `p${at}`,
      namespace_id: group.id,
      visibility: "public",
      description: one,
    });
    await make("name of a project", "/projects", { name: one, path: `n${at}`, namespace_id: group.id, visibility: "public" });
    if (issue) {
      await make("comment", `${base}/issues/${issue.iid}/notes`, { body: payload }, { sudo: person?.id });
      // what the server notes names the label
      taken.note("label in a note", await call("PUT", `${base}/issues/${issue.iid}`, { add_labels: `z${one}` }, { expect: BOTH }));
      await call("POST", `${base}/issues/${issue.iid}/todo`);
      paths.add(`/corpus/texts/-/issues/${issue.iid}`);
    }
    if (milestone) titles.push(one);
    if (milestone) paths.add(`/corpus/texts/-/milestones/${milestone.iid}`);
    if (person) paths.add(`/x${at}`);
    const sha = shas[at];
    paths.add(`/corpus/texts/-/commit/${sha}`);
    await make("status", `${base}/statuses/${sha}`, { state: "success", name: one, description: payload });
    await make("address of a status", `${base}/statuses/${sha}`, { state: "failed", name: `address ${at}`, target_url: payload });
    await make("address of a status, with https before it", `${base}/statuses/${sha}`, {
      state: "failed",
      name: `https ${at}`,
      target_url: `https://a.example/${payload}`,
    });
    for (const path of await report(server, token, call, base, sha, payload, taken)) paths.add(path);
    await make("comment at a commit", `${base}/repository/commits/${sha}/comments`, {
      note: payload,
      path: one,
      line: 1,
      line_type: "new",
    });
    const environment = await make("environment", `${base}/environments`, { name: one, external_url: `https://a.example/${payload}` });
    if (environment) paths.add(`/corpus/texts/-/environments/${environment.id}`);
    await make("deployment", `${base}/deployments`, { environment: one, sha, ref: "main", tag: false, status: "success" });
  }
  taken.note("setting", await call("PUT", "/application/settings", { sign_in_text: PAYLOADS.join("\n") }, { expect: BOTH }));
  for (const path of ["/admin", "/profile", "/projects/new", "/corpus/texts/-/settings"]) paths.add(path);
  // the lists, page after page, and a branch of each name
  for (const path of LONG) paths.add(path);
  const branches = [];
  for (let page = 1; page; page = branches.length % 100 ? 0 : page + 1)
    branches.push(...(await call("GET", `${base}/repository/branches?per_page=100&page=${page}`)).data);
  for (const { web_url } of branches) paths.add(new URL(web_url).pathname);
  taken.counts.set("branch", [branches.length - 1, PAYLOADS.length]);
  const files = [];
  for (let page = 1; page; page = files.length % 100 ? 0 : page + 1)
    files.push(...(await call("GET", `${base}/repository/tree?recursive=true&per_page=100&page=${page}`)).data);
  for (const { type, path } of files) paths.add(`/corpus/texts/-/${type}/main/${path.split("/").map(encodeURIComponent).join("/")}`);
  for (const path of ["/corpus/texts/-/tree/main", "/corpus/texts/-/hooks"]) paths.add(path);
  taken.counts.set("file", [files.length, PAYLOADS.length]);
  for (const path of await release(call, make, base, titles)) paths.add(path);
  for (const path of await upload(server, token, call, base, taken)) paths.add(path);
  // what is searched for is shown again
  for (const payload of PAYLOADS.slice(0, 30))
    paths.add(`/corpus/texts/-/issues?${new URLSearchParams({ search: payload, labels: payload, author: payload, state: payload })}`);
  for (const payload of PAYLOADS.slice(0, 30)) {
    paths.add(`/search?${new URLSearchParams({ search: payload })}`);
    paths.add(`/corpus/texts/-/pipelines?${new URLSearchParams({ ref: payload })}`);
  }
  for (const payload of PAYLOADS.slice(0, 30))
    paths.add(`/${encodeURIComponent(payload)}?${new URLSearchParams({ search: payload })}#${payload}`);
  return { paths: [...paths], taken };
}

/** Uploads called so, that hold what could run, in texts: the addresses of those. */
async function upload(server, token, call, base, taken) {
  const links = [];
  const ends = ["", ".png", ".svg", ".html"];
  for (const [at, payload] of PAYLOADS.entries()) {
    const body = new FormData();
    body.append(
      "file",
      new Blob([`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>window.xss=1</script></svg>${payload}`]),
      `${payload}${ends[at % ends.length]}`,
    );
    const answer = await fetch(`${server}/api/v4${base}/uploads`, { method: "POST", headers: { "PRIVATE-TOKEN": token }, body });
    taken.note("name of an upload", answer);
    const { markdown, url } = await answer.json();
    if (answer.ok) links.push(markdown, `![${payload}](${url})`);
  }
  const paths = [];
  for (let at = 0; at < links.length; at += 40) {
    const { data } = await call("POST", `${base}/issues`, { title: `Files ${at}`, description: links.slice(at, at + 40).join("\n\n") });
    paths.push(`/corpus/texts/-/issues/${data.iid}`);
  }
  return paths;
}

/** Reports whose texts are all called so, at the first line of a file of the commit that is, too: the addresses that show them. */
async function report(server, token, call, base, sha, payload, taken) {
  const { data: files } = await call("GET", `${base}/repository/commits/${sha}/diff`);
  const file = files[0]?.new_path ?? "x";
  const texts = { name: payload, classname: payload, suite: payload, file, line: 1, system_output: payload };
  const finding = { path: file, line: 1, severity: "major", check_name: payload, description: payload };
  const { data: status } = await call("POST", `${base}/statuses/${sha}`, { state: "failed", name: "ci/reported" });
  for (const [kind, item] of [
    ["tests", { status: "failed", ...texts }],
    ["quality", finding],
  ]) {
    const answer = await fetch(`${server}/api/v4${base}/jobs/${status.id}/reports/${kind}`, {
      method: "PUT",
      headers: { "PRIVATE-TOKEN": token },
      body: reportOf(kind, [item], payload),
    });
    taken.note(`report of ${kind}`, answer);
  }
  const { data: job } = await call("GET", `${base}/jobs/${status.id}`);
  return [`/corpus/texts/-/pipelines/${job.pipeline.id}`];
}

/** Releases of all tags, and comparisons: their addresses. `titles`: of milestones that there are. */
async function release(call, make, base, titles) {
  const paths = ["/corpus/texts/-/compare/first...main", "/corpus/texts/-/compare/first..main"];
  const tags = [];
  for (let page = 1; page; page = tags.length % 100 ? 0 : page + 1)
    tags.push(...(await call("GET", `${base}/repository/tags?per_page=100&page=${page}`)).data);
  for (const [at, { name }] of tags.entries()) {
    const payload = PAYLOADS[at % PAYLOADS.length];
    const title = titles[at % titles.length];
    const made = await make("release", `${base}/releases`, { tag_name: name, name: payload, description: payload, milestones: [title] });
    const links = `${base}/releases/${encodeURIComponent(name)}/assets/links`;
    await make("address of a link", links, { name: payload, url: payload });
    await make("link of a release", links, {
      name: payload,
      url: `https://a.example/${encodeURIComponent(payload)}`,
      direct_asset_path: `/x${at}`,
    });
    const page = `/corpus/texts/-/releases/${encodeURIComponent(name)}`;
    if (made) paths.push(page);
    if (made && at % 20 === 0) paths.push(`${page}/edit`);
    if (at % 4 === 0)
      paths.push(
        `/corpus/texts/-/tags/${encodeURIComponent(name)}`,
        `/corpus/texts/-/compare/first...${name.split("/").map(encodeURIComponent).join("/")}`,
      );
  }
  // names that there are not are shown again
  for (const payload of PAYLOADS.slice(0, 30)) {
    paths.push(
      `/corpus/texts/-/compare?${new URLSearchParams({ from: payload, to: payload })}`,
      `/corpus/texts/-/compare/${encodeURIComponent(payload)}...${encodeURIComponent(payload)}`,
    );
    paths.push(`/corpus/texts/-/releases?${new URLSearchParams({ tag: payload })}`);
  }
  return paths;
}

/** Opens every page, some at a time; which payloads did something. */
export async function attack(browser, as, paths, together = 3) {
  const found = [];
  const waiting = [...paths];
  let opened = 0;
  await Promise.all(
    Array.from({ length: together }, async () => {
      const page = await browser.page({ as, name: "xss" });
      page.noted.expected = new Set([400, 404]);
      while (waiting.length) {
        const path = waiting.shift();
        await browser.open(page, path);
        if (/\/issues\/\d+$/.test(path)) await browser.touch(page);
        await page.locator("details").evaluateAll((all) => all.forEach((one) => (one.open = true)));
        // what is inside some is made when they open
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        for (let next; LONG.includes(path) && (next = page.locator("a[rel=next]")) && (await next.count()); ) {
          found.push(...(await browser.unsafe(page)).map((what) => `${page.url()}: ${what}`));
          const before = page.url();
          await next.click();
          await page.waitForFunction((was) => location.href !== was, before);
          await browser.settled(page);
        }
        const here = await browser.unsafe(page);
        if (here.length) console.log(`        ${path}: ${here[0]}`);
        found.push(...here.map((what) => `${path}: ${what}`));
        if (++opened % 200 === 0) console.log(`        ${opened} of ${paths.length} pages opened, ${found.length} findings`);
      }
      found.push(...page.noted.problems);
      await page.tab.close();
    }),
  );
  return { opened, found };
}
