// How people find what they look for, from every page.
import assert from "node:assert/strict";
import { accessibility } from "./looks.mjs";

const PROJECT = "/demo-group/edgeforge";
const ISSUES = `${PROJECT}/-/issues`;
const api = "/projects/demo-group%2Fedgeforge";
const field = (page, name) => page.getByLabel(name, { exact: true });
const row = (page, text) => page.locator("main .row", { hasText: text });

/** In light and in dark. */
async function isReadable(page) {
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await accessibility(page), []);
  }
}
export const SEARCHING = {
  async "reads which part a search looked at, if it was not all"({ browser }, page) {
    // as of a server with more milestones than a search of all projects looks at
    await page.route(/scope=milestones/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, headers: { ...answer.headers(), "x-hint": "only the newest" } });
    });
    await browser.open(page, "/search?search=Spring&in=milestones");
    await page.getByText("Not everything was searched: only the newest.").waitFor();
  },

  async "searches issues and projects from anywhere, with the keyboard"({ browser, call }, page) {
    const name = `needle-${Date.now().toString(36)}`;
    for (const at of [0, 1]) await call("POST", `${api}/issues`, { title: `${name} ${at}` });
    await browser.open(page, "/todos");
    await page.keyboard.press("/");
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    await row(page, `${name} 1`)
      .getByText(/^demo-group\/edgeforge#\d+/)
      .waitFor();
    assert.equal(await page.locator("main .row").count(), 2);
    await page.getByText("Issues 2", { exact: true }).waitFor();
    // no word of an issue begins so, and the name of a project has it: the first tab that has something is shown
    await field(page, "In all projects that you can see").fill("dgefor");
    await page.keyboard.press("Enter");
    await page.locator("nav [aria-current]", { hasText: /^Projects 1/ }).waitFor();
    await row(page, "edgeforge")
      .getByRole("link", { name: /edgeforge$/ })
      .click();
    await page.waitForURL(`${browser.server}${PROJECT}`);
    await page.goBack();
    await row(page, "edgeforge").waitFor();
    for (const [words, title, text] of [
      ["Bob", "People", "@bob"],
      ["Spring", "Milestones", "Spring release"],
    ]) {
      await browser.open(page, `/search?search=${words}`);
      await page.getByRole("link", { name: new RegExp(`^${title}`) }).click();
      await row(page, text).waitFor();
    }
    await browser.open(page, `/search?search=gitbeaker&project=demo-group/edgeforge&in=notes`);
    await page.locator("main .row-title", { hasText: "gitbeaker" }).first().click();
    await page.waitForURL(/#note_\d+$/);
    await page.locator(".note", { hasText: "gitbeaker" }).waitFor();
  },

  async "goes to an issue, a commit, a file and a project by what they type, from any place"({ browser, call, sha }, page) {
    const { data: issue } = await call("GET", `${api}/issues/6`);
    /** @type {(words: string, option?: RegExp, key?: string) => Promise<void>} */
    const find = async (words, option, key = "Control+k") => {
      await page.keyboard.press(key);
      await page.keyboard.type(words);
      if (option) await page.getByRole("option", { name: option }).first().waitFor();
      await page.keyboard.press("Enter");
      await page.locator(".found").waitFor({ state: "detached" });
    };
    await browser.open(page, PROJECT);
    await find("#6", new RegExp(issue.title), "/");
    await page.waitForURL(`${browser.server}${ISSUES}/6`);
    await field(page, "Comment").focus();
    await find(sha.slice(0, 10), /^Commit/);
    await page.waitForURL(new RegExp(`/-/commit/${sha.slice(0, 10)}`));
    await find("cargo.toml");
    await page.waitForURL(/\/-\/blob\/HEAD\/.*Cargo\.toml$/);
    await find("src/lib.rs");
    await page.waitForURL(/\/-\/blob\/HEAD\/src\/lib\.rs$/);
    await find("secret");
    await page.waitForURL(`${browser.server}/demo-group/secret`);
    await find("@bo", /Bob Developer/);
    await page.waitForURL(`${browser.server}/bob`);
    await browser.open(page, ISSUES);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Link head");
    await page.getByRole("option", { name: /Link headers lose/ }).waitFor();
    await isReadable(page);
    await page.keyboard.press("Escape");
    await page.locator(".found").waitFor({ state: "detached" });
    assert.match(page.url(), /\/issues$/, "Escape leaves everything as it was");
  },

  async "types filters of issues, reads how many there are of each kind, and goes to one by the arrows"({ browser, call }, page) {
    const name = `kind${Date.now().toString(36)}`;
    for (const at of [0, 1, 2, 3, 4, 5, 6]) await call("POST", `${api}/issues`, { title: `${name} ${at}`, labels: at ? "bug" : "" });
    const asked = [];
    page.on("request", (request) => request.url().includes("/repository/tree") && asked.push(request.url()));
    await browser.open(page, ISSUES);
    await page.keyboard.press("/");
    await page.keyboard.type(`label:bug author:me is:open ${name}`);
    await page
      .getByRole("group", { name: "Issues: 6" })
      .getByRole("option", { name: `${name} 6` })
      .waitFor();
    await page.getByRole("option", { name: "All 6 issues" }).waitFor();
    await isReadable(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: `${name} 6` }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.localName), "h1", "the heading has the focus");
    await page.keyboard.press("/");
    await page.keyboard.type(`label:bug author:ann is:open ${name}`);
    await page.keyboard.press("Enter");
    await page.waitForURL(/issues\?state=opened&labels=bug&author=ann&search=/);
    await browser.settled(page);
    assert.equal(await page.locator("main .row").count(), 6);
    await browser.open(page, `/search?search=${encodeURIComponent(`label:bug ${name}`)}`);
    await page.getByText("Issues 6", { exact: true }).waitFor();
    await browser.open(page, PROJECT);
    asked.length = 0;
    await field(page, "Find anything").click();
    await page.keyboard.type("labels");
    const files = page.getByRole("group", { name: /^Files: \d/ });
    await files.getByRole("option", { name: /labels.jsx/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type(".sql");
    await files.getByRole("option", { name: /.sql/ }).first().waitFor();
    assert.equal(asked.length, 1, "the paths of all files are one answer, read once");
  },

  async "searches without a token what everybody may see"({ browser }, page) {
    await browser.open(page, PROJECT);
    await field(page, "Find anything").click();
    await page.keyboard.type("link");
    await page.getByRole("option", { name: /Link headers lose/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator("main .row-title", { hasText: "Link headers lose" }).waitFor();
    assert.equal(await page.getByRole("navigation", { name: "What is found" }).getByRole("link").count(), 1);
  },
};

export const SEARCHED_BY = { "searches without a token what everybody may see": null };
