// What hands do: what opens has the focus, keys do only what the list of keys says, and every change has a way back.
import assert from "node:assert/strict";
import { account } from "./browser.mjs";
import { accessibility } from "./looks.mjs";

const PROJECT = "/demo-group/edgeforge";
const ISSUES = `${PROJECT}/-/issues`;
const field = (page, name) => page.getByLabel(name, { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const first = (page, name) => page.getByRole("button", { name }).first();

/** Keys of the run, and its seed: `KEYS=2000 SEED=7 ONLY=flows FLOW=random make page`. */
const MOST = Number(process.env.KEYS ?? 200);
const SEED = Number(process.env.SEED ?? 1);

/** Numbers from 0 to below 1 that a seed repeats (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Without Enter, Tab and Escape, which send, leave and close. */
const KEYS = [..."abcdefghijklmnopqrstuvwxyz/?.,#@0123456789gcxela", "ArrowUp", "ArrowDown", "Backspace", "Home", "End"];

/** Text of a form that is always on its page. It is open once it has a change. */
const fills = (label, text) => async (page) => {
  const found = field(page, label).first();
  await found.fill(text);
  await found.focus();
};

async function chooseOne(page, then) {
  await page.locator(".choose").first().check();
  await button(page, then).click();
}

/**
 * By the name: where the form is, and what opens it. `closes`: it does when the focus leaves it, or letters are keys
 * then. `isOver`: it is over the page.
 */
const FORMS = {
  "New label": { at: `${PROJECT}/-/labels`, open: (page) => button(page, "New label").click() },
  "Edit label": { at: `${PROJECT}/-/labels`, open: (page) => first(page, /^Edit/).click() },
  "New milestone": { at: `${PROJECT}/-/milestones`, open: (page) => button(page, "New milestone").click() },
  "Edit milestone": { at: `${PROJECT}/-/milestones`, open: (page) => first(page, /^Edit/).click() },
  "New issue": { at: `${ISSUES}/new`, open: async () => {} },
  "an issue": { at: `${ISSUES}/6`, open: (page) => button(page, "Edit").click() },
  "a title": { at: `${ISSUES}/6`, open: (page) => button(page, "Change title").click() },
  labels: { at: `${ISSUES}/6`, open: (page) => button(page, "Change labels").click(), closes: true },
  assignee: { at: `${ISSUES}/6`, open: (page) => button(page, "Change assignee").click(), closes: true },
  "a day": { at: `${ISSUES}/6`, open: (page) => button(page, "Change due").click() },
  "a comment": { at: `${ISSUES}/6`, open: (page) => first(page, "Edit this comment").click() },
  Move: {
    at: `${ISSUES}/6`,
    open: async (page) => {
      await first(page, /^More for #/).click();
      await button(page, "Move").click();
    },
  },
  "Add a member": { at: `${PROJECT}/-/project_members`, open: (page) => button(page, "Add a member").click() },
  "New web hook": { at: `${PROJECT}/-/hooks`, open: (page) => button(page, "New web hook").click() },
  "token of a project": { at: `${PROJECT}/-/settings/access_tokens`, open: (page) => button(page, "New token").click() },
  "token of one's own": { at: "/profile", open: (page) => button(page, "New token").click() },
  "milestone of an issue": { at: `${ISSUES}/6`, open: (page) => button(page, "Change milestone").click(), closes: true },
  "New group": { at: "/groups/new", open: async () => {} },
  "Edit group": { at: "/groups/demo-group", open: (page) => button(page, "Edit").click() },
  "member of a group": { at: "/groups/demo-group", open: (page) => button(page, "Add a member").click() },
  "token of a hook": { at: `${PROJECT}/-/settings/access_tokens`, open: (page) => button(page, "New token of a hook").click() },
  "New project": { at: "/projects/new", open: async () => {} },
  "New release": { at: `${PROJECT}/-/releases`, open: (page) => button(page, "New release").click() },
  "New user": { at: "/admin/users", open: (page) => button(page, "New user").click() },
  "Edit user": { at: "/admin/users", open: (page) => first(page, /^Edit/).click() },
  "a filter": { at: ISSUES, open: (page) => button(page, "+ Label").click(), closes: true },
  "labels of several": { at: ISSUES, open: (page) => chooseOne(page, "Add labels"), closes: true },
  "a line of a diff": { at: null, open: (page) => first(page, /^Comment on line/).click() },
  "a draft of a comment": { at: `${ISSUES}/6`, open: (page) => field(page, "Comment").fill("Half a") },
  "a comment on a commit": { at: null, open: fills("Comment", "Half a") },
  "issue of a milestone": { at: `${PROJECT}/-/milestones/1`, open: (page) => button(page, "Add issues").click(), closes: true },
  "assignee of several": { at: ISSUES, open: (page) => chooseOne(page, "Assign"), closes: true },
  "milestone of several": { at: ISSUES, open: (page) => chooseOne(page, "Set milestone"), closes: true },
  "settings of a project": { at: `${PROJECT}/-/settings`, open: fills("Description", "Half a") },
  "settings of the server": { at: "/admin", open: fills("Sign in text", "Half a") },
  "an edited release": { at: `${PROJECT}/-/releases/v0.2.0/edit`, open: fills("Title", "Half a") },
  "a comparison": { at: `${PROJECT}/-/compare`, open: (page) => field(page, "From").click(), closes: true },
  "a search of a list": { at: `${PROJECT}/-/labels`, open: (page) => page.keyboard.press("f"), closes: true },
  "the field in the head": { at: PROJECT, open: (page) => page.keyboard.press("/"), closes: true },
  "a sign-in": {
    at: `${ISSUES}/6`,
    open: async (page) => {
      await account(page, "Sign out");
      await button(page, "Sign in").first().click();
    },
    isOver: true,
  },
};

const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: one } = document;
    return one?.closest("form, .picker") ? one.localName : "";
  });

