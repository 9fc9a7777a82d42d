// What people see who may do less, and what everybody's keyboard, phone and paper show.
import assert from "node:assert/strict";

const PROJECT = "/demo-group/edgeforge";
const ISSUES = `${PROJECT}/-/issues`;
const api = "/projects/demo-group%2Fedgeforge";
const field = (page, name) => page.getByLabel(name, { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const colours = (page) => page.locator("aside .dot").evaluateAll((dots) => dots.map((dot) => dot.style.backgroundColor));

export const VISITS = {
  async "looks at a public project without a token, comments and builds included, and is asked to sign in for what is of a user"(
    { browser, sha },
    page,
  ) {
    await browser.open(page, "/");
    await page.locator(".row", { hasText: "edgeforge" }).locator(".mark").waitFor();
    await browser.open(page, `${PROJECT}/-/commit/${sha}`);
    await page.locator(".byline").getByText("passed").waitFor();
    await page.locator("details.builds summary").waitFor();
    await browser.open(page, `${PROJECT}/-/commits`);
    await page.locator(".row .mark").first().waitFor();
    for (const [path, shown] of [
      [`${ISSUES}/6`, ".note"],
      [`${PROJECT}/-/environments`, ".row"],
      [`${PROJECT}/-/milestones/1`, ".progress"],
      [`${PROJECT}/-/milestones`, ".row"],
      [`${PROJECT}/-/labels`, ".row"],
      [`${PROJECT}/-/project_members`, ".row"],
    ]) {
      await browser.open(page, path);
      await page.locator(shown).first().waitFor();
      for (const name of [/^New/, /^Add/, /^Edit/, /^Delete/, /^Leave/])
        assert.equal(await page.getByRole("button", { name }).count(), 0, `${path}: ${name}`);
      const tab = page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: "Settings" });
      assert.equal(await tab.count(), 0, "a page that would be refused has no tab");
    }
    for (const [path, text] of [
      ["/todos", "your to-do list"],
      ["/admin", "the settings"],
    ]) {
      await browser.open(page, path);
      await page.getByText(`Sign in to see ${text}.`).waitFor();
    }
    await browser.open(page, `${ISSUES}/6`);
    assert.ok((await colours(page)).every(Boolean), "labels have their colours");
    assert.equal(await button(page, "Edit").count(), 0, "nothing to change is offered");
    const short = await browser.open(page, `${PROJECT}/issues/6`);
    assert.equal(short.status, 200, "the address without /-/ is the same page");
    await page.getByRole("heading", { level: 1, name: /Link headers/ }).waitFor();
  },

  async "is a guest: changes an issue of theirs, and is offered no change of another"({ browser, sha }, page) {
    await browser.open(page, `${ISSUES}/6`);
    for (const name of ["Edit", "Close issue", "Move"]) assert.equal(await button(page, name).count(), 0, name);
    const tab = (name) => page.getByRole("navigation", { name: "Project" }).getByRole("link", { name, exact: true });
    await tab("Members").waitFor();
    assert.equal(await tab("Settings").count(), 0, "a page that would be refused has no tab");
    assert.equal(await page.getByRole("button", { name: "Delete this comment" }).count(), 0);
    assert.ok((await colours(page)).every(Boolean), "labels have their colours");
    assert.equal(await page.getByRole("button", { name: /^Change/ }).count(), 0, "nothing to change is offered");
    await browser.open(page, `${PROJECT}/-/commit/${sha}`);
    await page.getByText("Only reporters of the project can comment on its commits.").waitFor();
    assert.equal(await page.getByRole("button", { name: /^Comment/ }).count(), 0, "the API would refuse a comment");
    await browser.open(page, `${ISSUES}/15`);
    assert.equal(await button(page, "Move").count(), 0);
    assert.equal(await button(page, "Change labels").count(), 0, "labels are for reporters");
    await button(page, "Change due").waitFor();
    await button(page, "Edit").click();
    await field(page, "Description").fill("Said by a guest.");
    await button(page, "Save").click();
    await page.locator(".issue .card", { hasText: "Said by a guest." }).waitFor();
    await browser.open(page, "/admin");
    await page.getByText("Only administrators can see and change the settings.").waitFor();
    const { asked } = await browser.open(page, "/demo-group/secret");
    await page.getByText("Only reporters of the project can see its commits.").waitFor();
    for (const name of ["Files", "Commits", "Environments"]) assert.equal(await tab(name).count(), 0, name);
    await page.getByText("Only reporters of the project can see its environments.").waitFor();
    assert.ok(!asked.some((address) => /commits|environments|deployments/.test(address)), "what is refused is not asked for");
  },

  async "has a token that may only read, and sees that"({ browser, call, people, sha }, page) {
    const { data } = await call("POST", `/users/${people.ann.user.id}/personal_access_tokens`, { name: "reader", scopes: ["read_api"] });
    await browser.open(page, `${ISSUES}/6`);
    await button(page, "Sign in").first().click();
    await field(page, "Token").fill(data.token);
    await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
    await page.getByText("You signed in with a token that can only read").waitFor();
    await browser.settled(page);
    assert.equal(await button(page, "Edit").count(), 0);
    assert.equal(await field(page, "Comment").count(), 0);
    await page.locator(".note", { hasText: "gitbeaker" }).waitFor();
    for (const path of [`${PROJECT}/-/commit/${sha}`, `${PROJECT}/-/issues`, "/"]) {
      await browser.open(page, path);
      assert.equal(await page.getByRole("button", { name: /^Comment/ }).count(), 0, path);
      assert.equal(await page.getByRole("link", { name: /^New/ }).count(), 0, path);
    }
  },

  async "sees a project without issues and builds: neither their tabs nor their buttons, files to take, and no comparison yet"(
    { browser, root },
    page,
  ) {
    const off = { issues_access_level: "disabled", builds_access_level: "disabled" };
    const { data: project } = await root("POST", "/projects", { name: `off-${Date.now().toString(36)}`, visibility: "public", ...off });
    const tabs = page.getByRole("navigation", { name: "Project" });
    for (const [place, none] of [
      ["", ["Issues", "Environments", "Settings"]],
      ["/-/tags", ["Issues", "Environments", "Pipelines"]],
      ["/-/compare", ["Issues", "Pipelines"]],
    ]) {
      await browser.open(page, `/${project.path_with_namespace}${place}`);
      await tabs.getByRole("link", { name: "Commits" }).waitFor();
      for (const name of none) assert.equal(await page.locator("main nav").getByRole("link", { name, exact: true }).count(), 0, name);
    }
    await browser.open(page, `/${project.path_with_namespace}/-/issues`);
    assert.equal(await page.getByRole("link", { name: "New issue" }).count(), 0);
    await root("DELETE", `/projects/${project.id}`);
    await browser.open(page, `${PROJECT}/-/tree/HEAD`);
    await page.locator(".take", { hasText: "git clone" }).getByRole("link", { name: "zip" }).waitFor();
  },

  async "finds a deployment that is older than the project's last hundred"({ browser, call, sha }, page) {
    const {
      data: [one],
    } = await call("GET", `${api}/deployments?environment=production`);
    const later = Array.from({ length: 100 }, (_, at) => ({
      ...one,
      id: 9000 - at,
      sha: "f".repeat(40),
      created_at: new Date().toISOString(),
    }));
    await page.route(/\/deployments\?/, (route) => {
      const second = new URL(route.request().url()).searchParams.has("cursor");
      const headers = second ? {} : { Link: `<${browser.server}/api/v4${api}/deployments?cursor=two>; rel="next"` };
      return route.fulfill({ status: 200, headers, contentType: "application/json", body: JSON.stringify(second ? [one] : later) });
    });
    await browser.open(page, `${PROJECT}/-/commit/${sha}`);
    await page.locator("p", { hasText: "None of the project's last 100 deployments is of this commit." }).waitFor();
    await button(page, "Look further back").click();
    await page
      .locator("section", { has: page.locator("#deployments") })
      .getByText("deployed")
      .waitFor();
    assert.equal(await button(page, "Look further back").count(), 0);
    await page.unroute(/\/deployments\?/);
  },

  async "goes through an issue with the tabulator, and sees where"({ browser }, page) {
    await browser.open(page, `${ISSUES}/6`);
    const been = new Set();
    for (let at = 0; at < 80; at++) {
      await page.keyboard.press("Tab");
      const here = await page.evaluate(() => {
        /** @type {any} */
        const one = document.activeElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(one);
        const { top, bottom } = one.getBoundingClientRect();
        return one === document.body
          ? null
          : {
              name: one.ariaLabel || one.innerText || one.id || one.localName,
              seen: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && top < innerHeight && bottom > 0,
            };
      });
      if (!here) break;
      assert.ok(here.seen, `the focus is seen on ${here.name}`);
      been.add(here.name.trim());
    }
    for (const name of [
      "Skip to the page",
      "Find anything",
      "New",
      "Account of Ann Owner",
      "Issues",
      "Edit",
      "More for #6",
      "Preview",
      "Comment",
      "Close issue",
      "Add to-do",
    ])
      assert.ok(
        [...been].some((one) => one.endsWith(name)),
        `${name} was reached; ${[...been].join(", ")}`,
      );
  },

  async "prints an issue: its text and comments, and nothing to click"({ browser }, page) {
    await browser.open(page, `${ISSUES}/6`);
    await page.emulateMedia({ media: "print" });
    for (const gone of [".head", ".tabs", ".issue .actions", ".comment-form", ".watching", ".note-actions"])
      assert.equal(await page.locator(gone).first().isVisible(), false, gone);
    for (const there of [".issue h1", ".note .markdown", "aside dl"]) assert.ok(await page.locator(there).first().isVisible(), there);
    await page.emulateMedia({ media: "screen" });
  },

  async "goes from page to page of issues, the place and the filters in the address"({ browser }, page) {
    await browser.open(page, `${ISSUES}?state=all&per_page=5&sort=created_at+asc`);
    const titles = () => page.locator("main .row-title").allInnerTexts();
    const first = await titles();
    await page.getByRole("link", { name: "Next page", exact: true }).click();
    await page.waitForURL(/cursor=|page=|id_after=/);
    await browser.settled(page);
    const second = await titles();
    assert.ok(second.length === 5 && !second.some((title) => first.includes(title)), "other issues");
    assert.match(page.url(), /state=all/);
    await page.reload();
    await browser.settled(page);
    assert.deepEqual(await titles(), second, "the address alone tells the place");
    await browser.open(page, `${ISSUES}?milestone=Spring+release&assignee=bob`);
    const found = await titles();
    assert.ok(found.includes("Link headers lose the label filter") && !found.includes("Deploy to a second region"));
    await browser.open(page, `${ISSUES}?labels=no-such-label`);
    await page.getByText("No issue matches these filters.").waitFor();
  },

  async "writes addresses of which only http, https and mailto become links"({ browser }, page) {
    await browser.open(page, `${ISSUES}/8`);
    await field(page, "Comment").fill(
      "[a](https://a.example/x) [b](javascript:alert(1)) [c](ftp://c.example) <mailto:d@example.com> [e](data:text/html,x) [f](http://f.example) ![g](https://g.example/g.png)",
    );
    await button(page, "Preview").click();
    const links = await page.locator(".preview a[href]").evaluateAll((all) => all.map(({ href, rel }) => [href, rel]));
    assert.deepEqual(
      links.map(([href]) => href),
      ["https://a.example/x", "mailto:d@example.com", "http://f.example/", "https://g.example/g.png"],
    );
    for (const [href, rel] of links) assert.equal(rel, "noopener nofollow", href);
    assert.equal(await page.locator(".preview img").count(), 0, "a picture of another server is a link");
  },

  async "writes references, of which those in links, in code and after a backslash lead nowhere"({ browser }, page) {
    await browser.open(page, `${ISSUES}/8`);
    await field(page, "Comment").fill(
      '#1 **#2** `#3` [see #4](https://a.example/) \\#5 @ann \\@bob a#6 <b title=x>#7 and\n\nnot bold %"Spring release" \\%17.0 ~"a b" \\~bug',
    );
    await button(page, "Preview").click();
    const links = await page
      .locator(".preview a")
      .evaluateAll((all) => all.map((link) => `${link.innerText} ${link.getAttribute("href")}`));
    assert.deepEqual(links, [
      `#1 ${ISSUES}/1`,
      `#2 ${ISSUES}/2`,
      "see #4 https://a.example/",
      "@ann /ann",
      `#7 ${ISSUES}/7`,
      `%"Spring release" ${ISSUES}?milestone=Spring+release`,
      `~"a b" ${ISSUES}?labels=a+b`,
    ]);
    assert.deepEqual(
      await page.locator(".preview b, .preview strong").allInnerTexts(),
      ["#2", "#7 and"],
      "a tag that is not closed ends with its paragraph",
    );
  },

  async "reads a text that is slow to format as it was written, and formatted when they ask"({ browser, call }, page) {
    const show = async (description) => {
      const { data } = await call("POST", `${api}/issues`, { title: "A long text", description });
      await browser.open(page, `${ISSUES}/${data.iid}`);
    };
    const text = page.locator(".issue .card .markdown").first();
    // long, many marks in one paragraph, many elements, many references
    for (const [description, inside] of [
      ["**word** text\n\n".repeat(1500), "strong"],
      ["*a* ".repeat(300), "em"],
      ["- a\n".repeat(1100), "li"],
      ["#1 ".repeat(1100), "a"],
    ]) {
      await show(description);
      assert.equal((await text.innerText()).slice(0, 100), description.trimEnd().slice(0, 100), "as it was written");
      assert.equal(await text.locator(inside).count(), 0);
      await button(page, "Show formatted").focus();
      await page.keyboard.press("Enter");
      await text.locator(inside).first().waitFor();
      await button(page, "Show as written").click();
      await button(page, "Show formatted").waitFor();
      assert.equal(await text.locator(inside).count(), 0);
    }
    await show("+ ".repeat(9000));
    await button(page, "Show formatted").click();
    await page.getByText("This text is nested too deep").waitFor();
    await show("*a* ".repeat(90));
    await text.locator("em").first().waitFor();
    assert.equal(await button(page, "Show formatted").count(), 0, "a short text is formatted at once");
  },

  async "reads times in words, and the exact one where they point"({ browser }, page) {
    await browser.open(page, `${ISSUES}/6`);
    const time = page.locator(".byline time");
    assert.match(await time.innerText(), /ago|just now/);
    assert.match(await time.getAttribute("title"), /\d{4}.*\d:\d\d/);
  },
};

export const VISITED_BY = {
  "looks at a public project without a token, comments and builds included, and is asked to sign in for what is of a user": null,
  "is a guest: changes an issue of theirs, and is offered no change of another": "gus",
  "has a token that may only read, and sees that": null,
  "sees a project without issues and builds: neither their tabs nor their buttons, files to take, and no comparison yet": null,
};
