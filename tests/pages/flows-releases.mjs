// How people make and read releases, and compare branches and tags.
import assert from "node:assert/strict";

const PROJECT = "/demo-group/edgeforge";
const field = (page, name) => page.getByLabel(name, { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const link = (page, name) => page.getByRole("link", { name, exact: true });
const row = (page, text) => page.locator("main .row", { hasText: text });
const TAG = "v0.3.0-rc.1";
const one = `/projects/demo-group%2Fedgeforge/releases/${TAG}`;

export const RELEASES = {
  async "makes a release of a tag with a link, changes both, and deletes them"({ browser, call }, page) {
    page.noted.expected = new Set([400, 409]);
    await call("DELETE", one, undefined, { expect: [200, 404] });
    await browser.open(page, `${PROJECT}/-/releases`);
    await button(page, "New release").click();
    await field(page, "Tag").fill("v0.3");
    await page.getByRole("option", { name: TAG }).waitFor();
    await field(page, "Tag").fill("v0.3.0");
    await field(page, "Notes").fill("**Try** it, see #6");
    await button(page, "Create release").click();
    await page.getByRole("alert").getByText("This tag has a release already.").waitFor();
    await page.reload();
    await button(page, "New release").click();
    assert.equal(await field(page, "Notes").inputValue(), "**Try** it, see #6", "a draft is kept");
    await field(page, "Tag").fill(TAG);
    await field(page, "Day of the release").fill("2026-10-02");
    await field(page, "Spring release").check();
    await button(page, "Create release").click();
    await page.waitForURL(new RegExp(`/-/releases/${TAG}$`));
    await page.getByRole("heading", { level: 1, name: TAG }).waitFor();
    await page.locator(".markdown strong", { hasText: "Try" }).waitFor();
    assert.equal(await page.locator(".markdown a").getAttribute("href"), `${PROJECT}/-/issues/6`);
    await link(page, "Spring release").waitFor();
    assert.match(await page.locator(".byline time").getAttribute("datetime"), /^2026-10-02/);

    await button(page, "Add a link").click();
    await field(page, "Name").fill("Tool");
    await field(page, "Address").fill("https://downloads.example.com/tool");
    await field(page, "Kind").selectOption("package");
    await field(page, "Lasting path").fill("no/slash");
    await button(page, "Add link").click();
    await page.getByRole("alert").getByText("Filepath is in an invalid format").waitFor();
    await field(page, "Lasting path").fill("/bin/tool");
    await button(page, "Add link").click();
    await row(page, "Tool").getByText("package").waitFor();
    const lasting = await fetch(`${browser.server}${PROJECT}/-/releases/${TAG}/downloads/bin/tool`, { redirect: "manual" });
    assert.equal(lasting.headers.get("location"), "https://downloads.example.com/tool");
    await button(page, "Edit Tool").click();
    assert.equal(await field(page, "Lasting path").inputValue(), "/bin/tool");
    await field(page, "Name").fill("Better tool");
    await button(page, "Save").click();
    await row(page, "Better tool").waitFor();
    await button(page, "More for Better tool").click();
    await button(page, "Delete Better tool").click();
    await page.getByRole("group").getByRole("button", { name: "Delete" }).click();
    await row(page, "Better tool").waitFor({ state: "detached" });

    await button(page, "Edit").click();
    await field(page, "Title").fill("The candidate");
    await field(page, "Spring release").uncheck();
    await button(page, "Save").click();
    await page.getByRole("heading", { level: 1, name: "The candidate" }).waitFor();
    assert.equal(await link(page, "Spring release").count(), 0);
    await button(page, "More for this release").click();
    await button(page, "Delete this release").click();
    await page.getByRole("group").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(/\/-\/releases$/);
    await link(page, "First light").waitFor();
    assert.equal(await link(page, "The candidate").count(), 0);
  },

  async "edits a release while another does, and is shown both texts"({ browser, call }, page) {
    await call("DELETE", one, undefined, { expect: [200, 404] });
    await call("POST", "/projects/demo-group%2Fedgeforge/releases", { tag_name: TAG, name: "A", description: "first" });
    await browser.open(page, `${PROJECT}/-/releases/${TAG}/edit`);
    await field(page, "Notes").fill("mine");
    await call("PUT", one, { description: "theirs", name: "B" });
    await button(page, "Save").click();
    await page.getByText("Somebody else changed this while you wrote").waitFor();
    await page.locator("figure pre", { hasText: "theirs" }).waitFor();
    await button(page, "Save").click();
    await page.locator(".markdown", { hasText: "mine" }).waitFor();
    await page.getByRole("heading", { level: 1, name: "B" }).waitFor();
    await call("DELETE", one);
  },

  async "writes footnotes, follows one and comes back"({ browser }, page) {
    await browser.open(page, `${PROJECT}/-/issues/new`);
    await field(page, "Title").fill("Notes");
    await field(page, "Description").fill(
      "One[^b] and two[^a], `not[^a]` and none[^c].\n\n[^a]: https://a.example\n[^b]: *Below*, see #6\n[^d]: Nobody asked\n",
    );
    await button(page, "Preview").click();
    const text = page.locator(".preview .markdown");
    assert.deepEqual(await text.locator("ol > li").allInnerTexts(), ["Below, see #6 ↩", "https://a.example ↩", "Nobody asked"]);
    assert.match(await text.locator("p").first().innerText(), /^One1 and two2, not\[\^a\] and none\[\^c\]\.$/);
    await button(page, "Note 2").focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => /** @type {any} */ (document.activeElement).innerText), "https://a.example ↩");
    await button(page, "Back to the text from note 2").click();
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Note 2");
    assert.deepEqual(await browser.unsafe(page), []);
  },

  async "reads releases without a token, goes to a tag and to what changed, and downloads its files"({ browser }, page) {
    await browser.open(page, PROJECT);
    await page.getByRole("navigation", { name: "Project", exact: true }).getByRole("link", { name: "Releases" }).click();
    await link(page, "First light").waitFor();
    assert.equal(await button(page, "New release").count(), 0);
    const second = page.getByRole("region", { name: "Files and builds" });
    await second.getByText(/^Assets/).click();
    await second.locator(".row", { hasText: "edgeforge-mirror, x86-64" }).getByText("package").waitFor();
    const saved = page.waitForEvent("download");
    await second.getByRole("link", { name: "zip", exact: true }).click();
    assert.equal((await saved).suggestedFilename(), "edgeforge-v0.2.0.zip");
    await second.getByRole("link", { name: "Changes since v0.1.0" }).click();
    await page.waitForURL(/\/-\/compare\/v0\.1\.0\.\.\.v0\.2\.0$/);
    await page.getByRole("heading", { name: /^Commits [1-9]/ }).waitFor();
    await page.goBack();
    await link(page, "First light").click();
    await page.getByRole("heading", { level: 1, name: "First light" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /Delete|Edit|Add/ }).count(), 0);
    await link(page, "v0.1.0").click();
    await page.getByText("The first one that was shown").waitFor();
    await page.locator(".byline").getByRole("link", { name: "Release", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "First light" }).waitFor();
  },

  async "is a reporter, who reads who may make releases, and that one is not there"({ browser }, page) {
    page.noted.expected = new Set([404]);
    await browser.open(page, `${PROJECT}/-/releases`);
    await page.getByText("Only developers of the project can make changes here.").waitFor();
    assert.equal(await button(page, "New release").count(), 0);
    await browser.open(page, `${PROJECT}/-/releases/none`);
    await page.getByRole("heading", { level: 1, name: "No such release" }).waitFor();
  },

  async "compares two tags, reads their commits and lines, and the other way round"({ browser, call }, page) {
    const { data } = await call("GET", "/projects/demo-group%2Fedgeforge/repository/compare?from=v0.3.0-rc.1&to=v0.3.0");
    await browser.open(page, `${PROJECT}/-/commits`);
    await link(page, "Compare").first().click();
    await page.getByText("Choose two branches or tags").waitFor();
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector("main input")).value !== "");
    await field(page, "To").fill("v0.3");
    await page.getByRole("option", { name: /^v0\.3\.0 / }).waitFor();
    await page.keyboard.press("Enter");
    assert.equal(await field(page, "To").inputValue(), "v0.3.0", "Enter takes the suggestion, and sends nothing");
    await field(page, "From").fill(TAG);
    await field(page, "To").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/-\/compare\/v0\.3\.0-rc\.1\.\.\.v0\.3\.0$/);
    await browser.settled(page);
    await page.getByRole("heading", { name: `Commits ${data.commits.length}`, exact: true }).waitFor();
    await page.locator("summary", { hasText: "Commits" }).click();
    assert.equal(await page.locator("main .row-title").first().innerText(), data.commits.at(-1).title, "the newest is the first");
    assert.equal(await page.locator(".file").count(), data.diffs.length);
    // more lines above than the two rows in whose place they come
    const file = page.locator(
      `#file-${1 + data.diffs.findIndex(({ diff, new_file }) => !new_file && /^@@ -(?:[5-9]|[1-9]\d)/.test(diff))}`,
    );
    await file.scrollIntoViewIfNeeded();
    const more = file.getByRole("button", { name: /^Show .* above$/ }).first();
    await more.waitFor();
    const before = await file.locator("tr").count();
    await more.click();
    await page.waitForFunction(([one, count]) => one.querySelectorAll("tr").length > count, [await file.elementHandle(), before]);
    await link(page, "All that differs").click();
    await page.waitForURL(/rc\.1\.\.v0\.3\.0$/);
    await browser.settled(page);
    await link(page, "Permanent link").click();
    await page.waitForURL(/\/-\/compare\/[0-9a-f]{40}\.\.[0-9a-f]{40}$/);
    await browser.settled(page);
    assert.equal(await page.locator(".file").count(), data.diffs.length);
    await page.goBack();
    await browser.settled(page);
    await button(page, "Swap").click();
    await page.waitForURL(/v0\.3\.0\.\.v0\.3\.0-rc\.1$/);
    await page.locator(".empty").getByText("All commits of v0.3.0-rc.1 are in v0.3.0, too.").waitFor();
    await link(page, "The other way round").click();
    await browser.settled(page);
    await page.locator("summary", { hasText: "Commits" }).click();
    await page.locator("main .row-title").nth(1).click();
    await link(page, "Newer commit").click();
    await page.waitForURL(new RegExp(`/-/commit/${data.commits.at(-1).id}$`));
  },

  async "compares a branch with the default one, and a tag with what came since"({ browser }, page) {
    await browser.open(page, `${PROJECT}/-/tags`);
    await row(page, "v0.3.0-rc.1")
      .getByRole("link", { name: /^Commits since/ })
      .click();
    await page.waitForURL(/\/-\/compare\/v0\.3\.0-rc\.1\.\.\.HEAD$/);
    await page.getByRole("heading", { name: /^Commits [1-9]/ }).waitFor();
    await browser.open(page, `${PROJECT}/-/compare/HEAD...HEAD`);
    await page.getByText("Both are the same commit.").waitFor();
  },

  async "reads why two cannot be compared, and what was left out"({ browser }, page) {
    page.noted.expected = new Set([404, 422, 503]);
    const answers = {
      404: "404 Ref Not Found",
      422: "422 Unprocessable entity - more than 10000 commits to compare",
      503: "503 Service Unavailable - objects of 1 are not mirrored yet",
    };
    const told = {
      404: "One of them is no branch, tag or commit here.",
      422: "The reason: more than 10000 commits to compare.",
      503: "The files of these commits have not arrived yet.",
    };
    for (const [status, message] of Object.entries(answers)) {
      await page.route(/\/repository\/compare\?/, (route) =>
        route.fulfill({ status: Number(status), contentType: "application/json", body: JSON.stringify({ message }) }),
      );
      await browser.open(page, `${PROJECT}/-/compare/it's...v0.3.0`);
      await page.getByText(told[status]).waitFor();
      assert.equal(await field(page, "From").inputValue(), "it's", "the names can be corrected");
      if (status !== "404") assert.equal(await page.locator("pre").innerText(), "git diff 'it'\\''s...v0.3.0'");
      await page.unroute(/\/repository\/compare\?/);
    }
    await page.route(/\/repository\/compare\?/, async (route) => {
      const answer = await route.fetch();
      const data = await answer.json();
      await route.fulfill({
        response: answer,
        json: { ...data, compare_timeout: true, diffs: data.diffs.map((file) => ({ ...file, diff: "", too_large: true })) },
      });
    });
    await browser.open(page, `${PROJECT}/-/compare/v0.3.0-rc.1...v0.3.0`);
    await page.getByText("Not all changes are shown").waitFor();
    await page.getByText("Too large to be shown here. Use git to see it.").first().waitFor();
  },
};

/** Who does it, where it is not Ann. */
export const RELEASED_BY = {
  "makes a release of a tag with a link, changes both, and deletes them": "bob",
  "reads releases without a token, goes to a tag and to what changed, and downloads its files": null,
  "is a reporter, who reads who may make releases, and that one is not there": "rae",
};
