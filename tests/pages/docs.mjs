// The page that shows the OpenAPI descriptions, tried as a reader would: opens it, gives it a token, makes a call.
import assert from "node:assert/strict";
import { person } from "./browser.mjs";

const linksOf = (page) =>
  page.locator(".frame a").evaluateAll((all) => all.map((link) => `${link.textContent} ${link.getAttribute("href")}`));

/** Returns how many sections it shows. */
export async function readDocumentation(browser, token, screenshot) {
  const page = await browser.page({ height: 1600, name: "documentation" });
  await page.goto(`${browser.server}/docs`);
  await page.getByRole("heading", { name: "edgeforge API v4" }).waitFor();
  assert.deepEqual(await linksOf(page), ["edgeforge /", "Search /search", "v4 ?api=v4", "v3 ?api=v3", "Sign in /#sign-in"]);
  await page.getByRole("link", { name: "v3", exact: true }).click();
  await page.getByRole("heading", { name: "edgeforge API v3" }).waitFor();
  const described = (await (await fetch(`${browser.server}/api/v3/openapi.json`)).json()).tags.length;
  const sections = await page.locator(".opblock-tag-section").count();
  assert.equal(sections, described, "the page shows every section");

  await page.getByRole("button", { name: "Authorize" }).click();
  const dialog = page.locator(".modal-ux");
  await dialog.locator("input").fill(token);
  await dialog.getByRole("button", { name: "Apply credentials" }).click();
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();

  await page.locator(".opblock-tag", { hasText: "Users" }).first().click();
  const call = page.locator("#operations-Users-showOwnUser");
  await call.locator(".opblock-summary-control").click();
  const answered = page.waitForResponse((answer) => answer.url() === `${browser.server}/api/v3/user`);
  await call.getByRole("button", { name: "Execute" }).click();
  const answer = await answered;
  assert.equal(answer.status(), 200);
  assert.equal((await answer.json()).username, "root");
  await call.locator(".live-responses-table").getByText('"root"').first().waitFor();
  await call.scrollIntoViewIfNeeded();
  await page.screenshot({ path: screenshot });
  assert.deepEqual(page.noted.problems, []);
  await page.tab.close();
  await readSignedIn(browser, token);
  return sections;
}

/** In the dark, by the cookie of the session. */
async function readSignedIn(browser, token) {
  const page = await browser.page({ as: await person(browser.server, token), dark: true, name: "documentation, signed in" });
  await page.goto(`${browser.server}/docs`);
  await page.getByRole("heading", { name: "edgeforge API v4" }).waitFor();
  await page.getByRole("link", { name: "Administrator", exact: true }).waitFor();
  const [red] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? []);
  assert.ok(red < 60, "dark");
  await page.locator(".opblock-tag", { hasText: "Users" }).first().click();
  const call = page.locator("#operations-Users-showOwnUser");
  await call.locator(".opblock-summary-control").click();
  const answered = page.waitForResponse((answer) => answer.url() === `${browser.server}/api/v4/user`);
  await call.getByRole("button", { name: "Execute" }).click();
  assert.equal((await answered).status(), 200, "the cookie of the session is sent");
  assert.deepEqual(await linksOf(page), [
    "edgeforge /",
    "To do /todos",
    "Administration /admin",
    "Search /search",
    "v4 ?api=v4",
    "v3 ?api=v3",
    "Administrator /root",
    "Settings /profile",
  ]);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("link", { name: "Sign in", exact: true }).click();
  await page.getByRole("dialog").getByLabel("Token").waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem("edgeforge-session")), null, "nothing is left of the session");
  assert.deepEqual(page.noted.problems, []);
  await page.tab.close();
}
