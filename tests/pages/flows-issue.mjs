// How people work on an issue: in place, at the same time as others, in several tabs.
import assert from "node:assert/strict";
import { account } from "./browser.mjs";
import { accessibility } from "./looks.mjs";

const PROJECT = "/demo-group/edgeforge";
const ISSUES = `${PROJECT}/-/issues`;
const api = "/projects/demo-group%2Fedgeforge/issues";
const field = (page, name) => page.getByLabel(name, { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const toast = (page) => page.locator(".toast");

async function written(call, fields) {
  const { data } = await call("POST", api, fields);
  return {
    iid: data.iid,
    path: `${ISSUES}/${data.iid}`,
    api: `${api}/${data.iid}`,
    seen: async () => (await call("GET", `${api}/${data.iid}`)).data,
  };
}

export const WORKING = {
  async "reads an Arabic title, and a label of 140 characters, which is cut and makes no page wider"({ browser, call }, page) {
    const name = `area::${"x".repeat(134)}`;
    const title = "إصدار الربيع (v2.0)";
    const issue = await written(call, { title, description: "نص\n\nA text", labels: name });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      for (const path of [issue.path, ISSUES, `${ISSUES}?labels=${name}`, PROJECT, `${PROJECT}/-/labels`, `/search?search=${name}`]) {
        await browser.open(page, path);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(wide <= 0, `${path} is ${wide} too wide at ${width}`);
      }
      await browser.open(page, issue.path);
      const label = page.locator(".label").first();
      if (width === 390) await page.locator(".fold").click();
      await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
      assert.ok(await label.locator("span").evaluate((words) => words.scrollWidth > words.clientWidth), "it is cut");
      assert.equal(await label.getAttribute("title"), name);
      assert.equal(await page.locator("h1").evaluate((element) => getComputedStyle(element).direction), "rtl");
    }
    await call("DELETE", issue.api);
    await call("DELETE", `/projects/demo-group%2Fedgeforge/labels/${encodeURIComponent(name)}`);
  },

  async "edits an issue while another person does: other fields stay, of the same both texts are shown"({ browser, call, root }, page) {
    page.noted.expected = new Set([412]);
    const issue = await written(call, { title: "Two writers", description: "At first." });
    await browser.open(page, issue.path);
    await button(page, "Edit").click();
    await field(page, "Title").fill("Two writers, one title");
    await root("PUT", issue.api, { description: "Written by root.", add_labels: "flow" });
    await button(page, "Save").click();
    await page.getByText("Written by root.").waitFor();
    const merged = await issue.seen();
    assert.deepEqual([merged.title, merged.description, merged.labels], ["Two writers, one title", "Written by root.", ["flow"]]);
    // the same field, over a reload of the page
    await button(page, "Edit").click();
    await field(page, "Description").fill("Written by Ann.");
    await root("PUT", issue.api, { description: "Written by root again." });
    await page.reload();
    await browser.settled(page);
    await button(page, "Edit").click();
    assert.equal(await field(page, "Description").inputValue(), "Written by Ann.", "the draft is there");
    await button(page, "Save").click();
    await page.getByText("Somebody else changed this while you wrote").waitFor();
    assert.deepEqual(await page.locator(".both pre").allInnerTexts(), ["Written by root again.", "Written by Ann."]);
    assert.equal((await issue.seen()).description, "Written by root again.", "nothing was overwritten");
    await button(page, "Use the saved description").click();
    assert.equal(await field(page, "Description").inputValue(), "Written by root again.");
    await button(page, "Use my description").click();
    await field(page, "Description").fill("Written by root again. Written by Ann.");
    await button(page, "Save").click();
    await page.locator(".issue .card").getByText("Written by root again. Written by Ann.").waitFor();
    assert.equal((await issue.seen()).description, "Written by root again. Written by Ann.");
  },

  async "opens an issue in a new tab, signed in, and signs out in all"({ browser, people }, page) {
    await browser.open(page, ISSUES);
    await button(page, "Sign in").first().click();
    await field(page, "Token").fill(people.ann.token);
    await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Ann Owner").first().waitFor();
    await browser.settled(page);
    const opened = page.tab.waitForEvent("page");
    await page
      .locator(".row-title")
      .first()
      .click({ modifiers: ["Control"] });
    const second = await opened;
    await second.getByText("Ann Owner").first().waitFor();
    await second.getByRole("button", { name: "Edit", exact: true }).waitFor();
    const [secret] = (await page.tab.cookies()).filter(({ name }) => name === "session");
    for (const tab of [page, second]) {
      const stored = JSON.stringify(await tab.evaluate(() => [{ ...localStorage }, { ...sessionStorage }, document.cookie]));
      for (const hidden of [people.ann.token, secret.value]) assert.ok(!stored.includes(hidden), "no page has the secret");
    }
    assert.deepEqual([secret.httpOnly, secret.sameSite, secret.expires], [true, "Strict", -1]);
    await second.reload();
    await second.getByText("Ann Owner").first().waitFor();
    await second.goto(`${browser.server}/docs`);
    await second.getByText("Ann Owner").waitFor();
    await second.goto(`${browser.server}${ISSUES}`);
    await second.getByText("Ann Owner").first().waitFor();
    await account(second, "Sign out");
    await button(page, "Sign in").first().waitFor();
    assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0, "nothing is left");
    assert.deepEqual(await page.tab.cookies(), []);
    // a sign-in is for all tabs, too
    await button(page, "Sign in").first().click();
    await field(page, "Token").fill(people.bob.token);
    await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
    await second.getByText("Bob Developer").first().waitFor();
    await second.close();
    await page.reload();
    await page.getByText("Bob Developer").first().waitFor();
    // the browser was closed, so it has lost the cookies
    await page.tab.clearCookies();
    const third = await page.tab.newPage();
    await third.goto(browser.server);
    await third.getByRole("button", { name: "Sign in" }).first().waitFor();
  },

  async "leaves no text in a tab where another person is signed in from another one"({ browser, people }, page) {
    const signIn = async (tab, { token, user }) => {
      await tab.getByRole("button", { name: "Sign in", exact: true }).first().click();
      await tab.getByLabel("Token", { exact: true }).fill(token);
      await tab.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
      await tab.getByText(user.name).first().waitFor();
    };
    const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("draft ")));
    await browser.open(page, `${ISSUES}/7`);
    await signIn(page, people.ann);
    await field(page, "Comment").fill("Between us");
    assert.equal((await drafts()).length, 1);
    // a browser that has lost what it stored asks who is signed in
    await page.evaluate(() => localStorage.removeItem("edgeforge-session"));
    const second = await page.tab.newPage();
    await second.goto(`${browser.server}/`);
    await second.getByText("Ann Owner").first().waitFor();
    assert.equal((await drafts()).length, 1, "the same person's text stays");
    await page.tab.clearCookies();
    const third = await page.tab.newPage();
    await third.goto(`${browser.server}/`);
    await signIn(third, people.bob);
    await page.getByText("Bob Developer").first().waitFor();
    assert.deepEqual(await drafts(), [], "another person's does not");
    assert.equal(await field(page, "Comment").inputValue(), "");
  },

  async "changes title, assignee, labels, milestone, day and confidentiality in place, and puts each back"({ browser, call }, page) {
    const issue = await written(call, { title: "In place", description: "Text." });
    await browser.open(page, issue.path);
    const pick = async (what, typed, option) => {
      await button(page, `Change ${what}`).click();
      await page.keyboard.type(typed);
      await page.getByRole("option", { name: option }).waitFor();
      await page.keyboard.press("Enter");
    };
    const undone = async (name, was) => {
      await toast(page).getByRole("button", { name: "Undo" }).click();
      await toast(page).getByText("Put back.").waitFor();
      assert.deepEqual((await issue.seen())[name], was);
    };
    await button(page, "Change title").click();
    await field(page, "New title").fill("In its place");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /In its place/ }).waitFor();
    await button(page, "Undo").click();
    await page.getByRole("heading", { level: 1, name: /In place/ }).waitFor();

    await button(page, "Change assignee").click();
    await page.keyboard.press("Escape");
    assert.equal(
      await page.evaluate(() => /** @type {any} */ (document.activeElement).innerText.replace(/\s+/g, " ")),
      "Change assignee",
      "the focus comes back",
    );
    await pick("assignee", "bob", /Bob Developer/);
    await page.getByText("Assignee: Bob Developer. Saved.").waitFor();
    assert.equal((await issue.seen()).assignee.username, "bob");
    await undone("assignee", null);

    await pick("labels", "bug", /^bug$/);
    await page.keyboard.type("brand new one");
    await page.getByRole("option", { name: /brand new one/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.getByText("Labels: brand new one, bug. Saved.").waitFor();
    assert.deepEqual((await issue.seen()).labels, ["brand new one", "bug"]);
    assert.ok(
      (await page
        .locator("aside .dot")
        .first()
        .evaluate((dot) => dot.style.backgroundColor)) !== "",
      "with its colour",
    );
    await undone("labels", []);

    await pick("milestone", "Spring", /Spring release/);
    await page.getByText("Milestone: Spring release. Saved.").waitFor();
    await undone("milestone", null);

    await button(page, "Change due").click();
    await field(page, "Due date").fill("2020-02-03");
    await button(page, "Save date").click();
    await page.locator("aside .overdue").waitFor();
    await undone("due_date", null);

    await field(page, "Confidential").check();
    await page.getByText("Confidentiality: confidential. Saved.").waitFor();
    await undone("confidential", false);
  },

  async "changes a field in place that somebody else has just changed, and reads what it is now"({ browser, call, root, people }, page) {
    page.noted.expected = new Set([412]);
    const issue = await written(call, { title: "Both at once" });
    await browser.open(page, issue.path);
    await root("PUT", issue.api, { assignee_id: people.rae?.user.id ?? people.ann.user.id });
    await button(page, "Change assignee").click();
    await page.keyboard.type("bob");
    await page.getByRole("option", { name: /Bob Developer/ }).click();
    await page.getByText(/Not saved, because somebody else changed it meanwhile/).waitFor();
    assert.notEqual((await issue.seen()).assignee.username, "bob");
    // another field is saved on top of theirs
    await root("PUT", issue.api, { description: "From root." });
    await button(page, "Change title").click();
    await field(page, "New title").fill("Both at once, merged");
    await page.keyboard.press("Enter");
    await page.getByText("From root.").waitFor();
    assert.equal((await issue.seen()).title, "Both at once, merged");
  },

  async "ticks tasks, also while somebody else writes in the list"({ browser, call, root }, page) {
    page.noted.expected = new Set([412]);
    const description = "Before\n\n- [ ] first\n- [x] second\n  - [ ] inner\n\n```\n- [ ] no task\n```\n\n1. [ ] last";
    const issue = await written(call, { title: "Tasks", description });
    await browser.open(page, issue.path);
    const boxes = page.locator(".issue .card input[type=checkbox]");
    assert.equal(await boxes.count(), 4);
    await field(page, "inner").check();
    await page.getByText("2 of 4 done").waitFor();
    assert.equal((await issue.seen()).description, description.replace("[ ] inner", "[x] inner"));
    await root("PUT", issue.api, { description: `- [ ] zeroth\n${description.replace("[ ] inner", "[x] inner")}` });
    await field(page, "last").check();
    await page.getByText("3 of 5 done").waitFor();
    assert.equal(
      (await issue.seen()).description,
      `- [ ] zeroth\n${description.replace("[ ] inner", "[x] inner").replace("[ ] last", "[x] last")}`,
    );
    await root("PUT", issue.api, { description: "- [ ] other" });
    await field(page, "first").check();
    await page.getByText("Somebody else changed this list meanwhile.").waitFor();
    assert.equal((await issue.seen()).description, "- [ ] other");
    await field(page, "other").check();
    await page.getByText("1 of 1 done").waitFor();
  },

  async "gets people and issues suggested while writing, and sends with Ctrl+Enter"({ browser, call }, page) {
    const issue = await written(call, { title: "To be named in a comment" });
    await browser.open(page, issue.path);
    // of those who have an r: the username that begins so, then "Rae Reporter" by a word of it, then "Owner"
    await field(page, "Comment").pressSequentially("@r");
    await page.getByRole("option", { name: /@rae/ }).waitFor();
    assert.deepEqual(
      (await page.getByRole("option").allInnerTexts()).map((text) => text.split(" ")[0]),
      ["@rae", "@ann", "@bob"],
    );
    await page.keyboard.press("Enter");
    assert.equal(await field(page, "Comment").inputValue(), "@rae ");
    await field(page, "Comment").fill("");
    await field(page, "Comment").pressSequentially("Hello @bo");
    await page.getByRole("option", { name: /@bob/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type(`see #${issue.iid}`);
    await page.getByRole("option", { name: /To be named/ }).waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await field(page, "Comment").inputValue(), `Hello @bob see #${issue.iid} `);
    await page.keyboard.press("Control+Enter");
    await page.locator(".note", { hasText: "Hello @bob see" }).waitFor();
  },

  async "finds what a search has only after several pages, and comes back to the same place"({ browser, call }, page) {
    const {
      data: [one],
    } = await call("GET", `${api}?with_labels_details=true&search=emoji`);
    let asked = 0;
    await page.route(/api.*\/issues\?.*search=late/, (route) => {
      asked++;
      const headers = asked < 4 ? { Link: `<${browser.server}/api/v4${api}?cursor=c${asked}>; rel="next"` } : {};
      return route.fulfill({
        status: 200,
        headers,
        contentType: "application/json",
        body: JSON.stringify(asked === 1 ? [] : [{ ...one, id: 9000 + asked, title: `Found ${asked}` }]),
      });
    });
    await browser.open(page, `${ISSUES}?search=late`);
    await page.getByText("Found 4").waitFor();
    assert.deepEqual(await page.locator("main .row-title").allInnerTexts(), ["Found 2", "Found 3", "Found 4"], "it goes on by itself");
    await browser.open(page, `${ISSUES}?state=all&per_page=50`);
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.evaluate(() => scrollTo(0, 300));
    await page.waitForTimeout(300);
    await page
      .locator("main .row-title")
      .nth(14)
      .evaluate((link) => link.click());
    await page.locator(".issue h1").waitFor();
    assert.equal(await page.evaluate(() => scrollY), 0, "a new page begins at its top");
    await page.goBack();
    await page.waitForFunction(() => Math.abs(scrollY - 300) < 3);
    await page.reload();
    await page.waitForFunction(() => Math.abs(scrollY - 300) < 3);
  },

  async "works with the keyboard alone"({ browser }, page) {
    await browser.open(page, PROJECT);
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByRole("heading", { level: 1, name: "Issues" }).waitFor();
    await browser.settled(page);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("j");
    const second = await page.locator("main .row-title").nth(1).innerText();
    assert.equal(await page.evaluate(() => /** @type {any} */ (document.activeElement).innerText), second);
    await page.keyboard.press("Enter");
    await page.locator(".issue h1").waitFor();
    await page.keyboard.press("c");
    await page.getByRole("heading", { level: 1, name: "New issue" }).waitFor();
    await page.waitForFunction(() => document.activeElement?.localName === "input");
    await page.keyboard.type("cj/?");
    assert.equal(await field(page, "Title").inputValue(), "cj/?", "keys are letters while one writes");
    await page.goBack();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Issues" }).waitFor();
    await page.keyboard.press("f");
    assert.equal(await page.evaluate(() => /** @type {any} */ (document.activeElement).type), "search");
    await page.evaluate(() => /** @type {any} */ (document.activeElement).blur());
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.getByLabel("Use these keys in this browser").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("c");
    await page.waitForTimeout(100);
    assert.match(page.url(), /issues$/, "they can be turned off");
  },

  async "closes an issue with a comment, in one stream with what happened, and reopens it from its menu"({ browser, call }, page) {
    const issue = await written(call, { title: "Answered" });
    await browser.open(page, issue.path);
    await field(page, "Comment").fill("Done in the last release.");
    await button(page, "Close with comment").click();
    await page.locator(".note", { hasText: "Done in the last release." }).waitFor();
    await page.locator(".byline").getByText("Closed", { exact: true }).waitFor();
    await page.locator(".event", { hasText: "closed this" }).waitFor();
    assert.equal((await issue.seen()).state, "closed");
    assert.equal(await field(page, "Comment").inputValue(), "");
    await toast(page).getByRole("button", { name: "Undo" }).click();
    await page.locator(".byline").getByText("Open", { exact: true }).waitFor();
    await button(page, "Close issue").click();
    await page.locator(".byline").getByText("Closed", { exact: true }).waitFor();
    const more = page.getByRole("button", { name: /^More for #/ });
    await more.click();
    await page.keyboard.press("Enter");
    await page.locator(".byline").getByText("Open", { exact: true }).waitFor();
    assert.ok(await more.evaluate((one) => one === document.activeElement), "the focus is at the menu again");
    assert.equal(await page.locator(".event").count(), 1, "what one person did at once is one line");
    // a comment that the server refuses leaves the issue open, and the text in its field
    page.noted.expected = new Set([500]);
    await page.route(/\/notes$/, (route) => route.fulfill({ status: 500, body: "{}" }));
    await field(page, "Comment").fill("Not sent");
    await button(page, "Close with comment").click();
    await page.getByText("The server failed").first().waitFor();
    assert.deepEqual([(await issue.seen()).state, await field(page, "Comment").inputValue()], ["opened", "Not sent"]);
    await page.unrouteAll();
  },

  async "reads alerts of five kinds, and an ordinary quotation"({ browser, call }, page) {
    const kinds = ["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"];
    const alerts = kinds.map((kind) => `> [!${kind}]\n> Said as **${kind}**.\n`).join("\n");
    const description = `${alerts}\n> [!OTHER]\n> no alert\n\n> [!note] of its own\n>\n> with a title\n\nA \\[!NOTE]`;
    const issue = await written(call, { title: "Alerts", description });
    await browser.open(page, issue.path);
    const texts = await page.locator(".issue .markdown .alert").allInnerTexts();
    assert.deepEqual(
      texts.map((text) => text.replace(/\s+/g, " ")),
      [
        "Note Said as NOTE.",
        "Tip Said as TIP.",
        "Important Said as IMPORTANT.",
        "Warning Said as WARNING.",
        "Caution Said as CAUTION.",
        "of its own with a title",
      ],
    );
    assert.match(await page.locator(".issue .markdown > blockquote:not(.alert)").innerText(), /\[!OTHER\]/);
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await accessibility(page), []);
    }
  },

  async "reads what happened in English, and what is overdue"({ browser, call, people }, page) {
    const issue = await written(call, { title: "Old name", due_date: "2020-01-02" });
    for (const change of [
      { title: "New name" },
      { assignee_id: people.bob.user.id },
      { labels: "bug" },
      { milestone: "Spring release" },
      { state_event: "close" },
      { state_event: "reopen" },
    ])
      await call("PUT", issue.api, change);
    await browser.open(page, issue.path);
    const events = (await page.locator(".event").allInnerTexts()).map((text) => text.replace(/\s+/g, " ").replace(" ,", ","));
    assert.deepEqual(events, [
      "AO Ann Owner changed the title from Old name to New name, assigned this to @bob, added the label bug, " +
        "set the milestone to Spring release, closed this and reopened this just now",
    ]);
    assert.match(await page.locator("aside .overdue").innerText(), /Jan 2, 2020 \(overdue\)/);
    assert.match(await page.title(), /^New name \(demo-group\/edgeforge#\d+\)/);
    await browser.open(page, `${ISSUES}?due=overdue`);
    await page.locator(".row", { hasText: "New name" }).locator(".overdue").first().waitFor();
  },

  async "uses what opens in a page with a screen reader: fields in place, suggestions, filters, keys"({ browser, call }, page) {
    const issue = await written(call, { title: "Looked at by axe", description: "- [ ] a task", due_date: "2020-01-01" });
    await browser.open(page, issue.path);
    const found = [];
    const look = async () => found.push(...(await accessibility(page)));
    for (const name of ["title", "assignee", "labels", "milestone", "due"]) {
      await button(page, `Change ${name}`).click();
      await page.waitForTimeout(250);
      await look();
      await page.keyboard.press("Escape");
    }
    await field(page, "Comment").pressSequentially("#");
    await page.getByRole("option").first().waitFor();
    await look();
    await browser.open(page, `${ISSUES}?labels=bug&due=any`);
    await button(page, "+ Milestone").click();
    await page.getByRole("option", { name: "None" }).waitFor();
    await look();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await look();
    assert.deepEqual(found, []);
  },

  async "opens the pipeline that its address leads to"({ browser, call }, page) {
    const {
      data: [pipeline],
    } = await call("GET", "/projects/demo-group%2Fedgeforge/pipelines");
    await browser.open(page, new URL(pipeline.web_url).pathname);
    await page.getByRole("heading", { level: 1, name: `Pipeline #${pipeline.iid}` }).waitFor();
    await page.locator(".row", { hasText: "ci/build" }).getByText("passed").waitFor();
  },
};

export const WORKED_BY = {
  "opens an issue in a new tab, signed in, and signs out in all": null,
  "leaves no text in a tab where another person is signed in from another one": null,
};
