// How people read commits, short and long.
import assert from "node:assert/strict";

const PROJECT = "/demo-group/edgeforge";
const button = (page, name) => page.getByRole("button", { name, exact: true });
const FILE = {
  old_path: "x",
  a_mode: "100644",
  b_mode: "100644",
  new_file: false,
  renamed_file: false,
  deleted_file: false,
  too_large: false,
  collapsed: false,
};
const lines = Array.from({ length: 150 }, (_, at) => `-const value${at} = compute(${at});\n+const value${at} = calculate(${at});\n`).join(
  "",
);
const LONG = Array.from({ length: 40 }, (_, at) => ({
  ...FILE,
  new_path: `src/part${at % 7}/file${at}.js`,
  old_path: `src/part${at % 7}/file${at}.js`,
  diff: `@@ -1,150 +1,150 @@\n${lines}`,
}));
const give = (page, shape, change) =>
  page.route(shape, async (route) => {
    const answer = await route.fetch();
    const json = change(await answer.json());
    // a list that is made up has one page, also where the true one has more
    const { link, ...headers } = answer.headers();
    if ("x-total" in headers) headers["x-total"] = String(json.length);
    await route.fulfill({ response: answer, headers, json });
  });

export const READING = {
  async "reads a commit on a phone, where the rest of its head is behind More"({ browser, sha }, page) {
    await page.setViewportSize({ width: 390, height: 844 });
    await browser.open(page, `${PROJECT}/-/commit/${sha}`);
    const parent = page.getByText(/^Parent/);
    assert.equal(await parent.isVisible(), false);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await parent.waitFor();
    await page.locator(".builds").waitFor();
    await page.getByRole("button", { name: "Less", exact: true }).click();
    await parent.waitFor({ state: "hidden" });
  },

  async "reads the whole message of a commit, copies its hash, and goes to its branch"({ browser, sha }, page) {
    const subject = `${"A very long subject ".repeat(8)}with the elephant`;
    await give(page, /\/repository\/commits\/[0-9a-f]{40}$/, (commit) => ({
      ...commit,
      title: `${subject.slice(0, 80)}…`,
      message: `${subject}\n\nCloses #6, says @bob: https://a.example/x?y, after ${sha.slice(0, 9)}.\n`,
    }));
    await page.tab.grantPermissions(["clipboard-read", "clipboard-write"]);
    await browser.open(page, `${PROJECT}/-/commit/${sha}`);
    await page.getByRole("heading", { level: 1, name: /with the elephant$/ }).waitFor();
    const links = await page
      .locator(".message a")
      .evaluateAll((all) => all.map((link) => [link.innerText, link.getAttribute("href"), link.rel]));
    assert.deepEqual(links, [
      ["#6", `${PROJECT}/-/issues/6`, ""],
      ["@bob", "/bob", ""],
      ["https://a.example/x?y", "https://a.example/x?y", "noopener nofollow"],
      [sha.slice(0, 9), `${PROJECT}/-/commit/${sha.slice(0, 9)}`, ""],
    ]);
    await button(page, "Copy the hash").click();
    await page.getByRole("button", { name: /^Copied/ }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), sha);
    await page.locator(".refs a").first().click();
    await page.getByRole("heading", { level: 1, name: /^Commits of / }).waitFor();
  },

  async "goes from commit to commit of the list, and over the end of its page"({ browser }, page) {
    await browser.open(page, `${PROJECT}/-/commits`);
    const titles = await page.locator("main .row-title").evaluateAll((all) => all.map(({ href }) => href));
    await page.locator("main .row-title").last().click();
    await page.waitForURL(titles.at(-1));
    await page.getByRole("link", { name: "Older commit" }).click();
    await page.waitForFunction((was) => location.href !== was && !document.querySelector(".loading"), titles.at(-1));
    await browser.settled(page);
    assert.ok(!titles.includes(page.url()), "the first commit of the next page");
    await page.getByRole("link", { name: "Newer commit" }).click();
    await page.waitForURL(titles.at(-1));
    await page.getByRole("link", { name: "Newer commit" }).click();
    await page.waitForURL(titles.at(-2));
  },

  async "reads twelve thousand lines in forty files to the thirtieth, of which few are drawn"({ browser, sha }, page) {
    await give(page, /\/diff\?/, () => LONG);
    await browser.open(page, `${PROJECT}/-/commit/${sha}`);
    assert.equal(await page.locator(".file").count(), 40);
    assert.ok((await page.locator("tr").count()) < 1000, "only what is near is drawn");
    const list = page.getByRole("navigation", { name: "Changed files" });
    await list.getByLabel("Filter files").fill("file29");
    assert.equal(await list.locator(".leaf").count(), 1);
    await list.getByRole("link").click();
    const file = page.locator("#file-30");
    await file.locator("mark", { hasText: "calculate" }).first().waitFor();
    assert.ok(
      await file.locator("header").evaluate((one) => {
        const { top } = one.getBoundingClientRect();
        return top >= -1 && top < innerHeight;
      }),
      "the file is on the screen",
    );
    await file.getByRole("button", { name: /file29/ }).click();
    assert.equal(await file.locator(".lines").count(), 0, "collapsed");
    await button(page, "Collapse all").click();
    assert.equal(await page.locator(".lines").count(), 0);
    await button(page, "Expand all").click();
    assert.equal(await page.locator(".lines").count(), 40);
  },

  async "marks files as read, which stay so after a reload, and sees the colours of code"({ browser, sha }, page) {
    const names = ["src/deep/one.rs", "src/deep/two.rs", "readme.md"];
    const diff = "@@ -1,1 +1,1 @@\n-let before = 1;\n+let after = 1;\n";
    await give(page, /\/diff\?/, () => names.map((name) => ({ ...FILE, diff, old_path: name, new_path: name })));
    const open = async () => {
      await browser.open(page, `${PROJECT}/-/commit/${sha}`);
      await browser.settled(page);
    };
    await open();
    const file = page.locator("#file-2");
    await file.locator(".hl-keyword", { hasText: "let" }).first().waitFor();
    await file.locator("mark", { hasText: "after" }).waitFor();
    await file.getByText("2 of 3").waitFor();
    const tree = page.getByRole("navigation", { name: "Changed files" });
    await tree.getByText("src/deep", { exact: true }).waitFor();
    await file.getByLabel("Read src/deep/two.rs").check();
    assert.equal(await file.locator(".lines").count(), 0, "folded");
    await open();
    assert.ok(await file.getByLabel("Read src/deep/two.rs").isChecked(), "this browser keeps it");
    assert.deepEqual(await page.locator(".lines").count(), 2);
    await tree.getByText("3 files, 1 read").waitFor();
    await tree.getByRole("link", { name: /two.rs$/ }).click();
    await file.locator(".lines").waitFor();
    await file.getByLabel("Read src/deep/two.rs").uncheck();
    await tree.getByText("3 files", { exact: true }).waitFor();
  },

  async "comments on a line, answers, corrects the comment and deletes it"({ browser, sha }, page) {
    await browser.open(page, `${PROJECT}/-/commit/${sha}`);
    const write = async (text, name) => {
      await page.locator("tr.said").getByRole("textbox").fill(text);
      await page.locator("tr.said").getByRole("button", { name, exact: true }).click();
      await page.getByText(text).waitFor();
    };
    await page
      .getByRole("button", { name: /^Comment on line/ })
      .first()
      .click();
    await write("Why not a constant?", "Comment");
    await page.getByRole("button", { name: /^Answer at line/ }).click();
    await write("It changes with the season.", "Comment");
    const first = page.locator("tr.said .note", { hasText: "Why not a constant?" });
    await first.getByRole("button", { name: "Edit this comment" }).click();
    await write("Why is it no constant?", "Save");
    await page.getByText("edited", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("Why is it no constant?").waitFor();
    const answer = page.locator("tr.said .note", { hasText: "It changes" });
    await answer.getByRole("button", { name: "Delete this comment" }).click();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Keep");
    await answer.getByRole("group").getByRole("button", { name: "Delete" }).click();
    await page.getByText("It changes with the season.").waitFor({ state: "detached" });
    await page.getByText("Why is it no constant?").waitFor();
  },
  async "is given the reason where a file has no lines"({ browser, sha }, page) {
    const files = {
      "pixel.png": { diff: "Binary files a/pixel.png and b/pixel.png differ\n" },
      "run.sh": { b_mode: "100755" },
      "new.txt": { old_path: "old.txt", renamed_file: true },
      "large.txt": { too_large: true },
    };
    await give(page, /\/diff\?/, () =>
      Object.entries(files).map(([new_path, more]) => ({ ...FILE, diff: "", new_path, old_path: new_path, ...more })),
    );
    await browser.open(page, `${PROJECT}/-/commit/${sha}`);
    for (const text of [
      "A binary file has no lines to show.",
      "Mode changed: 100644 → 100755.",
      "Renamed from old.txt without a change of its lines.",
      "Too large to be shown here. Use git to see it.",
    ])
      await page.getByText(text, { exact: true }).waitFor();
  },

  async "goes from an issue to the commits that mention and close it"({ browser }, page) {
    const sha = "0123456789abcdef0123456789abcdef01234567";
    const said = [`mentioned in commit ${sha}`, `closed via commit ${sha}`, `mentioned in commit demo-group/secret@${sha}`];
    // the hook of a git server writes these
    await give(page, /\/notes\?/, (notes) => said.map((body, at) => ({ ...notes[0], id: 900_000 + at, system: true, body })));
    await browser.open(page, `${PROJECT}/-/issues/6`);
    const events = page.locator(".event > [id]");
    const texts = (await events.allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
    [
      "mentioned this in the commit 01234567",
      "closed this by the commit 01234567",
      "mentioned this in the commit demo-group/secret@01234567",
    ].forEach((words, at) => assert.ok(texts[at].includes(words), texts[at]));
    const links = await events.locator("a.sha").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    assert.deepEqual(links, [`${PROJECT}/-/commit/${sha}`, `${PROJECT}/-/commit/${sha}`, `/demo-group/secret/-/commit/${sha}`]);
  },
};
