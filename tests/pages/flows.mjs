// What people do with the pages, clicked through.
import assert from "node:assert/strict";
import { account } from "./browser.mjs";

const ISSUES = "/demo-group/edgeforge/-/issues";
const field = (page, name) => page.getByLabel(name, { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const heading = (page, name) => page.getByRole("heading", { level: 1, name });

/** By name: what is done. Each gets `{ browser, people, call, sha }` and a page of its own. */
const drafts = (page) => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("draft ")));

export const FLOWS = {
  async "reads what is public, signs in, is remembered, signs out"({ browser, people }, page) {
    page.noted.expected = new Set([401]);
    await browser.open(page, "/");
    await page.getByText("edgeforge", { exact: false }).first().waitFor();
    assert.equal(await page.getByText("secret").count(), 0, "a private project is hidden");
    await button(page, "Sign in").first().click();
    await field(page, "Token").fill("no such token at all");
    await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The server does not accept this token").waitFor();
    await field(page, "Token").fill(people.ann.token);
    await page.getByLabel("Remember me").check();
    await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Ann Owner").waitFor();
    await page.getByText("secret").first().waitFor();
    await page.reload();
    await page.getByText("Ann Owner").waitFor();
    for (const { name, expires } of await page.tab.cookies()) assert.ok(expires > Date.now() / 1000 + 86_400, `${name} is remembered`);
    await account(page, "Sign out");
    await button(page, "Sign in").first().waitFor();
    assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0, "nothing is left");
  },

  async "follows links from the projects to an issue and back, with the keyboard"({ browser }, page) {
    await browser.open(page, "/");
    await page
      .getByRole("link", { name: /edgeforge$/ })
      .and(page.locator(".row-title"))
      .first()
      .focus();
    await page.keyboard.press("Enter");
    await heading(page, /edgeforge/).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.localName), "h1", "the heading has the focus");
    await page.getByRole("link", { name: "All issues" }).focus();
    await page.keyboard.press("Enter");
    await heading(page, "Issues").waitFor();
    await page.locator(".row-title").first().focus();
    await page.keyboard.press("Enter");
    await page.locator(".issue h1").waitFor();
    await page.goBack();
    await heading(page, "Issues").waitFor();
  },

  async "filters issues by state, label, person and words, all in the address"({ browser }, page) {
    await browser.open(page, ISSUES);
    await button(page, "+ Label").click();
    await page.keyboard.type("bug");
    await page.getByRole("option", { name: "bug" }).click();
    await page.waitForURL(/labels=bug/);
    await browser.settled(page);
    for (const row of await page.locator("main .rows > .row").all()) assert.match(await row.innerText(), /bug/);
    const all = page.getByRole("navigation", { name: "State" }).getByRole("link", { name: /^All/ });
    const count = Number(await all.locator(".count").innerText());
    await all.click();
    await page.waitForURL(/state=all/);
    await browser.settled(page);
    assert.match(page.url(), /labels=bug/);
    assert.equal(await page.locator("main .row-title").count(), count, "the tab has the number");
    await page.getByRole("link", { name: "Remove the filter Label bug" }).click();
    await page.waitForFunction(() => !location.search.includes("labels"));
    await button(page, "+ Author").click();
    await page.getByRole("option", { name: /Bob Developer/ }).click();
    await page.waitForURL(/author=bob/);
    await browser.settled(page);
    for (const row of await page.locator("main .row-text").all()) assert.match(await row.innerText(), /Bob/);
    await page.getByLabel("Order").selectOption("Oldest");
    await page.waitForURL(/sort=created_at\+asc/);
    await page.getByRole("link", { name: "Clear the filters" }).click();
    await page.waitForFunction(() => !location.search.includes("author"));
    await page.getByRole("searchbox", { name: "Search" }).fill("emoji");
    await page.keyboard.press("Enter");
    await page.waitForURL(/search=emoji/);
    await browser.settled(page);
    assert.equal(await page.locator("main .row-title").count(), 1);
    await page.reload();
    await browser.settled(page);
    assert.equal(await page.getByRole("searchbox", { name: "Search" }).inputValue(), "emoji");
    await browser.open(page, `${ISSUES}?author=bob&state=all&sort=updated_at+asc`);
    for (const row of await page.locator("main .row-text").all()) assert.match(await row.innerText(), /Bob/);
  },

  async "writes an issue, edits, closes, reopens, subscribes and notes it"({ browser }, page) {
    await browser.open(page, `${ISSUES}/new`);
    await field(page, "Title").fill("A flow of its own");
    await field(page, "Description").fill("With **Markdown**, #1, @bob and\n\n- [x] a task\n- [ ] another");
    await button(page, "Preview").click();
    await page.locator(".preview strong", { hasText: "Markdown" }).waitFor();
    await button(page, "Preview").click();
    await button(page, "Change labels").click();
    for (const [words, option] of [
      ["bu", /^bug$/],
      ["flow", /flow/],
    ]) {
      await page.keyboard.type(words);
      await page.getByRole("option", { name: option }).waitFor();
      await page.keyboard.press("Enter");
    }
    await page.keyboard.press("Escape");
    assert.deepEqual(await page.locator("aside .label").allInnerTexts(), ["bug", "flow"], "Enter chose, and sent nothing");
    await button(page, "Change assignee").click();
    await page.keyboard.type("bob");
    await page.getByRole("option", { name: /Bob Developer/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.reload();
    await browser.settled(page);
    assert.deepEqual(await page.locator("aside .label").allInnerTexts(), ["bug", "flow"], "what was chosen is in the draft");
    await field(page, "Due").fill("2027-01-31");
    await button(page, "Create issue").click();
    await heading(page, /A flow of its own/).waitFor();
    await page.locator("aside").getByText("Bob Developer").waitFor();
    assert.match(await page.locator(".markdown a", { hasText: "#1" }).getAttribute("href"), /\/-\/issues\/1$/);
    await button(page, "Edit").click();
    await field(page, "Title").fill("A flow, edited");
    await button(page, "Save").click();
    await heading(page, /A flow, edited/).waitFor();
    await button(page, "Change assignee").click();
    await page.getByRole("option", { name: "Nobody" }).click();
    await page.locator("aside").getByText("nobody", { exact: true }).waitFor();
    await button(page, "Close issue").click();
    await page.locator(".byline").getByText("Closed", { exact: true }).waitFor();
    await button(page, "Reopen issue").click();
    await page.locator(".byline").getByText("Open", { exact: true }).waitFor();
    await button(page, "Unsubscribe").click();
    await button(page, "Subscribe").click();
    await button(page, "Unsubscribe").waitFor();
    await button(page, "Add to-do").click();
    await page.getByText("Added to your to-do list.").waitFor();
  },

  async "comments, edits and deletes the comment"({ browser }, page) {
    await browser.open(page, `${ISSUES}/6`);
    await field(page, "Comment").fill("Said by **hand**.");
    await button(page, "Comment").click();
    const said = page.locator(".note", { hasText: "Said by hand." });
    await said.waitFor();
    assert.equal(await field(page, "Comment").inputValue(), "");
    await said.getByRole("button", { name: "Edit this comment" }).click();
    await page.locator(".note textarea").fill("Said again.");
    await button(page, "Save").click();
    const note = page.locator(".note", { hasText: "Said again." });
    await note.getByRole("button", { name: "Delete this comment" }).click();
    await note.getByRole("group").getByRole("button", { name: "Delete" }).click();
    await page.waitForFunction(() => !document.body.innerText.includes("Said again."));
  },

  async "moves an issue to another project"({ browser, call }, page) {
    const { data } = await call("POST", "/projects/demo-group%2Fedgeforge/issues", { title: "In the wrong place" });
    await browser.open(page, `${ISSUES}/${data.iid}`);
    await page.getByRole("button", { name: /^More for #/ }).click();
    await button(page, "Move").click();
    await page.getByRole("combobox", { name: "To the project" }).selectOption({ label: "demo-group/secret" });
    await page.getByRole("heading", { name: "Move this issue" }).locator("..").getByRole("button", { name: "Move" }).click();
    await page.waitForURL(/demo-group\/secret\/-\/issues\/\d+$/);
    await heading(page, /In the wrong place/).waitFor();
  },

  async "loses nothing when a comment cannot be sent, or the token has ended"({ browser, call, people }, page) {
    page.noted.expected = new Set([401, 500]);
    const words = `Half written at ${Date.now()}`;
    await browser.open(page, `${ISSUES}/7`);
    await field(page, "Comment").fill(words);
    await page.reload();
    await browser.settled(page);
    assert.equal(await field(page, "Comment").inputValue(), words, "kept over a reload");
    // the post reaches the server, its answer is lost
    let tries = 0;
    await page.route("**/notes", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      tries++;
      if (tries > 1) return route.continue();
      await route.fetch();
      return route.fulfill({ status: 500, body: "{}" });
    });
    await button(page, "Comment").click();
    await page.getByText("The server failed").waitFor();
    assert.equal(await field(page, "Comment").inputValue(), words, "kept after a failure");
    await button(page, "Comment").click();
    await page.locator(".note", { hasText: words }).first().waitFor();
    const { data: notes } = await call("GET", "/projects/demo-group%2Fedgeforge/issues/7/notes");
    assert.equal(notes.filter((note) => note.body === words).length, 1, "sent twice, made once");
    await page.unroute("**/notes");

    const { data: brief } = await call("POST", `/users/${people.ann.user.id}/personal_access_tokens`, { name: "brief", scopes: ["api"] });
    await account(page, "Sign out");
    await button(page, "Sign in").first().click();
    await field(page, "Token").fill(brief.token);
    await page.keyboard.press("Enter");
    await page.getByText("Ann Owner").first().waitFor();
    await browser.settled(page);
    // else the count of to-do items finds out first, when the mouse comes to the button
    await browser.touch(page);
    const last = `Written while the token ended at ${Date.now()}`;
    await field(page, "Comment").fill(last);
    await call("DELETE", `/personal_access_tokens/${brief.id}`);
    await button(page, "Comment").click();
    await page.getByText("You are signed out because your session").waitFor();
    assert.equal(await field(page, "Comment").inputValue(), last);
    assert.deepEqual(await drafts(page), [], "no draft outlives the session");
    await button(page, "Sign in again").first().click();
    await field(page, "Token").fill(people.ann.token);
    await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
    await page.waitForFunction(() => !document.body.innerText.includes("You are signed out because your session"));
    assert.equal(await field(page, "Comment").inputValue(), last);
    await button(page, "Comment").click();
    await page.locator(".note", { hasText: last }).waitFor();
  },

  async "finds no text that another person was writing in the same tab"({ browser, call, people }, page) {
    page.noted.expected = new Set([401]);
    const signIn = async (name, token) => {
      await button(page, name).first().click();
      await field(page, "Token").fill(token);
      await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
      // it closes when the session has begun
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    };
    const { data: brief } = await call("POST", `/users/${people.ann.user.id}/personal_access_tokens`, { name: "brief", scopes: ["api"] });
    await browser.open(page, "/demo-group/edgeforge/-/issues/7");
    await signIn("Sign in", brief.token);
    await field(page, "Comment").fill("Between us");
    assert.deepEqual(await drafts(page).then((keys) => keys.map((key) => key.split(" ")[1])), [String(people.ann.user.id)]);
    await call("DELETE", `/personal_access_tokens/${brief.id}`);
    await button(page, "Comment").click();
    await page.getByText("You are signed out because your session").waitFor();
    assert.equal(await field(page, "Comment").inputValue(), "Between us");
    await signIn("Sign in again", people.bob.token);
    await page.getByText("Bob Developer").first().waitFor();
    assert.equal(await field(page, "Comment").inputValue(), "", "after a token that ended");
    await field(page, "Comment").fill("By Bob");
    await account(page, "Sign out");
    await button(page, "Sign in").first().waitFor();
    assert.deepEqual(await drafts(page), [], "after signing out");
    await signIn("Sign in", people.ann.token);
    await page.getByText("Ann Owner").first().waitFor();
    assert.equal(await field(page, "Comment").inputValue(), "");
  },

  async "reads a commit in line and side by side, and comments at a line"({ browser, sha }, page) {
    await browser.open(page, `/demo-group/edgeforge/-/commit/${sha}`);
    await button(page, "In line").click();
    assert.equal(await page.locator(".diff.sided").count(), 0);
    await button(page, "Side by side").click();
    await page.locator(".diff.sided").first().waitFor();
    const line = page.locator("button.at").first();
    await line.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator(".said textarea").fill("Why this line?");
    await page.locator(".said").getByRole("button", { name: "Comment", exact: true }).click();
    await page.locator(".said .note", { hasText: "Why this line?" }).waitFor();
    await page.reload();
    await browser.settled(page);
    await page.locator(".said .note", { hasText: "Why this line?" }).waitFor();
    await page.getByText("ci/build").first().waitFor();
    const said = page.locator(".said", { hasText: "Why this line?" });
    await said.getByRole("button", { name: /^Answer/ }).click();
    await page.keyboard.type("Because of the next one.");
    await said.getByRole("button", { name: "Comment", exact: true }).click();
    await said.locator(".note", { hasText: "Because of the next one." }).waitFor();
  },

  async "goes from branch to branch and page to page of commits"({ browser }, page) {
    await browser.open(page, "/demo-group/edgeforge/-/commits");
    const first = await page.locator(".row-title").first().innerText();
    await page.getByRole("link", { name: "Next page", exact: true }).click();
    await page.waitForFunction(
      (was) => /** @type {any} */ (document.querySelector(".row-title"))?.innerText !== was && !document.querySelector(".loading"),
      first,
    );
    await page.getByRole("link", { name: "First page", exact: true }).click();
    await page.waitForFunction((was) => /** @type {any} */ (document.querySelector(".row-title"))?.innerText === was, first);
  },

  async "does what is to do"({ browser, root, people }, page) {
    await root(
      "POST",
      "/projects/demo-group%2Fedgeforge/issues",
      { title: "For Ann", assignee_ids: [people.ann.user.id] },
      { sudo: people.bob.user.id },
    );
    await browser.open(page, "/todos");
    const row = page.locator(".row", { hasText: "For Ann" });
    await row.getByRole("button", { name: /^Done/ }).click();
    await row.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Done", exact: true }).click();
    await page.locator(".row", { hasText: "For Ann" }).waitFor();
  },

  async "changes a setting, and another is refused in words"({ browser, people }, page) {
    page.noted.expected = new Set([400]);
    await page.evaluate(() => 0);
    await browser.open(page, "/admin");
    await field(page, "Default projects limit").fill(String(11 + (Date.now() % 1000)));
    await button(page, "Save 1 change").click();
    await page.getByText("Saved.").waitFor();
    await page.getByLabel("Home page address").fill("javascript:alert(1)");
    await button(page, "Save 1 change").click();
    await page
      .getByRole("alert")
      .getByText(/home page/i)
      .waitFor();
    assert.equal(people.root.user.is_admin, true);
  },

  async "says so where nothing is, or nothing that one may see"({ browser }, page) {
    page.noted.expected = new Set([404]);
    for (const path of [
      "/demo-group/none",
      "/nobody-here",
      `${ISSUES}/9999`,
      "/demo-group/edgeforge/-/commit/0000000000000000000000000000000000000000",
    ]) {
      assert.equal((await browser.open(page, path)).status, 200);
      await heading(page, /^No such/).waitFor();
    }
    for (const path of ["/a/b/c/d", "/a/b/-/wikis", "/%00", "/groups"]) {
      assert.equal((await browser.open(page, path)).status, 404, path);
      await heading(page, "Page not found").waitFor();
    }
  },
};

/** Who does it, where it is not Ann. */
export const DONE_BY = {
  "reads what is public, signs in, is remembered, signs out": null,
  "finds no text that another person was writing in the same tab": null,
  "changes a setting, and another is refused in words": "root",
  "says so where nothing is, or nothing that one may see": "eve",
};
