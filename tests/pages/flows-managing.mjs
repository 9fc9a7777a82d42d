// How people make and change what issues, projects and users need.
import assert from "node:assert/strict";

const PROJECT = "/demo-group/edgeforge";
const field = (page, name) => page.getByLabel(name, { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const row = (page, text) => page.locator("main .row", { hasText: text });
/** What is seldom wanted is in a menu. */
const fromMenu = async (page, of, name) => {
  await button(page, `More for ${of}`).click();
  await button(page, name).click();
};
const unique = (name) => `${name}-${Date.now().toString(36)}`;

export const MANAGING = {
  async "makes a label, changes and deletes it"({ browser }, page) {
    const name = unique("flow");
    await browser.open(page, `${PROJECT}/-/labels`);
    await button(page, "New label").click();
    await field(page, "Name").fill(name);
    await field(page, "Colour").fill("#ff8800");
    await field(page, "Description").fill("Made by hand");
    await page.reload();
    await browser.settled(page);
    await button(page, "New label").click();
    assert.equal(await field(page, "Name").inputValue(), name, "a draft is kept");
    await button(page, "Create label").click();
    await row(page, name).getByText("Made by hand").waitFor();
    assert.equal(
      await row(page, name)
        .locator(".dot")
        .evaluate((dot) => dot.style.backgroundColor),
      "rgb(255, 136, 0)",
    );
    await row(page, name)
      .getByRole("button", { name: `Edit ${name}` })
      .click();
    await field(page, "Name").fill(`${name}-two`);
    await button(page, "Save").click();
    await fromMenu(page, `${name}-two`, `Delete ${name}-two`);
    await button(page, "Keep").click();
    await button(page, `Delete ${name}-two`).click();
    await page
      .getByRole("group", { name: `Delete ${name}-two?` })
      .getByRole("button", { name: "Delete" })
      .click();
    await row(page, `${name}-two`).waitFor({ state: "detached" });
  },

  async "trusts a CI, and finds the step to copy again after a reload"({ browser }, page) {
    const name = unique("ci");
    const tokens = `${PROJECT}/-/settings/access_tokens`;
    await browser.open(page, tokens);
    await button(page, "Trust a CI").click();
    await field(page, "Name").fill(name);
    await field(page, "Branch").fill("main");
    await field(page, "Id of the repository").fill("octo/x");
    await button(page, "Trust it").click();
    assert.equal(await page.locator("input:invalid").count(), 1, "the id is a number");
    await field(page, "Id of the repository").fill("74");
    await button(page, "Trust it").click();
    await page.getByRole("status").locator("pre").last().waitFor();
    const made = await page.getByRole("status").locator("pre").allTextContents();
    assert.match(made[1], /github\.ref == 'refs\/heads\/main'/);
    await browser.open(page, tokens);
    await row(page, name).getByText("The step to copy").click();
    assert.deepEqual(await row(page, name).locator("pre").allTextContents(), made);
    await fromMenu(page, name, `Revoke ${name}`);
    await page
      .getByRole("group", { name: `Revoke ${name}?` })
      .getByRole("button", { name: "Revoke" })
      .click();
    await row(page, name).waitFor({ state: "detached" });
  },

  async "is a guest, who sees labels and members and reads who may change them"({ browser }, page) {
    await browser.open(page, `${PROJECT}/-/labels`);
    await page.getByText("Only reporters of the project can make changes here.").waitFor();
    await browser.open(page, `${PROJECT}/-/settings`);
    await page.getByText("Only maintainers of the project can make changes here.").waitFor();
    await browser.open(page, `${PROJECT}/-/project_members`);
    await page.getByText("Only maintainers of the project can make changes here.").waitFor();
    assert.equal(await page.locator("main").getByRole("combobox").count(), 0);
    await button(page, "More for Gus Guest").click();
    assert.equal(await button(page, "Leave the project").count(), 1);
  },

  async "opens and leaves a menu with the keyboard, and with a click elsewhere"({ browser }, page) {
    await browser.open(page, `${PROJECT}/-/labels`);
    const more = button(page, "More for bug");
    await more.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /^Delete/.test(/** @type {any} */ (document.activeElement).innerText));
    assert.equal(await more.getAttribute("aria-expanded"), "true");
    for (const key of ["Enter", "Enter"]) await page.keyboard.press(key);
    await page.waitForFunction(() => /^Delete/.test(/** @type {any} */ (document.activeElement).innerText));
    await page.keyboard.press("Escape");
    await button(page, "Delete bug").waitFor({ state: "detached" });
    await row(page, "bug").first().waitFor();
    assert.ok(await more.evaluate((one) => one === document.activeElement), "the focus is where it was");
    await more.click();
    await page.getByRole("heading", { level: 1 }).click();
    await button(page, "Delete bug").waitFor({ state: "detached" });
    await more.click();
    await button(page, "Delete bug").focus();
    await page.keyboard.press("Tab");
    await button(page, "Delete bug").waitFor({ state: "detached" });
  },

  async "makes a group with two members, changes a role, renames and deletes it"({ browser }, page) {
    const name = unique("team");
    await browser.open(page, "/ann");
    await page.getByRole("link", { name: "New group" }).click();
    await field(page, "Name").fill(`The ${name}`);
    await field(page, "Path").fill(name);
    await field(page, "Who can see it").selectOption("public");
    await button(page, "Create group").click();
    await page.waitForURL(`${browser.server}/groups/${name}`);
    for (const [username, role] of [
      ["bob", "Developer"],
      ["rae", "Reporter"],
    ]) {
      await button(page, "Add a member").click();
      await field(page, "Username").fill(username);
      await field(page, "Role").selectOption(role);
      await button(page, "Add member").click();
      await row(page, `@${username}`).waitFor();
    }
    await field(page, "Role of Bob Developer").selectOption("Maintainer");
    await browser.settled(page);
    await page.reload();
    await browser.settled(page);
    assert.equal(await field(page, "Role of Bob Developer").inputValue(), "40", "kept");
    assert.equal(await page.locator("main .row").count(), 3);
    await fromMenu(page, "Rae Reporter", "Remove Rae Reporter");
    await page.getByRole("group").getByRole("button", { name: "Remove" }).click();
    await row(page, "@rae").waitFor({ state: "detached" });
    await button(page, "Edit").click();
    await field(page, "Name").fill(`Our ${name}`);
    await button(page, "Save").click();
    await page.getByRole("heading", { level: 1, name: `Our ${name}` }).waitFor();
    await page.getByRole("link", { name: "New project" }).click();
    await page.getByRole("heading", { level: 1, name: "New project" }).waitFor();
    await browser.settled(page);
    assert.equal(await field(page, "Belongs to").locator("option:checked").innerText(), `${name} (group)`);
    await browser.open(page, `/groups/${name}`);
    await fromMenu(page, `Our ${name}`, `Delete Our ${name}`);
    await page.getByRole("group").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(`${browser.server}/`);
  },

  async "is a guest, who sees the members of a group and no button to change them"({ browser }, page) {
    await browser.open(page, "/groups/demo-group");
    await row(page, "@ann").getByText("Owner", { exact: true }).waitFor();
    for (const name of ["Edit", "Add a member", "More for Demo group"]) assert.equal(await button(page, name).count(), 0, name);
    assert.equal(await page.getByRole("link", { name: "New project" }).count(), 0);
  },

  async "reads what happened in a project, and what a user did"({ browser, call }, page) {
    const title = unique("Happened");
    const { data: issue } = await call("POST", "/projects/demo-group%2Fedgeforge/issues", { title });
    await call("POST", `/projects/demo-group%2Fedgeforge/issues/${issue.iid}/notes`, { body: "Said in it" });
    await browser.open(page, PROJECT);
    await page.getByRole("link", { name: "Activity", exact: true }).click();
    await row(page, "Said in it").first().getByRole("link", { name: title }).click();
    await page.waitForURL(new RegExp(`/-/issues/${issue.iid}#note_\\d+$`));
    await browser.open(page, "/ann");
    await row(page, "Said in it").first().getByRole("link", { name: "demo-group/edgeforge" }).click();
    await page.waitForURL(`${browser.server}${PROJECT}`);
  },

  async "makes a milestone, changes its date, closes and deletes it"({ browser }, page) {
    const title = unique("Milestone");
    await browser.open(page, `${PROJECT}/-/milestones`);
    await row(page, "Spring release")
      .getByText(/of \d+ issues closed/)
      .waitFor();
    await button(page, "New milestone").click();
    await field(page, "Title").fill(title);
    await field(page, "Due").fill("2027-03-01");
    await button(page, "Create milestone").click();
    await row(page, title).getByText("due Mar 1, 2027").waitFor();
    await row(page, title).getByRole("link", { name: title }).click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await button(page, `Edit ${title}`).click();
    await field(page, "Due").fill("2027-04-02");
    await button(page, "Save").click();
    await page.getByText("due Apr 2, 2027").waitFor();
    await button(page, `Edit ${title}`).click();
    await field(page, "Due").fill("");
    await button(page, "Save").click();
    await page.getByText("due Apr 2, 2027").waitFor({ state: "detached" });
    await button(page, `Close ${title}`).click();
    await button(page, `Reopen ${title}`).waitFor();
    await fromMenu(page, title, `Delete ${title}`);
    await page.getByRole("group").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(/\/-\/milestones$/);
    await page.getByRole("link", { name: "All", exact: true }).click();
    await row(page, "Spring release").waitFor();
    assert.equal(await row(page, title).count(), 0);
  },

  async "chooses the open or closed issues of a milestone, and writes one in it"({ browser, call }, page) {
    const api = "/projects/demo-group%2Fedgeforge";
    const title = unique("A milestone & its issues");
    const { data: milestone } = await call("POST", `${api}/milestones`, { title });
    const at = `${PROJECT}/-/milestones/${milestone.iid}`;
    const titles = () => page.locator("main .row-title").allInnerTexts();
    const state = (name) => page.getByRole("navigation", { name: "State" }).getByRole("link", { name });
    const writes = page.getByRole("link", { name: "New issue", exact: true });
    await browser.open(page, at);
    await page.getByText("No open issues in this milestone.").waitFor();
    for (const [title, closed] of [["Open in it"], ["Closed in it", true]]) {
      const { data } = await call("POST", `${api}/issues`, { title, milestone_id: milestone.id });
      if (closed) await call("PUT", `${api}/issues/${data.iid}`, { state_event: "close" });
    }
    await browser.open(page, at);
    assert.deepEqual(await titles(), ["Open in it"]);
    await page.getByText("1 of 2 issues closed").waitFor();
    await state("Closed 1").click();
    await page.waitForURL(/\?state=closed$/);
    await browser.settled(page);
    assert.deepEqual(await titles(), ["Closed in it"]);
    await writes.click();
    await page.locator("aside").getByText(title).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("milestone"), title);
    // what the user chooses instead stays over a reload
    await button(page, "Change milestone").click();
    await page.getByRole("option", { name: "None" }).click();
    await page.reload();
    await browser.settled(page);
    assert.equal(await page.locator("aside").getByText(title).count(), 0);
    await button(page, "Cancel").click();
    await page.waitForURL(/\/-\/issues$/);
    await browser.open(page, at);
    await writes.click();
    await page.locator("aside").getByText(title).waitFor();
    await field(page, "Title").fill("Written in it");
    await button(page, "Create issue").click();
    await page.waitForURL(/\/-\/issues\/\d+$/);
    await page.getByRole("link", { name: title, exact: true }).click();
    await page.waitForURL(new RegExp(`/milestones/${milestone.iid}$`));
    await browser.settled(page);
    assert.deepEqual(await titles(), ["Written in it", "Open in it"]);
    await call("DELETE", `${api}/milestones/${milestone.id}`);
  },

  async "makes a project with a member, renames and deletes it"({ browser }, page) {
    const name = unique("made");
    await browser.open(page, "/");
    await page.getByRole("link", { name: "New project" }).click();
    await field(page, "Name").fill(name);
    await field(page, "Belongs to").selectOption({ label: "demo-group (group)" });
    await field(page, "Who can see it").selectOption("public");
    await button(page, "Create project").click();
    await page.waitForURL(`${browser.server}/demo-group/${name}`);
    await page.getByRole("link", { name: "Members" }).click();
    await button(page, "Add a member").click();
    await field(page, "Username").fill("ev");
    await page.getByRole("option", { name: /^eve/ }).waitFor();
    await page.keyboard.press("Enter");
    assert.equal(await field(page, "Username").inputValue(), "eve", "Enter takes the suggestion, and sends nothing");
    await field(page, "Role").selectOption("Reporter");
    await button(page, "Add member").click();
    const role = field(page, "Role of Eve Outsider");
    await role.selectOption("Developer");
    await browser.settled(page);
    await page.reload();
    await browser.settled(page);
    assert.equal(await role.inputValue(), "30", "kept");
    await fromMenu(page, "Eve Outsider", "Remove Eve Outsider");
    await page.getByRole("group").getByRole("button", { name: "Remove" }).click();
    await row(page, "Eve Outsider").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Settings", exact: true }).last().click();
    await page.getByRole("textbox", { name: "Path" }).fill(`${name}-moved`);
    await field(page, "Description").fill("Moved away");
    await button(page, "Save").click();
    await page.waitForURL(new RegExp(`${name}-moved/-/settings$`));
    await browser.settled(page);
    await page.getByLabel(/^To delete the project/).fill(`demo-group/${name}-moved`);
    await button(page, "Delete this project").click();
    await page.getByRole("group").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(`${browser.server}/`);
  },

  async "is refused a name in the words of the API, and keeps what they wrote"({ browser }, page) {
    page.noted.expected = new Set([400]);
    await browser.open(page, "/projects/new");
    await field(page, "Name").fill("<b>");
    await button(page, "Create project").click();
    await page
      .getByRole("alert")
      .getByText(/can contain only letters/)
      .waitFor();
    assert.equal(await field(page, "Name").inputValue(), "<b>");
  },

  async "makes a token that is shown once, replaces and revokes it"({ browser }, page) {
    const name = unique("token");
    await browser.open(page, "/profile");
    await row(page, "this browser").waitFor();
    await button(page, "New token").click();
    await field(page, "Name").fill(name);
    await page.getByLabel("Only read").check();
    await button(page, "Create token").click();
    const secret = page.locator(".notice code");
    const first = await secret.innerText();
    assert.ok(first.length >= 20);
    const works = async (token) => (await fetch(`${browser.server}/api/v4/user`, { headers: { "PRIVATE-TOKEN": token } })).status;
    assert.equal(await works(first), 200);
    await button(page, "I have copied it").click();
    await row(page, name).getByText("read_api").waitFor();
    const focused = () => page.evaluate(() => /** @type {any} */ (document.activeElement).innerText);
    assert.equal(await focused(), "New token");
    // it asks first, and nothing has changed when the user decides otherwise
    await button(page, `Replace ${name}`).click();
    await page.getByText("The old one stops working now.").waitFor();
    await page.keyboard.press("Enter");
    await button(page, `Replace ${name}`).waitFor();
    assert.deepEqual([await works(first), await secret.count()], [200, 0]);
    // the new one is still there when the user left the page by a key and comes back
    await button(page, `Replace ${name}`).click();
    await page.getByRole("group").getByRole("button", { name: "Replace" }).click();
    const second = await secret.innerText();
    assert.match(await focused(), /^Copy/);
    assert.deepEqual([await works(first), await works(second)], [401, 200]);
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await secret.waitFor({ state: "detached" });
    await page.goBack();
    await secret.waitFor();
    assert.equal(await secret.innerText(), second);
    await button(page, "I have copied it").click();
    await secret.waitFor({ state: "detached" });
    assert.equal(await focused(), "New token");
    // the old one works for a day more
    await button(page, `Replace ${name}`).click();
    await page.getByLabel("Let the old one work for 24 hours more").check();
    await page.getByRole("group").getByRole("button", { name: "Replace" }).click();
    const third = await secret.innerText();
    assert.deepEqual([await works(second), await works(third)], [200, 200]);
    await button(page, "I have copied it").click();
    for (const rows of [1, 0]) {
      await button(page, `More for ${name}`).first().click();
      await button(page, `Revoke ${name}`).click();
      await page.getByRole("group").getByRole("button", { name: "Revoke" }).click();
      await page.waitForFunction(
        ([name, rows]) => [...document.querySelectorAll(".row-title")].filter((row) => row.textContent === name).length === rows,
        [name, rows],
      );
    }
    assert.deepEqual([await works(second), await works(third)], [401, 401]);
    await page.reload();
    await browser.settled(page);
    assert.ok(!(await page.content()).includes(third), "shown once");
    await page.getByRole("link", { name: "Ended or revoked" }).click();
    await row(page, name).first().waitFor();
  },

  async "archives a project, which is then only read on each of its pages, and unarchives it"({ browser, root }, page) {
    const { data: project } = await root("POST", "/projects", { name: unique("archived"), visibility: "public" });
    const { data: issue } = await root("POST", `/projects/${project.id}/issues`, { title: "Before" });
    const at = `/${project.path_with_namespace}`;
    await browser.open(page, `${at}/-/settings`);
    await page.getByText("An archived project is only read, until an owner unarchives it.").waitFor();
    const turn = async (name) => {
      await page.getByRole("button", { name: `${name} this project` }).click();
      await page.getByRole("group").getByRole("button", { name }).click();
    };
    await turn("Archive");
    await page.getByRole("button", { name: "Unarchive this project" }).waitFor();
    const strip = page.getByText("This project is archived and only read.", { exact: true }).first();
    for (const place of ["", "/-/issues", `/-/issues/${issue.iid}`, "/-/labels", "/-/milestones", "/-/project_members", "/-/hooks"]) {
      await browser.open(page, `${at}${place}`);
      await strip.waitFor();
      for (const name of ["New issue", "New label", "New milestone", "Close issue", "Add web hook"])
        assert.equal(await button(page, name).count(), 0, `${place}: ${name}`);
    }
    await browser.open(page, "/");
    await row(page, project.name).getByText("Archived", { exact: true }).waitFor();
    await browser.open(page, `${at}/-/settings`);
    await turn("Unarchive");
    await page.getByRole("button", { name: "Archive this project" }).waitFor();
    await browser.open(page, `${at}/-/issues/${issue.iid}`);
    await page
      .getByRole("button", { name: /^Close/ })
      .first()
      .waitFor();
    assert.equal(await strip.count(), 0);
    await root("DELETE", `/projects/${project.id}`);
  },

  async "makes a user with a token, changes, blocks and unblocks them"({ browser }, page) {
    const name = unique("user");
    await browser.open(page, "/admin/users");
    await button(page, "New user").click();
    await field(page, "Name").fill(`New ${name}`);
    await field(page, "Username").fill(name);
    await field(page, "E-mail").fill(`${name}@example.com`);
    await button(page, "Create user").click();
    const token = await page.locator(".notice code").innerText();
    const works = async () => (await fetch(`${browser.server}/api/v4/user`, { headers: { "PRIVATE-TOKEN": token } })).status;
    assert.equal(await works(), 200);
    await row(page, `@${name}`).getByRole("button", { name: "Edit" }).click();
    await field(page, "Own projects at most").fill("3");
    await button(page, "Save").click();
    await button(page, "Save").waitFor({ state: "detached" });
    await fromMenu(page, `New ${name}`, `Block New ${name}`);
    await page.getByRole("group").getByRole("button", { name: "Block" }).click();
    await row(page, `@${name}`).getByText("blocked").waitFor();
    assert.notEqual(await works(), 200);
    await row(page, `@${name}`).getByRole("button", { name: "Unblock" }).click();
    await row(page, `@${name}`).getByText("blocked").waitFor({ state: "detached" });
    await page.getByLabel("Search users").fill(name);
    await page.keyboard.press("Enter");
    await page.waitForURL(/search=/);
    await browser.settled(page);
    assert.equal(await page.locator("main .row").count(), 1);
    // a token for them, as they make their own: with a name, scopes and an end, and it can be revoked here
    await page.getByRole("link", { name: `Tokens of New ${name}` }).click();
    await page.getByRole("heading", { name: `Tokens of New ${name}` }).waitFor();
    await row(page, "first").getByText(/ends/).waitFor();
    await button(page, "New token").click();
    await page.keyboard.type("second");
    assert.equal(await field(page, "Ends on").inputValue(), new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10));
    await page.getByLabel("Only read").check();
    await button(page, "Create token").click();
    const made = await page.locator(".notice code").innerText();
    const status = async () => (await fetch(`${browser.server}/api/v4/user`, { headers: { "PRIVATE-TOKEN": made } })).status;
    assert.equal(await status(), 200);
    await fromMenu(page, "second", "Revoke second");
    await page.getByRole("group").getByRole("button", { name: "Revoke" }).click();
    await row(page, "second").waitFor({ state: "detached" });
    assert.equal(await status(), 401);
  },

  async "finds branches by name, and what concerns them at home"({ browser, call, root, people }, page) {
    const {
      data: { default_branch: name },
    } = await call("GET", "/projects/demo-group%2Fedgeforge");
    await root("POST", "/projects/demo-group%2Fedgeforge/issues", {
      title: "Late since January",
      assignee_ids: [people.ann.user.id],
      due_date: "2026-01-02",
    });
    await browser.open(page, "/");
    await page
      .locator("section", { has: page.locator("#assigned") })
      .locator(".row", { hasText: "Late since January" })
      .first()
      .locator(".overdue")
      .waitFor();
    await browser.open(page, `${PROJECT}/-/branches?search=${encodeURIComponent(name)}`);
    await row(page, "default").getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: `Commits of ${name}` }).waitFor();
  },

  async "reads what administrators did, by kind, and is refused it without being one"({ browser, people, root }, page) {
    const username = unique("acted").toLowerCase();
    const { data: user } = await root("POST", "/users", {
      name: "Acted Upon",
      username,
      email: `${username}@example.com`,
      password: "x".repeat(20),
    });
    await root("POST", `/users/${user.id}/block`);
    await root("DELETE", `/users/${user.id}`);
    await browser.open(page, "/admin/users");
    await page.getByRole("link", { name: "Acts", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Acts of administrators" }).waitFor();
    for (const words of ["made a user", "blocked a user", "deleted a user"])
      await page.locator(".row", { hasText: words }).first().waitFor();
    await page.getByRole("link", { name: "Settings", exact: true }).last().click();
    await page.waitForURL(/kind=ApplicationSetting/);
    await browser.settled(page);
    assert.equal(await page.locator(".row", { hasText: "blocked a user" }).count(), 0);
    const other = await browser.page({ as: people.ann, name: "acts" });
    const { asked } = await browser.open(other, "/admin/audit");
    await other.getByText("Only administrators can see what administrators did.").waitFor();
    assert.equal(asked.length, 0, "nothing is asked that would be refused");
    await other.tab.close();
  },
};

/** Who does it, where it is not Ann. */
export const MANAGED_BY = {
  "reads what administrators did, by kind, and is refused it without being one": "root",
  "is a guest, who sees labels and members and reads who may change them": "gus",
  "is a guest, who sees the members of a group and no button to change them": "gus",
  "archives a project, which is then only read on each of its pages, and unarchives it": "root",
  "makes a user with a token, changes, blocks and unblocks them": "root",
};
