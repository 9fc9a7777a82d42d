// Fifteen tasks of every day, done in the pages as a person would. Prints for each the clicks, keys and texts, and the seconds that
// the pages took. The API is asked whether the task was done.
//
//   node lab/pages/tasks.mjs ADDRESS STATE BROWSER
import assert from "node:assert/strict";
import { FURTHER } from "./further.mjs";
import { api, button, field, Hand, longCommit, open, pick, PROJECT } from "./hand.mjs";

const [server, state, program] = process.argv.slice(2);
const { browser, ann, call } = await open(server, state, program);
const ISSUES = `${PROJECT}/-/issues`;
const seen = async (iid) => (await call("GET", `${api}/issues/${iid}`)).data;
async function make(count) {
  const made = [];
  for (let at = 0; at < count; at++)
    made.push((await call("POST", `${api}/issues`, { title: `Task ${Date.now().toString(36)} ${at}` })).data);
  return made;
}
const check = (hand, { title }) => hand.click(field(hand.page, `Choose ${title}`));
const long = await longCommit(call, 40, 30);

/** Each begins at a page, and ends when the API has it. */
/** @type {Record<string, any>} */
const TASKS = {
  "label an issue": {
    given: () => make(1),
    from: ([issue]) => `${ISSUES}/${issue.iid}`,
    async act(hand) {
      await hand.click(button(hand.page, "Change labels"));
      await pick(hand, "bug", /^bug$/);
      await hand.press("Escape");
    },
    done: async ([issue]) => (await seen(issue.iid)).labels.includes("bug"),
  },
  "assign three": {
    given: () => make(3),
    from: () => ISSUES,
    async act(hand, issues) {
      for (const issue of issues) await check(hand, issue);
      await hand.click(button(hand.page, "Assign"));
      await pick(hand, "bob", /Bob Developer/);
    },
    done: async (issues) => (await Promise.all(issues.map(({ iid }) => seen(iid)))).every(({ assignee }) => assignee?.username === "bob"),
  },
  "close five": {
    given: () => make(5),
    from: () => ISSUES,
    async act(hand, issues) {
      for (const issue of issues) await check(hand, issue);
      await hand.click(button(hand.page, "Close"));
    },
    done: async (issues) => (await Promise.all(issues.map(({ iid }) => seen(iid)))).every(({ state }) => state === "closed"),
  },
  "make a project with a member and a token": {
    given: async () => `made-${Date.now().toString(36)}`,
    from: () => "/",
    async act(hand, name) {
      const { page } = hand;
      await hand.click(page.getByRole("link", { name: "New project" }));
      await hand.fill(field(page, "Name"), name);
      await hand.click(button(page, "Create project"));
      await hand.click(page.getByRole("link", { name: "Members" }));
      await hand.click(button(page, "Add a member"));
      await hand.fill(field(page, "Username"), "bob");
      await hand.click(button(page, "Add member"));
      await page.locator(".row", { hasText: "Bob Developer" }).waitFor();
      await hand.click(page.locator(".tabs").getByRole("link", { name: "Settings" }));
      await hand.click(page.getByRole("link", { name: "Access tokens" }));
      await hand.click(button(page, "New token"));
      await hand.fill(field(page, "Name"), "ci");
      await hand.click(field(page, "Report builds"));
      await hand.click(button(page, "Create token"));
      await page.locator(".notice code").waitFor();
    },
    async done(name) {
      const path = `/projects/${encodeURIComponent(`${ann.user.username}/${name}`)}`;
      const [members, tokens] = await Promise.all(["members", "access_tokens"].map((list) => call("GET", `${path}/${list}`)));
      return members.data.some(({ username }) => username === "bob") && tokens.data.some((token) => token.name === "ci");
    },
  },
  "find an issue by two filters": {
    given: async () => null,
    from: () => ISSUES,
    async act(hand) {
      await hand.click(button(hand.page, "+ Label"));
      await pick(hand, "mirror", /^mirror$/);
      await hand.page.waitForURL(/labels=/);
      await hand.click(button(hand.page, "+ Assignee"));
      await pick(hand, "bob", /Bob Developer/);
      await hand.page.waitForURL(/assignee=/);
      await hand.page.locator(".row", { hasText: "Retry a push of refs" }).waitFor();
    },
    done: async (_, page) => page.url().includes("labels=mirror"),
  },
  [`read a commit of ${long.files} files to its 30th`]: {
    given: async () => null,
    from: () => `${PROJECT}/-/commit/${long.sha}`,
    async act(hand) {
      await hand.click(hand.page.locator(`.file-list a[href="#file-30"]`));
      await hand.page.waitForFunction(() => document.querySelector("#file-30")?.getBoundingClientRect().top < innerHeight / 2);
    },
    done: async (_, page) => (await page.locator("#file-30 h3").innerText()).trim() === long.name,
  },
  "comment at a line": {
    given: async () => `At a line ${Date.now()}`,
    from: () => `${PROJECT}/-/commit/${long.sha}`,
    async act(hand, text) {
      await hand.click(hand.page.locator("button.at").first());
      await hand.fill(hand.page.locator(".said textarea"), text);
      await hand.press("Control+Enter");
      await hand.page.locator(".said .note", { hasText: text }).waitFor();
    },
    done: async (text) => (await call("GET", `${api}/repository/commits/${long.sha}/comments`)).data.some(({ note }) => note === text),
  },
  "change a milestone's date": {
    given: async () =>
      (
        await call("PUT", `${api}/milestones/${(await call("GET", `${api}/milestones?search=Spring`)).data[0].id}`, {
          due_date: "2027-07-08",
        })
      ).data,
    from: (milestone) => `${PROJECT}/-/milestones/${milestone.iid}`,
    async act(hand, milestone) {
      await hand.click(button(hand.page, `Edit ${milestone.title}`));
      await hand.fill(field(hand.page, "Due"), "2027-08-09");
      await hand.click(button(hand.page, "Save"));
      await hand.page.getByText("due Aug 9, 2027").waitFor();
    },
    done: async ({ id }) => (await call("GET", `${api}/milestones/${id}`)).data.due_date === "2027-08-09",
  },
  "find who deployed what": {
    given: async () => null,
    from: () => "/",
    async act(hand) {
      await hand.click(hand.page.locator(".row-title", { hasText: "edgeforge" }).last());
      await hand.page.locator(".row", { hasText: "production" }).locator(".person").waitFor();
    },
    done: async (_, page) => /Ann Owner/.test(await page.locator(".row", { hasText: "production" }).innerText()),
  },
  "undo a wrong close": {
    given: () => make(1),
    from: ([issue]) => `${ISSUES}/${issue.iid}`,
    async act(hand) {
      await hand.click(button(hand.page, "Close issue"));
      await hand.click(hand.page.locator(".toast").getByRole("button", { name: "Undo" }));
      await hand.page.getByText("Put back.").waitFor();
    },
    done: async ([issue]) => (await seen(issue.iid)).state === "opened",
  },
  ...FURTHER(call, make, seen),
};

/** Waits until the API has it, which is a moment after the page shows it. */
async function until(done) {
  const began = Date.now();
  while (!(await done())) {
    assert.ok(Date.now() - began < 10_000, "the task was never done");
    await new Promise((next) => setTimeout(next, 10));
  }
}

console.log("clicks  keys  texts  seconds");
for (const [name, { given, from, act, done }] of Object.entries(TASKS)) {
  const what = await given();
  const page = await browser.page({ as: ann, name });
  await browser.open(page, from(what));
  const hand = new Hand(browser, page);
  const began = performance.now();
  await act(hand, what);
  await until(() => done(what, page));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  assert.deepEqual(page.noted.problems, []);
  console.log(
    `${String(hand.clicks).padStart(6)}${String(hand.keys).padStart(6)}${String(hand.texts).padStart(7)}${seconds.padStart(9)}  ${name}`,
  );
  await page.tab.close();
}
await browser.stop();
