// Tries the documentation page of a served edgeforge as a reader would: opens it, gives it a token, makes a call.
//
//   ADMIN_TOKEN=.. node scripts/page-test.mjs --server URL --browser FILE --profile DIR --screenshot FILE
import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";

const option = { type: "string" };
const { values: given } = parseArgs({ options: { server: option, browser: option, profile: option, screenshot: option } });
const flags = "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const context = await chromium.launchPersistentContext(given.profile, {
  executablePath: given.browser,
  headless: true,
  args: flags.split(" "),
  viewport: { width: 1280, height: 1600 },
});
try {
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(30_000);
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => problems.push(`failed: ${request.url()}`));
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== given.server) problems.push(`left the server: ${request.url()}`);
  });

  await page.goto(`${given.server}/docs`);
  await page.getByRole("heading", { name: "edgeforge API v4" }).waitFor();
  await page.getByRole("link", { name: "v3", exact: true }).click();
  await page.getByRole("heading", { name: "edgeforge API v3" }).waitFor();
  const described = (await (await fetch(`${given.server}/api/v3/openapi.json`)).json()).tags.length;
  const sections = await page.locator(".opblock-tag-section").count();
  assert.equal(sections, described, "the page shows every section");
  console.log(`the page shows ${sections} sections`);

  await page.getByRole("button", { name: "Authorize" }).click();
  const dialog = page.locator(".modal-ux");
  await dialog.locator("input").fill(process.env.ADMIN_TOKEN);
  await dialog.getByRole("button", { name: "Apply credentials" }).click();
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();

  await page.locator(".opblock-tag", { hasText: "Users" }).first().click();
  const call = page.locator("#operations-Users-showOwnUser");
  await call.locator(".opblock-summary-control").click();
  const answered = page.waitForResponse((answer) => answer.url() === `${given.server}/api/v3/user`);
  await call.getByRole("button", { name: "Execute" }).click();
  const answer = await answered;
  assert.equal(answer.status(), 200);
  assert.equal((await answer.json()).username, "root");
  const shown = call.locator(".live-responses-table");
  await shown.getByText('"root"').first().waitFor();
  console.log(`GET /user, made through the page with a token, answered ${answer.status()} as root`);

  await call.scrollIntoViewIfNeeded();
  await call.evaluate((element) => window.scrollTo(0, element.getBoundingClientRect().top + window.scrollY - 620));
  await page.screenshot({ path: given.screenshot });
  assert.deepEqual(problems, [], "the page has problems");
  console.log(`no errors on the console, nothing asked of another server; screenshot in ${given.screenshot}`);
} finally {
  await context.close();
}