export const HANDS = {
  async "presses random keys while a form is open, which stay in it: nothing is sent, no page is left"({ browser, sha }, page) {
    const random = randomOf(SEED);
    const written = [];
    page.on("request", (request) => request.method() !== "GET" && written.push(`${request.method()} ${request.url()}`));
    for (const [name, { at, open, closes, isOver }] of Object.entries(FORMS)) {
      await browser.open(page, at ?? `${PROJECT}/-/commit/${sha}`);
      await open(page);
      const field = page.waitForFunction(() =>
        ["input", "select", "textarea"].includes(document.activeElement?.closest("form, .picker") ? document.activeElement.localName : ""),
      );
      await field.catch(async () => assert.fail(`${name}: the focus is not in a field, but on ${(await focused(page)) || "the page"}`));
      const address = page.url();
      const pressed = [];
      // a sign-in is opened by signing out
      written.length = 0;
      for (let count = 0; count < MOST; count++) {
        // at first in the field, then beside it: a click on the page takes the focus away
        if (count === Math.floor(MOST / 2) && !closes) await page.evaluate(() => /** @type {any} */ (document.activeElement).blur());
        pressed.push(KEYS[Math.floor(random() * KEYS.length)]);
        await page.keyboard.press(pressed[count]);
        if (page.url() !== address || written.length)
          assert.fail(`${name}, SEED=${SEED}: ${written.join(", ") || page.url()} after ${pressed.slice(-6).join(" ")}`);
      }
      await page.evaluate(() => sessionStorage.clear());
      if (page.url() !== address) assert.fail(`${name}: the page was left`);
      assert.equal(await page.locator("dialog[open]").count(), isOver ? 1 : 0, `${name}: no list of keys`);
    }
  },

  async "closes each form with Escape, but not with a text in it, and has the focus at its button again"({ browser, call, sha }, page) {
    const { data: issue } = await call("POST", "/projects/demo-group%2Fedgeforge/issues", { title: "With a comment" });
    await call("POST", `/projects/demo-group%2Fedgeforge/issues/${issue.iid}/notes`, { body: "One" });
    const closed = [];
    for (const [name, { at, open, isOver }] of Object.entries(FORMS)) {
      // a sign-in is opened by signing out, and what follows is for members
      if (isOver) continue;
      await browser.open(page, at?.replace("issues/6", `issues/${issue.iid}`) ?? `${PROJECT}/-/commit/${sha}`);
      await open(page);
      const cancel = page.locator("main form").getByRole("button", { name: "Cancel" });
      if (!(await cancel.count()) || /\/(new|edit)$/.test(at ?? "")) continue;
      await page.keyboard.press("Escape");
      await cancel.waitFor({ state: "detached" }).catch(() => assert.fail(`${name} stays open`));
      await page
        .waitForFunction(() => document.activeElement?.localName === "button")
        .catch(() => assert.fail(`${name}: the focus is lost`));
      closed.push(name);
    }
    assert.ok(closed.length >= 15, closed.join());
    await browser.open(page, `${PROJECT}/-/labels`);
    await button(page, "New label").click();
    await page.keyboard.type("half a");
    await page.keyboard.press("Escape");
    await page.locator(".toast").getByText("Not closed").waitFor();
    assert.equal(await field(page, "Name").inputValue(), "half a");
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Escape");
    await field(page, "Name").waitFor({ state: "detached" });
  },

  async "moves in a menu by arrows, where letters do nothing, and loses the focus by no act"({ browser, call, sha }, page) {
    const at = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    const isKept = () => page.waitForFunction(() => document.activeElement !== document.body);
    for (const name of ["aa-one", "aa-two"])
      await call("POST", "/projects/demo-group%2Fedgeforge/labels", { name, color: "#428bca" }, { expect: [201, 409] });
    await browser.open(page, `${PROJECT}/-/labels`);
    await button(page, "More for aa-one").click();
    await page.keyboard.press("c");
    await page.keyboard.press("Enter");
    assert.equal(await at(), "Keep");
    await page.keyboard.press("ArrowUp");
    assert.equal(await at(), "Delete");
    await page.keyboard.press("ArrowDown");
    assert.equal(await at(), "Keep");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await button(page, "More for aa-one").waitFor({ state: "detached" });
    await isKept();
    assert.match(await at(), /aa-two/, "what took its place");
    assert.match(page.url(), /labels$/);
    await call("DELETE", "/projects/demo-group%2Fedgeforge/labels/aa-two");
    await browser.open(page, `${PROJECT}/-/activity`);
    await button(page, "Earlier").focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll("main .row").length > 20);
    await isKept();
    await browser.open(page, `${PROJECT}/-/commit/${sha}`);
    const expand = page.locator(".expand").first();
    await expand.focus();
    const words = await expand.getAttribute("title");
    await page.keyboard.press("Enter");
    await page.waitForFunction((before) => document.querySelector(".expand")?.getAttribute("title") !== before, words);
    await isKept();
  },

  async "makes a label that is there, and reads so in the API's words"({ browser }, page) {
    page.noted.expected = new Set([409]);
    await browser.open(page, `${PROJECT}/-/labels`);
    await button(page, "New label").click();
    await page.keyboard.type("bug");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("Label already exists.").waitFor();
    assert.equal(await field(page, "Name").inputValue(), "bug");
    await button(page, "Cancel").click();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "New label", "the focus comes back");
  },

  async "goes on while a form is saved, and keeps the focus there"({ browser }, page) {
    await browser.open(page, `${PROJECT}/-/labels`);
    const menu = page
      .locator(".row")
      .last()
      .getByRole("button", { name: /^More for/ });
    await first(page, /^Edit/).click();
    await field(page, "Description").fill(`Said at ${Date.now()}`);
    let go;
    const waits = new Promise((done) => (go = done));
    await page.route(/\/labels\/\d+$/, async (route) => {
      if (route.request().method() === "PUT") await waits;
      await route.continue();
    });
    await button(page, "Save").click();
    await menu.click();
    const act = page.getByRole("button", { name: /^Delete/ });
    await act.waitFor();
    go();
    await field(page, "Description").waitFor({ state: "detached" });
    assert.ok(await act.evaluate((one) => one === document.activeElement), "the menu is open, and has the focus");
    await page.unrouteAll();
  },

  async "presses Enter before the suggestions are there, and nothing is sent"({ browser }, page) {
    const written = [];
    page.on("request", (request) => request.method() !== "GET" && written.push(request.url()));
    let go;
    const waits = new Promise((done) => (go = done));
    await page.route(/\/users\?/, (route) => waits.then(() => route.continue()));
    await browser.open(page, `${PROJECT}/-/project_members`);
    await button(page, "Add a member").click();
    await page.keyboard.type("ev");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(300);
    go();
    await page.getByRole("option", { name: /^eve/ }).waitFor();
    await page.keyboard.press("Enter");
    assert.equal(await field(page, "Username").inputValue(), "eve");
    assert.deepEqual(written, []);
    await button(page, "Cancel").click();
    await page.unrouteAll();
  },

  async "waits while the server cannot answer, with one box for all, and sees the page once it can"({ browser }, page) {
    page.noted.expected = new Set([503]);
    let refused = 0;
    await page.route(/\/api\/v4\//, (route) => {
      refused++;
      return route.fulfill({
        status: 503,
        headers: { "Retry-After": "2", "X-Request-Id": "f00d" },
        contentType: "application/json",
        body: '{"message":"503 Service Unavailable"}',
      });
    });
    await page.goto(`${browser.server}/`);
    const box = page.getByRole("alert");
    await box.getByText("The server cannot answer at the moment.").waitFor();
    await box.getByText("Request f00d").waitFor();
    assert.ok(refused > 1, `${refused} were refused`);
    assert.equal(await box.count(), 1);
    await page.unrouteAll();
    await page.locator("main .row-title").first().waitFor();
    await box.waitFor({ state: "detached" });
  },

  async "sees the head of a project before the rest is there"({ browser }, page) {
    let go;
    const waits = new Promise((done) => (go = done));
    await page.route(/\/api\/v4\//, (route) => waits.then(() => route.continue()));
    await page.goto(`${browser.server}${PROJECT}`);
    await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: "Issues" }).waitFor();
    go();
    await page.getByRole("heading", { level: 1, name: /edgeforge/ }).waitFor();
  },

  async "edits an issue, its labels and its assignee by a letter, and finds the letters in the list of keys"({ browser }, page) {
    await browser.open(page, `${ISSUES}/6`);
    await page.keyboard.press("l");
    await page.getByRole("combobox", { name: "Labels" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("a");
    await page.getByRole("combobox", { name: "Assignee" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("e");
    await page.waitForFunction(() => document.activeElement?.localName === "input");
    await page.keyboard.type("!");
    assert.match(await field(page, "Title").inputValue(), /!/, "the letter itself is not in the title");
    await button(page, "Cancel").click();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Edit");
    await button(page, "Keys").click();
    for (const words of ["Edit the issue", "Change its labels", "Change its assignee"])
      await page.getByRole("dialog", { name: "Keys" }).getByText(words).waitFor();
  },

  async "saves an edit, and takes it back for some seconds, in one line at the bottom"({ browser, call }, page) {
    const { data: issue } = await call("POST", "/projects/demo-group%2Fedgeforge/issues", { title: "As it was" });
    await browser.open(page, `${ISSUES}/${issue.iid}`);
    await page.keyboard.press("e");
    await field(page, "Title").fill("As it is");
    await page.keyboard.press("Enter");
    await page.locator(".toast").getByText("Saved.").waitFor();
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { level: 1, name: /As it was/ }).waitFor();
    await button(page, "Close issue").click();
    await page.locator(".toast").getByText("Closed.").waitFor();
    assert.equal(await page.locator(".toast p").count(), 1, "one at a time");
    await page.keyboard.press("Escape");
    await page.locator(".toast p").waitFor({ state: "detached" });
    await button(page, "Reopen issue").click();
    await page.locator(".toast").getByText("Reopened.").waitFor();
    await page.mouse.move(3, 3);
    await page.locator(".toast p").waitFor({ state: "detached" });
  },

  async "opens the menus of the head: what can be made here, and what belongs to their account"({ browser, people }, page) {
    await browser.open(page, "/todos");
    const makes = button(page, "New");
    await makes.click();
    assert.deepEqual(await page.locator(".head .menu a").allInnerTexts(), ["New project", "New group"]);
    await page.keyboard.press("Escape");
    assert.ok(await makes.evaluate((one) => one === document.activeElement), "the focus is at the button again");
    await browser.open(page, `${ISSUES}/6`);
    await makes.click();
    await page.getByRole("link", { name: "New issue in demo-group/edgeforge" }).click();
    await page.waitForURL(/\/-\/issues\/new$/);
    await page.locator(".head .menu a").first().waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Account of Ann/ }).click();
    assert.deepEqual(await page.locator(".head .menu a").allInnerTexts(), ["Your page", "Settings and tokens", "API"]);
    assert.deepEqual(await accessibility(page), []);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "My settings" }).waitFor();
    const other = await browser.page({ as: people.root, name: "menus" });
    await browser.open(other, "/");
    await other.getByRole("button", { name: /^Account of/ }).click();
    await other.getByRole("link", { name: "Administration" }).click();
    await other.getByRole("heading", { level: 1, name: "Server settings" }).waitFor();
    await other.tab.close();
  },

  async "adds an issue to a milestone, where those that are in it are not offered, and puts it back"({ browser, call }, page) {
    const title = `Later ${Date.now().toString(36)}`;
    const { data: issue } = await call("POST", "/projects/demo-group%2Fedgeforge/issues", { title });
    const milestone = async () => (await call("GET", `/projects/demo-group%2Fedgeforge/issues/${issue.iid}`)).data.milestone;
    await browser.open(page, `${PROJECT}/-/milestones/1`);
    await button(page, "Add issues").click();
    await page.keyboard.type(title);
    await page.getByRole("option", { name: title }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator("main .row", { hasText: title }).waitFor();
    assert.equal((await milestone()).iid, 1);
    await button(page, "Add issues").click();
    await page.keyboard.type(title);
    await page.locator(".picker").getByText("Nothing like this.").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await page.locator("main .row", { hasText: title }).waitFor({ state: "detached" });
    assert.equal(await milestone(), null);
  },

  async "comes for the first time: reads what the server is, where tokens come from, and how commits come into a project"(
    { browser, people, root },
    page,
  ) {
    await browser.open(page, "/");
    await page.getByText("This server has the issues, commits, builds and releases of projects").waitFor();
    await button(page, "Sign in").first().click();
    await page.getByText("Where do I get a token?").click();
    await page.getByText("An administrator makes one in Administration, Users").waitFor();
    await field(page, "Token").fill(people.root.token);
    await page.keyboard.press("Enter");
    const { data: project } = await root("POST", "/projects", { name: `empty-${Date.now().toString(36)}` });
    await browser.open(page, `/${project.path_with_namespace}`);
    await page.locator(".steps").getByRole("button", { name: "Copy the command" }).waitFor();
    await page.locator(".steps").getByRole("link", { name: "Settings, Access tokens" }).click();
    await button(page, "New token of a hook").waitFor();
    await root("DELETE", `/projects/${project.id}`);
  },
};

export const HANDED_BY = {
  "presses random keys while a form is open, which stay in it: nothing is sent, no page is left": "root",
  "closes each form with Escape, but not with a text in it, and has the focus at its button again": "root",
  "comes for the first time: reads what the server is, where tokens come from, and how commits come into a project": null,
};
