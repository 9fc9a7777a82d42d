// How people come in and go, and what other sites cannot do with their cookies.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { account, started } from "./browser.mjs";

/** A square of 2 by 2. */
const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==", "base64");
const PROJECT = "/demo-group/edgeforge";
const field = (page, name) => page.getByLabel(name, { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });

/** The server under another name of this machine: every name below `localhost` leads here. */
function under(server, name) {
  const address = new URL(server);
  address.hostname = name;
  return address.origin;
}

/** Another server of this machine, which answers with `html`: its port, and a function that ends it. */
async function foreign(html) {
  const server = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end(`<!doctype html><title>x</title>${html}`));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { port, end: () => server.close() };
}

export const SESSIONS = {
  async "is signed in by a link on one's own machine, with a right token, and not by one elsewhere"({ browser, call, people }, page) {
    page.noted.expected = new Set([400, 401, 403]);
    const asked = [];
    page.on("request", (request) => asked.push(request));
    await page.goto(`${browser.server}${PROJECT}#sign-in=${people.ann.token}`);
    await page.getByText("Ann Owner").first().waitFor();
    assert.equal(page.url(), `${browser.server}${PROJECT}`, "the fragment is gone");
    await page.goBack().catch(() => null);
    for (const request of asked) assert.ok(!request.url().includes(people.ann.token) && !request.headers().referer?.includes("sign-in"));
    // in a page that is open, too, and as somebody else
    await page.goto(`${browser.server}/`);
    await page.evaluate((token) => (location.hash = `#sign-in=${token}`), people.bob.token);
    await page.getByText("Bob Developer").first().waitFor();
    assert.equal(page.url(), `${browser.server}/`);
    await account(page, "Sign out");
    await button(page, "Sign in").first().waitFor();
    await page.goto(`${browser.server}/projects/new#sign-in=wrong`);
    await page.getByText("The server does not accept this token").waitFor();
    const fields = { name: "link", scopes: ["api"], access_level: 30 };
    const { data: made } = await call("POST", "/projects/demo-group%2Fedgeforge/access_tokens", fields);
    await page.goto(`${browser.server}/profile#sign-in=${made.token}`);
    await page.getByText("Only a personal token starts a session").waitFor();
    await call("DELETE", `/projects/demo-group%2Fedgeforge/access_tokens/${made.id}`);

    const there = under(browser.server, "edge.forge.localhost");
    const other = await page.tab.newPage();
    const sent = [];
    other.on("request", (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await other.goto(`${there}/#sign-in=${people.ann.token}`);
    await other.getByRole("dialog").getByLabel("Token", { exact: true }).waitFor();
    assert.equal(await other.getByRole("dialog").getByLabel("Token", { exact: true }).inputValue(), people.ann.token);
    assert.equal(other.url(), `${there}/`, "the fragment is gone");
    assert.ok(!sent.some((line) => line.startsWith("POST")), "it only fills the field");
    assert.deepEqual(await page.tab.cookies(there), []);
  },

  async "reads the words of the server, and why Access did not sign one in"({ browser, root, people }, page) {
    const { data: before } = await root("GET", "/application/settings");
    await root("PUT", "/application/settings", {
      sign_in_text: "Ask **Ann** for an account. ![x](/uploads/00000000000000000000000000000000/x.png)",
    });
    await browser.open(page, "/users/sign_in?problem=no_account&to=/demo-group/edgeforge/-/issues");
    await page.getByText("No account has the e-mail that Access knows. Ask an administrator.").waitFor();
    await page.locator("strong", { hasText: "Ann" }).waitFor();
    await field(page, "Token").fill(people.bob.token);
    await page.locator("main").getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(`${browser.server}/demo-group/edgeforge/-/issues`);
    await page.getByText("Bob Developer").first().waitFor();
    for (const evil of ["//evil.example", "/\\evil.example", "https://evil.example"]) {
      await browser.open(page, `/users/sign_in?to=${encodeURIComponent(evil)}`);
      assert.equal(await page.getByRole("link", { name: "Go on" }).getAttribute("href"), "/");
    }
    await root("PUT", "/application/settings", { sign_in_text: before.sign_in_text });
  },

  async "lists the sessions, and ends those of other browsers"({ browser, people }, page) {
    page.noted.expected = new Set([401]);
    const elsewhere = await started(browser.server, people.gus.token);
    const [{ value: secret }, { value: id }] = elsewhere;
    const works = async () => (await fetch(`${browser.server}/api/v4/user`, { headers: { Cookie: `session=${secret}` } })).status;
    assert.equal(await works(), 200);
    await browser.open(page, "/profile");
    await button(page, "Sign in").first().click();
    await field(page, "Token").fill(people.gus.token);
    await page.keyboard.press("Enter");
    const own = page.locator("main .row", { hasText: "this browser" });
    await own.getByText(/^Chrome on Linux$/).waitFor();
    await own.getByText(/signed in by a token/).waitFor();
    const rows = page.locator("section[aria-labelledby=session] .row");
    const count = await rows.count();
    assert.ok(count > 1, `${count} sessions, of which one has the id ${id}`);
    await rows.filter({ hasText: "node" }).first().getByRole("button", { name: /^End/ }).click();
    await page.getByRole("group").getByRole("button", { name: "End", exact: true }).click();
    await page.waitForFunction((before) => document.querySelectorAll("section[aria-labelledby=session] .row").length < before, count);
    assert.equal(await works(), 401);
    await own.getByRole("button", { name: "Sign out" }).click();
    await button(page, "Sign in").first().waitFor();
    assert.deepEqual(await page.tab.cookies(), []);
  },

  async "visits other sites, whose forms, scripts and pictures do nothing with the cookies"({ browser, call, people }, page) {
    page.noted.expected = new Set([401, 403, 404]);
    const here = under(browser.server, "edge.forge.localhost");
    page.noted.own.add(here);
    const cookies = await started(browser.server, people.ann.token);
    await page.tab.addCookies(cookies.map((cookie) => ({ ...cookie, url: here })));
    await page.goto(`${here}${PROJECT}`);
    await page.getByText("Ann Owner").first().waitFor();
    const path = "/api/v4/projects/demo-group%2Fedgeforge/issues";
    const count = async () =>
      (await call("GET", "/projects/demo-group%2Fedgeforge/issues_statistics?scope=all")).data.statistics.counts.all;
    const before = await count();
    const form = `<form method="post" action="${here}${path}"><input name="title" value="forged"></form>`;
    const file = new FormData();
    file.append("file", new Blob([PNG]), "seen.png");
    const headers = { "PRIVATE-TOKEN": people.ann.token };
    const answer = await fetch(`${browser.server}/api/v4/projects/demo-group%2Fsecret/uploads`, { method: "POST", headers, body: file });
    const source = here + (await answer.json()).full_path;
    const picture = `<img src="${source}">`;
    const width = (tab) =>
      tab.evaluate(async (src) => {
        const shown = Object.assign(new Image(), { src });
        await shown.decode().catch(() => {});
        return shown.naturalWidth;
      }, source);
    assert.equal(await width(page), 2, "in a page of the server the cookie opens it");
    const { port, end } = await foreign(form + picture);
    const sites = { "another site": "evil.localhost", "a sibling host": "evil.forge.localhost", "another port": "edge.forge.localhost" };
    for (const [what, host] of Object.entries(sites)) {
      const tab = await page.tab.newPage();
      await tab.goto(`http://${host}:${port}/`);
      assert.equal(await width(tab), 0, `${what}: a picture is a visitor's`);
      const fetched = await tab.evaluate(
        async ({ url }) => {
          const tries = [
            { headers: { "X-Edgeforge-Page": "1" }, credentials: "include" },
            { headers: { "X-Edgeforge-Page": "1" }, credentials: "omit" },
            { credentials: "include" },
            { credentials: "include", mode: "no-cors" },
          ];
          const outcome = async (more) => {
            const form = new URLSearchParams({ title: "forged" });
            return fetch(url, { method: "POST", body: form, .../** @type {any} */ (more) }).then(
              (answer) => answer.status,
              () => "refused",
            );
          };
          return Promise.all(tries.map(outcome));
        },
        { url: `${here}${path}` },
      );
      // the last one is opaque to that page
      assert.deepEqual(fetched, ["refused", "refused", "refused", 0], what);
      const sent = tab.waitForResponse((answer) => answer.request().method() === "POST" && answer.url() === `${here}${path}`);
      await tab.evaluate(() => document.querySelector("form")?.submit());
      // another site gets the browser to send no cookie at all
      assert.equal((await sent).status(), what === "another site" ? 401 : 403, `${what}: a form`);
      await tab.waitForURL(`${here}${path}`);
    }
    end();
    assert.equal(await count(), before, "no issue was made");
    assert.equal(await width(page), 2, "the session goes on");
  },
};

/** Who does it, where it is not Ann. */
export const SIGNED_IN_BY = {
  "is signed in by a link on one's own machine, with a right token, and not by one elsewhere": null,
  "reads the words of the server, and why Access did not sign one in": null,
  "lists the sessions, and ends those of other browsers": null,
  "visits other sites, whose forms, scripts and pictures do nothing with the cookies": null,
};
