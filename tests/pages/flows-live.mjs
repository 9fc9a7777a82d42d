// People see the changes of others without loading a page again.
import assert from "node:assert/strict";

const PROJECT = "/demo-group/edgeforge";
const ISSUES = `${PROJECT}/-/issues`;
const api = "/projects/demo-group%2Fedgeforge";
const field = (page, name) => page.getByLabel(name, { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const unique = (name) => `${name}-${Date.now().toString(36)}`;
const news = (page, words) => page.locator(".news").getByRole("button", { name: words });

/** As if the user came back to the tab after a while. */
async function comeBack(page) {
  await page.clock.runFor(5000);
  await page.evaluate(() => dispatchEvent(new Event("focus")));
}
/** The requests to the API with a tag, and the statuses of their answers. */
function conditional(page) {
  const statuses = [];
  page.on("response", (response) => response.request().headers()["if-none-match"] && statuses.push(response.status()));
  return statuses;
}

export const LIVE = {
  async "reads an issue while others comment and change it, and is moved by nothing"({ browser, call, root }, page) {
    const { data: issue } = await call("POST", `${api}/issues`, { title: "Watched", description: "Text.\n\n".repeat(60) });
    const path = `${api}/issues/${issue.iid}`;
    await page.clock.install();
    const statuses = conditional(page);
    await browser.open(page, `${ISSUES}/${issue.iid}`);
    await field(page, "Comment").fill("Half a sentence");
    const place = () => field(page, "Comment").evaluate((area) => area.getBoundingClientRect().top);
    const before = await place();
    await comeBack(page);
    await page.waitForResponse((response) => response.status() === 304);
    assert.equal(await page.locator(".news button").count(), 0, "nothing is new");
    await root("POST", `${path}/notes`, { body: "Said by root." });
    await comeBack(page);
    await news(page, "1 new comment").waitFor();
    assert.equal(await place(), before, "what one writes stays where it is");
    assert.equal(await page.getByText("Said by root.").count(), 0, "until it is wanted");
    await news(page, "1 new comment").click();
    const note = page.locator(".note", { hasText: "Said by root." });
    await note.waitFor();
    await page.waitForFunction(() => {
      const { top, bottom } = /** @type {any} */ ([...document.querySelectorAll(".note")].at(-1)).getBoundingClientRect();
      return top > 0 && bottom < innerHeight;
    });
    assert.equal(await field(page, "Comment").inputValue(), "Half a sentence");
    // one's own comment is no news, and neither is its deletion
    await button(page, "Comment").click();
    await page.locator(".note", { hasText: "Half a sentence" }).waitFor();
    await comeBack(page);
    await page.waitForTimeout(500);
    assert.equal(await page.locator(".news button").count(), 0);
    // without the focus, each half minute
    await root("PUT", path, { add_labels: "bug" });
    await page.clock.runFor(31_000);
    await news(page, "This issue was changed").click();
    await page.locator("aside .label", { hasText: "bug" }).waitFor();
    assert.ok(statuses.includes(200) && statuses.includes(304), statuses.join());
  },

  async "keeps a text that is edited while the issue changes, and asks nothing of a tab that nobody sees"({ browser, call, root }, page) {
    const { data: issue } = await call("POST", `${api}/issues`, { title: "Edited and watched", description: "Before." });
    await page.clock.install();
    const statuses = conditional(page);
    await browser.open(page, `${ISSUES}/${issue.iid}`);
    await button(page, "Edit").click();
    await field(page, "Description").fill("Written by Ann.");
    await root("PUT", `${api}/issues/${issue.iid}`, { title: "Named by root" });
    await comeBack(page);
    await news(page, "This issue was changed").click();
    await page.locator(".news button").waitFor({ state: "detached" });
    assert.equal(await field(page, "Description").inputValue(), "Written by Ann.");
    page.noted.expected = new Set([412]);
    await button(page, "Save").click();
    await page.getByRole("heading", { level: 1, name: /Named by root/ }).waitFor();
    await page.getByText("Written by Ann.").first().waitFor();
    statuses.length = 0;
    await page.evaluate(() => Object.defineProperty(document, "visibilityState", { get: () => "hidden" }));
    await page.clock.runFor(120_000);
    assert.deepEqual(statuses, []);
  },

  async "reads lists while others write: issues, things to do, and what happened"({ browser, call, root, people }, page) {
    await page.clock.install();
    await browser.open(page, ISSUES);
    const title = unique("Seen later");
    const first = await page.locator("main .row-title").first().innerText();
    const { data: issue } = await root("POST", `${api}/issues`, { title });
    await comeBack(page);
    await news(page, "1 new or changed issue").waitFor();
    assert.equal(await page.locator("main .row-title").first().innerText(), first, "the list stays");
    await news(page, "1 new or changed issue").click();
    await page.locator("main .row", { hasText: title }).waitFor();
    await page.locator(".news button").waitFor({ state: "detached" });
    await browser.open(page, "/todos");
    await root("PUT", `${api}/issues/${issue.iid}`, { assignee_id: people.ann.user.id });
    await comeBack(page);
    await news(page, "1 new item").click();
    await page.locator("main .row", { hasText: title }).waitFor();
    await browser.open(page, `${PROJECT}/-/activity`);
    await root("PUT", `${api}/issues/${issue.iid}`, { state_event: "close" });
    await comeBack(page);
    await news(page, "1 new event").click();
    await page.locator("main .row", { hasText: title }).first().waitFor();
    await call("DELETE", `${api}/issues/${issue.iid}`);
  },

  async "reads the builds of fifty commits, which are one request"({ browser, call, sha }, page) {
    await call("POST", `${api}/statuses/${sha}`, { state: "success", name: "ci/live", ref: "live" });
    const { asked } = await browser.open(page, `${PROJECT}/-/commits`);
    assert.ok(asked.length < 8, asked.join("\n"));
    assert.equal(asked.filter((address) => /\/pipelines\?/.test(address)).length, 1);
    const { data: commits } = await call("GET", `${api}/repository/commits?per_page=50`);
    const WORDS = { success: "passed" };
    const rows = page.locator("main .row");
    assert.equal(await rows.count(), commits.length);
    for (const at of [0, 1, 2, 3, 4, 5, 20, 49]) {
      const { data } = await call("GET", `${api}/repository/commits/${commits[at].id}`);
      const shown = (await rows.nth(at).locator(".build").innerText()).trim();
      assert.equal(shown, data.status ? (WORDS[data.status] ?? data.status) : "", commits[at].id);
    }
    // where the newest pipelines are younger than a commit, it may have an older one
    await page.route(/\/pipelines\?/, async (route) => {
      const answer = await route.fetch();
      const link = `<${browser.server}/api/v4${api}/pipelines?page=2>; rel="next"`;
      await route.fulfill({ response: answer, headers: { ...answer.headers(), link }, json: (await answer.json()).slice(0, 1) });
    });
    const again = await browser.open(page, `${PROJECT}/-/commits`);
    assert.ok(again.asked.filter((address) => /\/repository\/commits\/[0-9a-f]{40}/.test(address)).length > 5, "by itself");
    await page.unrouteAll();
  },
};
