// How people find things, change several at once, and see what they did before the server has answered.
import assert from "node:assert/strict";
import { accessibility } from "./looks.mjs";

const PROJECT = "/demo-group/edgeforge";
const ISSUES = `${PROJECT}/-/issues`;
const api = "/projects/demo-group%2Fedgeforge";
const field = (page, name) => page.getByLabel(name, { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const row = (page, text) => page.locator("main .row", { hasText: text });
const unique = (name) => `${name}-${Date.now().toString(36)}`;

async function several(call, name, count) {
  const made = [];
  for (let at = 0; at < count; at++)
    made.push((await call("POST", `${api}/issues`, { title: `${name} ${at}`, labels: at ? "" : "bug" })).data.iid);
  return { seen: () => Promise.all(made.map(async (iid) => (await call("GET", `${api}/issues/${iid}`)).data)) };
}

export const FINDING = {
  async "opens a filter, which hides no other and moves nothing, and presses Enter before its suggestions are there"({ browser }, page) {
    const top = () =>
      page
        .locator("main .row")
        .first()
        .evaluate((row) => row.getBoundingClientRect().top);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await browser.open(page, `${PROJECT}/-/issues`);
      const before = await top();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `not wider than ${width}`);
      await button(page, "+ Milestone").click();
      await page.getByRole("option", { name: "Any" }).waitFor();
      assert.equal(await top(), before, `the list stays, ${width} wide`);
      assert.equal(await page.getByRole("button", { name: /^\+ / }).count(), 5);
      const { left, right } = await page.locator(".picker").evaluate((picker) => picker.getBoundingClientRect().toJSON());
      assert.ok(left >= 0 && right <= width, `${left} to ${right}`);
      await button(page, "+ Milestone").click();
      await page.locator(".picker").waitFor({ state: "detached" });
      assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ""), /Milestone/);
    }
    await page.route("**/labels?**", async (route) => {
      await new Promise((done) => setTimeout(done, 500));
      await route.continue();
    });
    await button(page, "+ Label").click();
    await page.keyboard.type("mirror");
    await page.keyboard.press("Enter");
    await page.waitForURL(/labels=mirror/);
  },

  async "chooses five issues, closes them at once and puts them back"({ browser, call }, page) {
    const name = unique("five");
    const issues = await several(call, name, 5);
    await browser.open(page, `${ISSUES}?search=${name}`);
    for (let at = 0; at < 5; at++) await field(page, `Choose ${name} ${at}`).check();
    await page.getByText("5 issues chosen").waitFor();
    await button(page, "Close").click();
    await page.getByText("Closed 5 issues.").waitFor();
    await page.getByText("No issue matches these filters.").waitFor();
    assert.ok((await issues.seen()).every(({ state }) => state === "closed"));
    await button(page, "Undo").click();
    await page.getByText("Put back 5 issues.").waitFor();
    await row(page, `${name} 4`).waitFor();
    assert.ok((await issues.seen()).every(({ state }) => state === "opened"));
  },

  async "assigns, labels and plans several issues with the keyboard, and takes it back"({ browser, call }, page) {
    const name = unique("three");
    const issues = await several(call, name, 3);
    await browser.open(page, `${ISSUES}?search=${name}`);
    for (let at = 0; at < 3; at++) await page.keyboard.press("j").then(() => page.keyboard.press("x"));
    await page.getByText("3 issues chosen").waitFor();
    const change = async (what, words, option) => {
      await button(page, what).click();
      await page.keyboard.type(words);
      await page.getByRole("option", { name: option }).waitFor();
      await page.keyboard.press("Enter");
    };
    await change("Assign", "bob", /Bob Developer/);
    await page.getByText("Changed 3 issues.").waitFor();
    assert.deepEqual(
      (await issues.seen()).map(({ assignee }) => assignee.username),
      ["bob", "bob", "bob"],
    );
    await button(page, "Undo").click();
    await page.getByText("Put back 3 issues.").waitFor();
    assert.deepEqual(
      (await issues.seen()).map(({ assignee }) => assignee),
      [null, null, null],
    );
    for (let at = 0; at < 3; at++) await field(page, `Choose ${name} ${at}`).check();
    await change("Add labels", "ci", /^ci$/);
    const list = await page.getByRole("listbox", { name: "Labels" }).boundingBox();
    const bar = await page.getByRole("region", { name: "Chosen issues" }).boundingBox();
    assert.ok(list.width <= 352 && list.y + list.height <= bar.y + 50 && list.y > 0, "the list is small and opens upward");
    await page.keyboard.press("Escape");
    await page.getByText("Labelled 3 issues.").waitFor();
    assert.deepEqual(
      (await issues.seen()).map(({ labels }) => labels.join()),
      ["bug,ci", "ci", "ci"],
    );
    await button(page, "Undo").click();
    await page.getByText("Put back 3 issues.").waitFor();
    assert.deepEqual(
      (await issues.seen()).map(({ labels }) => labels.join()),
      ["bug", "", ""],
    );
  },

  async "is a guest, who may not change issues of others that they choose"({ browser, call }, page) {
    const name = unique("others");
    await several(call, name, 1);
    await browser.open(page, `${ISSUES}?search=${name}`);
    await field(page, `Choose ${name} 0`).check();
    await page.getByText("Only its author, its assignee and reporters of the project can change this issue.").waitFor();
    for (const name of ["Close", "Assign", "Add labels"]) assert.ok(await button(page, name).isDisabled(), name);
  },

  async "finds lists compact, makes them roomy, here and after a reload, and compact again"({ browser }, page) {
    await browser.open(page, `${ISSUES}?state=all`);
    const height = () =>
      page
        .locator("main .row")
        .first()
        .evaluate((one) => one.getBoundingClientRect().height);
    const compact = await height();
    await button(page, "Compact").click();
    await browser.settled(page);
    await page.reload();
    await browser.settled(page);
    const roomy = await height();
    assert.ok(compact <= 34 && roomy >= 44 && roomy <= 52, `${compact} before, ${roomy} after`);
    await button(page, "Compact").click();
    await browser.settled(page);
    assert.ok((await height()) <= 34);
    await browser.open(page, `${PROJECT}/-/commits`);
    assert.equal(await page.locator("main .row").count(), 50);
    assert.ok((await height()) <= 34);
  },

  async "sees a change at once, and what it was when the server refuses"({ browser, call }, page) {
    page.noted.expected = new Set([500]);
    const { data } = await call("POST", `${api}/issues`, { title: unique("at once") });
    await browser.open(page, `${ISSUES}/${data.iid}`);
    let answer;
    const waits = new Promise((done) => (answer = done));
    await page.route(/\/issues\/\d+$/, async (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      return (await waits) ? route.continue() : route.fulfill({ status: 500, body: "{}" });
    });
    await button(page, "Change assignee").click();
    await page.keyboard.type("bob");
    await page.getByRole("option", { name: /Bob Developer/ }).click();
    await page.locator("aside").getByText("Bob Developer").waitFor();
    await button(page, "Close issue").click();
    await page.locator(".byline").getByText("Closed", { exact: true }).waitFor();
    answer(false);
    await page.getByText("The server failed").first().waitFor();
    await page.locator("aside").getByText("nobody", { exact: true }).waitFor();
    await page.locator(".byline").getByText("Open", { exact: true }).waitFor();
    await page.unrouteAll();
    await button(page, "Close issue").click();
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Put back.").waitFor();
    assert.equal((await call("GET", `${api}/issues/${data.iid}`)).data.state, "opened");
  },

  async "names filters, sends the address to another person, and forgets the name"({ browser, people }, page) {
    await browser.open(page, `${ISSUES}?labels=bug`);
    const views = button(page, "Views");
    await views.click();
    await field(page, "Name of these filters").fill("Bugs of ours");
    assert.deepEqual(await accessibility(page), []);
    await page.keyboard.press("Enter");
    await page.waitForURL(/labels=bug&view=Bugs\+of\+ours$/);
    await page.getByRole("heading", { level: 1, name: "Issues Bugs of ours" }).waitFor();
    // anyone who opens the address reads the name, and may keep it, too
    const other = await browser.page({ as: people.bob, name: "views" });
    await browser.open(other, page.url());
    await other.getByRole("heading", { level: 1, name: "Issues Bugs of ours" }).waitFor();
    for (const one of await other.locator("main .rows > .row").all()) assert.match(await one.innerText(), /bug/);
    await button(other, "Views").click();
    assert.equal(await other.getByLabel("Name of these filters").inputValue(), "Bugs of ours");
    assert.equal(await other.getByRole("link", { name: "Bugs of ours" }).count(), 0);
    await other.tab.close();
    await page
      .getByRole("navigation", { name: "State" })
      .getByRole("link", { name: /^Closed/ })
      .click();
    await page.waitForURL(/state=closed/);
    assert.doesNotMatch(page.url(), /view=/, "with other filters it is no longer that view");
    await browser.open(page, ISSUES);
    await views.click();
    await page.getByRole("link", { name: "Bugs of ours" }).click();
    await page.waitForURL(/view=Bugs/);
    await views.click();
    await page.getByRole("link", { name: "Yours" }).click();
    await page.waitForURL(/assignee=ann&view=Yours$/);
    await views.click();
    await button(page, "Forget Bugs of ours").click();
    await page.getByRole("link", { name: "Bugs of ours" }).waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("views")).length), 0);
  },

  async "chooses all issues of a page at once, and none, and reads number, age and face in columns"({ browser }, page) {
    await browser.open(page, `${ISSUES}?state=all`);
    const boxes = page.locator("main .row .choose");
    const count = await boxes.count();
    await field(page, "Choose all").check();
    await page.getByText(`${count} issues chosen`).waitFor();
    await boxes.first().uncheck();
    await page.getByText(`${count - 1} issues chosen`).waitFor();
    assert.ok(await field(page, "Choose all").evaluate((box) => /** @type {any} */ (box).indeterminate));
    await field(page, "Choose all").check();
    await field(page, "Choose all").uncheck();
    await page.locator(".bulk").waitFor({ state: "detached" });
    for (const column of [".number", ".ago", ".who"]) {
      const places = await page
        .locator(`main .row ${column}`)
        .evaluateAll(
          (all, isFirst) => [...new Set(all.map((one) => Math.round(one.getBoundingClientRect()[isFirst ? "left" : "right"])))],
          column === ".number",
        );
      assert.equal(places.length, 1, `${column} at ${places}`);
    }
    assert.match(await page.locator("main .row .row-main").first().innerText(), /^#\d+/);
  },

  async "is told that a branch does not exist, and chooses a tag"({ browser }, page) {
    page.noted.expected = new Set([404]);
    await browser.open(page, `${PROJECT}/-/commits/nope`);
    await page.getByRole("heading", { level: 1, name: "No such branch, tag or commit" }).waitFor();
    await page.route(/\/repository\/tags\?/, (route) =>
      route.fulfill({ status: 200, contentType: "application/json", body: JSON.stringify([{ name: "v1.0" }]) }),
    );
    await browser.open(page, `${PROJECT}/-/commits`);
    await browser.touch(page);
    await page.getByLabel("Branch or tag").selectOption("v1.0");
    await page.waitForURL(/\/-\/commits\/v1\.0$/);
  },

  async "sees at home which builds failed, and in the project which job"({ browser, call, sha }, page) {
    await call("POST", `${api}/statuses/${sha}`, { state: "failed", name: "ci/flow", ref: "a-flow" });
    await browser.open(page, "/");
    const failed = page.locator("section", { has: page.locator("#failed") });
    await failed.locator(".row", { hasText: "a-flow" }).getByText("failed").waitFor();
    await failed.locator(".row", { hasText: "a-flow" }).locator(".row-title").click();
    await page.getByText("ci/flow").waitFor();
    await browser.open(page, `${PROJECT}/-/pipelines`);
    await page.getByRole("navigation", { name: "State" }).getByRole("link", { name: "Failed" }).click();
    await page.waitForURL(/status=failed/);
    await row(page, "a-flow").first().getByRole("link", { name: "a-flow" }).click();
    await page.waitForURL(/ref=a-flow/);
    await browser.settled(page);
    for (const one of await page.locator("main .row").all()) assert.match(await one.innerText(), /failed/);
    const {
      data: [tip],
    } = await call("GET", `${api}/repository/commits?per_page=1`);
    await call("POST", `${api}/statuses/${tip.id}`, { state: "failed", name: "ci/one-of-many" });
    await browser.open(page, PROJECT);
    await page.locator(".jobs > span", { hasText: "ci/one-of-many" }).getByText("failed").waitFor();
    assert.match(await page.locator(".jobs > span").first().innerText(), /failed/, "first");
    await call("POST", `${api}/statuses/${sha}`, { state: "success", name: "ci/flow", ref: "a-flow" });
  },

  async "sees the red sign where the last deployment failed"({ browser, call, sha }, page) {
    const name = unique("env");
    const {
      data: { default_branch: ref },
    } = await call("GET", api);
    for (const status of ["success", "failed"])
      await call("POST", `${api}/deployments`, { environment: name, sha, ref, tag: false, status });
    await browser.open(page, `${PROJECT}/-/environments`);
    await row(page, name).locator(".build-failed").waitFor();
    await row(page, name).getByText("Ann Owner").waitFor();
    await browser.open(page, PROJECT);
    await row(page, name).locator(".build-failed").waitFor();
  },

  async "makes a token of the project, replaces and revokes it, and one of the hook"({ browser }, page) {
    const name = unique("machine");
    await browser.open(page, `${PROJECT}/-/settings`);
    await page.getByRole("link", { name: "Access tokens" }).click();
    await button(page, "New token").click();
    await field(page, "Name").fill(name);
    await field(page, "Role").selectOption("Reporter");
    const uses = page.getByRole("group", { name: "What it is for" }).getByRole("radio");
    assert.deepEqual(await uses.evaluateAll((all) => all.map((one) => /** @type {any} */ (one).checked)), [
      false,
      false,
      false,
      false,
      false,
    ]);
    await button(page, "Create token").click();
    assert.ok(await uses.first().evaluate((one) => one.matches(":invalid")), "nothing is made before a use is chosen");
    await page.getByLabel("Only read").check();
    await button(page, "Create token").click();
    const secret = page.locator(".notice code");
    const first = await secret.innerText();
    const works = async (token) => (await fetch(`${browser.server}/api/v4${api}`, { headers: { "PRIVATE-TOKEN": token } })).status;
    assert.equal(await works(first), 200);
    await row(page, name).getByText("Reporter").waitFor();
    await row(page, name).getByText("read_api", { exact: true }).waitFor();
    await row(page, name)
      .getByText(/never used|last used/)
      .waitFor();
    await button(page, "I have copied it").click();
    await button(page, `Replace ${name}`).click();
    await page.getByRole("group").getByRole("button", { name: "Replace" }).click();
    await page.waitForFunction(
      (was) => ![was, undefined].includes(/** @type {any} */ (document.querySelector(".notice code"))?.innerText),
      first,
    );
    assert.deepEqual([await works(first), await works(await secret.innerText())], [401, 200]);
    await button(page, `More for ${name}`).click();
    await button(page, `Revoke ${name}`).click();
    await page.getByRole("group").getByRole("button", { name: "Revoke" }).click();
    await row(page, name).waitFor({ state: "detached" });
    await button(page, "New token of a hook").click();
    await field(page, "Name").fill(`${name}-hook`);
    await button(page, "Create token").click();
    await row(page, `${name}-hook`).getByText("does not end").waitFor();
    await button(page, `More for ${name}-hook`).click();
    await button(page, `Revoke ${name}-hook`).click();
    await page.getByRole("group").getByRole("button", { name: "Revoke" }).click();
    await row(page, `${name}-hook`).waitFor({ state: "detached" });
  },

  async "saves a milestone and a comment that somebody else changed meanwhile, after both texts were shown"({ browser, call, root }, page) {
    const title = unique("Both");
    const { data: milestone } = await call("POST", `${api}/milestones`, { title, description: "first" });
    await browser.open(page, `${PROJECT}/-/milestones/${milestone.iid}`);
    await button(page, `Edit ${title}`).click();
    await field(page, "Description").fill("mine");
    await root("PUT", `${api}/milestones/${milestone.id}`, { description: "theirs", due_date: "2027-05-06" });
    await button(page, "Save").click();
    await page.getByText("Somebody else changed this while you wrote").waitFor();
    assert.equal(await page.locator(".problem pre").innerText(), "theirs");
    assert.equal(await field(page, "Description").inputValue(), "mine");
    await button(page, "Save").click();
    await page.locator("form.form").waitFor({ state: "detached" });
    const { data: saved } = await call("GET", `${api}/milestones/${milestone.id}`);
    assert.deepEqual([saved.description, saved.due_date], ["mine", "2027-05-06"], "only what was changed is sent");
    await call("DELETE", `${api}/milestones/${milestone.id}`);

    const { data: issue } = await call("POST", `${api}/issues`, { title });
    const { data: note } = await call("POST", `${api}/issues/${issue.iid}/notes`, { body: "first" });
    await browser.open(page, `${ISSUES}/${issue.iid}`);
    await button(page, "Edit this comment").click();
    await page.locator(".note textarea").fill("mine");
    await root("PUT", `${api}/issues/${issue.iid}/notes/${note.id}`, { body: "theirs" });
    await button(page, "Save").click();
    await page.locator(".problem pre", { hasText: "theirs" }).waitFor();
    await button(page, "Use the saved comment").click();
    assert.equal(await page.locator(".note textarea").inputValue(), "theirs");
  },

  async "finds their group's projects under their name"({ browser }, page) {
    await browser.open(page, "/ann");
    const projects = page.getByRole("region", { name: "Your projects" });
    const title = projects.locator(".row", { hasText: "edgeforge" }).locator(".row-title");
    assert.ok(await title.evaluate((one) => one.getBoundingClientRect().width > 60), "its name has room in the narrow column");
  },
};

export const FOUND_BY = { "is a guest, who may not change issues of others that they choose": "gus" };
