// How people read the files of a repository, and manage web hooks.
import assert from "node:assert/strict";

const PROJECT = "/demo-group/edgeforge";
const field = (page, name) => page.getByLabel(name, { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const row = (page, text) => page.locator("main .row", { hasText: text });

export const FILES = {
  async "goes through folders to a file, and shares a line of it"({ browser }, page) {
    await browser.open(page, PROJECT);
    await page.getByRole("link", { name: "Files", exact: true }).click();
    await page.locator(".readme").getByRole("heading").first().waitFor();
    await page.locator(".files").getByRole("link", { name: "page", exact: true }).click();
    await page.waitForURL(/\/-\/tree\/[^/]+\/page$/);
    await page.locator(".files").getByRole("link", { name: "parts", exact: true }).click();
    await page.locator(".files").getByRole("link", { name: "picker.jsx", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "picker.jsx" }).waitFor();
    await page.getByText("export function useSuggestions").first().waitFor();
    await page.getByRole("link", { name: "12", exact: true }).click();
    await page.waitForURL(/#L12$/);
    await page.locator("tr.chosen", { hasText: "12" }).waitFor();
    await page.reload();
    await page.locator("#L12.chosen").waitFor();
    await page.getByRole("navigation", { name: "Path of the file" }).getByRole("link", { name: "page" }).click();
    await page.waitForURL(/\/-\/tree\/[^/]+\/page$/);
    await browser.settled(page);
  },

  async "asks which commit changed each entry of a folder and how long its files are, and is shown it from then on"(
    { browser, call },
    page,
  ) {
    const { asked } = await browser.open(page, PROJECT);
    assert.ok(!asked.some((address) => /files\/.*ref=|[?&]path=[^&]/.test(address) && !address.includes("README")), "nobody wanted it yet");
    await button(page, "Changes").click();
    const file = row(page, "Cargo.toml");
    await file.scrollIntoViewIfNeeded();
    await file.locator(".size", { hasText: "kB" }).waitFor();
    const { data: record } = await call("GET", "/projects/demo-group%2Fedgeforge/repository/files/Cargo.toml?ref=HEAD");
    assert.equal(await file.locator(".size").innerText(), `${(record.size / 1000).toFixed(1)} kB`);
    assert.ok((await file.locator(".row-text a").getAttribute("href")).endsWith(record.last_commit_id || "path=Cargo.toml"));
    const { data: newest } = await call("GET", "/projects/demo-group%2Fedgeforge/repository/commits?path=page&per_page=1");
    await row(page, "page").locator(`a[href$="/-/commit/${newest[0].id}"]`).first().waitFor();
    await browser.open(page, `${PROJECT}/-/tree/HEAD/page/static`);
    await page.locator(".size", { hasText: "bytes" }).first().waitFor();
    await button(page, "Changes").click();
    await page.locator(".size").first().waitFor({ state: "detached" });
  },

  async "reads a long file from a link to its last lines, of which few are drawn"({ browser }, page) {
    await browser.open(page, `${PROJECT}/-/blob/HEAD/Cargo.lock#L1000-1003`);
    await page.locator("#L1000.chosen").waitFor();
    assert.equal(await page.locator("tr.chosen").count(), 4);
    assert.ok(
      await page.locator("#L1000").evaluate((line) => {
        const { top } = line.getBoundingClientRect();
        return top > 0 && top < innerHeight;
      }),
      "it is on the screen",
    );
    assert.ok((await page.locator("tr").count()) < 600, "only what is near is drawn");
  },

  async "reads Markdown with links to other files, its source, and its history"({ browser }, page) {
    await browser.open(page, `${PROJECT}/-/blob/HEAD/README.md`);
    const link = page.locator(".markdown a[href$='/docs/deploy.md'], .markdown a[href$='/CONTRIBUTING.md']").first();
    assert.match(await link.getAttribute("href"), /\/-\/blob\/HEAD\//);
    await button(page, "Source").click();
    await page.locator("#L1").waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.getByText("Path: README.md").waitFor();
    await browser.settled(page);
    assert.ok((await page.locator("main .row").count()) > 0);
    await page.goBack();
    await page.getByRole("link", { name: "Permanent link" }).click();
    await page.waitForURL(/\/-\/blob\/[0-9a-f]{40}\/README\.md$/);
  },

  async "downloads a file, and is told what is no text, and what is not there"({ browser }, page) {
    page.noted.expected = new Set([404]);
    await browser.open(page, `${PROJECT}/-/blob/HEAD/page/static/favicon.ico`);
    await page.getByText("A binary file has no lines to show.").waitFor();
    const saved = page.waitForEvent("download");
    await button(page, "Download").click();
    assert.equal((await saved).suggestedFilename(), "favicon.ico");
    await browser.open(page, `${PROJECT}/-/blob/HEAD/no/such/file`);
    await page.getByRole("heading", { level: 1, name: "No such file" }).waitFor();
    await browser.open(page, `${PROJECT}/-/tree/HEAD/nowhere`);
    await page.getByRole("heading", { level: 1, name: "No such folder" }).waitFor();
  },

  async "reads what the server lacks"({ browser }, page) {
    page.noted.expected = new Set([503]);
    await page.route(/\/api\/v4\/projects/, (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/json",
        body: '{"message":"503 Service Unavailable - the database lacks tables: run scripts/migrate"}',
      }),
    );
    await browser.open(page, `${PROJECT}/-/branches`);
    await page.getByText("The server cannot answer yet: the database lacks tables: run scripts/migrate.").first().waitFor();
  },

  async "is told when files have not arrived yet"({ browser }, page) {
    page.noted.expected = new Set([503]);
    await page.route(/\/repository\/tree/, (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/json",
        body: '{"message":"503 Service Unavailable - objects of 1 are not mirrored yet"}',
      }),
    );
    await browser.open(page, `${PROJECT}/-/tree/HEAD`);
    await page.getByText("The files of this commit have not arrived yet.").waitFor();
  },
};

export const HOOKS = {
  async "makes a web hook, tries it, reads request and answer, sends again, and deletes it"({ browser }, page) {
    page.noted.expected = new Set([422, 429]);
    await browser.open(page, `${PROJECT}/-/settings`);
    await page.getByRole("link", { name: "Web hooks" }).click();
    await button(page, "New web hook").click();
    await field(page, "Address").fill("https://hooks.invalid/edgeforge");
    await field(page, "Name").fill("A flow's hook");
    await field(page, "Issues").check();
    await button(page, "Make one for Signing token").click();
    assert.match(await field(page, "Signing token").inputValue(), /^whsec_[\w+/]{43}=$/);
    await button(page, "Add web hook").click();
    await page.waitForURL(/\/-\/hooks\/\d+$/);
    await page.getByRole("heading", { level: 1, name: "A flow's hook" }).waitFor();
    await page.getByText("called for pushes to branches, issues").waitFor();
    await page.getByText("signed", { exact: true }).waitFor();
    await page.getByLabel("Test with the newest of").selectOption("Issues");
    await button(page, "Test").click();
    const delivery = row(page, "issue").first();
    await delivery.waitFor();
    await delivery.getByText("Request and answer").click();
    await delivery.getByRole("group", { name: "Request", exact: true }).getByText("X-Gitlab-Event: Issue Hook").waitFor();
    assert.ok(!(await page.content()).includes("whsec_"), "the secret is not shown again");
    await delivery.getByRole("button", { name: /^Send again/ }).click();
    await page.waitForFunction(() => document.querySelectorAll("main .row details").length > 1);
    await button(page, "Edit").click();
    await field(page, "Name").fill("Renamed");
    await button(page, "Save").click();
    await page.getByRole("heading", { level: 1, name: "Renamed" }).waitFor();
    await button(page, "More for this web hook").click();
    await button(page, "Delete this web hook").click();
    await page.getByRole("group").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(/\/-\/hooks$/);
    await browser.settled(page);
    assert.equal(await row(page, "Renamed").count(), 0);
  },

  async "is refused an address of a private network, in words"({ browser }, page) {
    page.noted.expected = new Set([422]);
    await browser.open(page, `${PROJECT}/-/hooks`);
    await button(page, "New web hook").click();
    await field(page, "Address").fill("http://127.0.0.1:9/x");
    await button(page, "Add web hook").click();
    await page.getByRole("alert").getByText("Invalid url given").waitFor();
  },
};
