// A browser that notes whatever a page must not do.
import { chromium } from "playwright-core";

const FLAGS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const SESSION = "edgeforge-session";

/** Notes what is done by texts that were taken for code: before anything of the page runs. */
function watch() {
  globalThis.ran = [];
  for (const name of ["alert", "confirm", "prompt"]) window[name] = (...given) => Boolean(globalThis.ran.push(`${name}(${given.join()})`));
  Object.defineProperty(window, "xss", { set: () => globalThis.ran.push("xss") });
  document.addEventListener("securitypolicyviolation", (event) =>
    globalThis.ran.push(`refused by the policy: ${event.violatedDirective} ${event.blockedURI}`),
  );
}

/** Everything in a page that could run or load something and is not the page's own. */
function findings() {
  const found = [...globalThis.ran];
  /** @type {NodeListOf<any>} */
  const all = document.querySelectorAll("body *");
  for (const element of all) {
    const name = element.localName;
    for (const attribute of element.attributes) {
      if (/^on/i.test(attribute.name) || ["srcdoc", "formaction", "style", "background", "srcset", "poster"].includes(attribute.name)) {
        if (attribute.name === "style" && /^background-color: [^;()]*(\(\d+, \d+, \d+\))?;$/.test(attribute.value)) continue;
        found.push(`<${name} ${attribute.name}="${attribute.value}">`);
      }
    }
    if (["script", "iframe", "object", "embed", "style", "link", "meta", "base", "frame", "template", "math"].includes(name))
      found.push(`<${name}>`);
    if (name === "form" && element.hasAttribute("action")) found.push("<form action>");
    if (name === "a" && element.hasAttribute("href") && !["http:", "https:", "mailto:"].includes(element.protocol))
      found.push(`a link to ${element.href}`);
    if (name === "a" && element.host !== location.host && element.hasAttribute("href") && element.rel !== "noopener nofollow")
      found.push(`a link without rel to ${element.href}`);
    if (name === "img" && new URL(element.src, location.href).origin !== location.origin) found.push(`a picture of ${element.src}`);
    if ((element.id || element.getAttribute("name")) && element.closest(".markdown"))
      found.push(`user text with the name ${element.id || element.getAttribute("name")}`);
  }
  return found;
}

const pause = (millis) => new Promise((done) => setTimeout(done, millis));
const isQuiet = (page) => page.noted.waits <= 0;

export class Browser {
  server = "";
  #browser;

  static async start(server, program) {
    const made = new Browser();
    made.server = server;
    made.#browser = await chromium.launch({ executablePath: program, args: FLAGS.split(" ") });
    return made;
  }

  stop = () => this.#browser.close();

  /**
   * A page of somebody's own, signed in if `as` is `{ token, user }`. `more`: what else the page knows of the user. `problems`
   * holds what went wrong in it.
   * @param {{ as?: any, more?: any, width?: number, height?: number, dark?: boolean, name?: string }} [options]
   */
  async page({ as, more = {}, width = 1280, height = 900, dark = false, name = "a page" } = {}) {
    const context = await this.#browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? "dark" : "light",
      reducedMotion: "reduce",
    });
    await context.addInitScript(watch);
    if (as) {
      const cookies = await started(this.server, as.token);
      await context.addCookies(cookies);
      const id = Number(cookies.find(({ name }) => name === "signed-in")?.value);
      await context.addInitScript(
        ([key, id, user]) => {
          // as long as the session lasts
          const isHere = document.cookie.split("; ").includes(`signed-in=${id}`);
          if (isHere && !localStorage.getItem(key)) localStorage.setItem(key, JSON.stringify({ id, user }));
        },
        /** @type {const} */ ([SESSION, id, { ...as.user, ...more }]),
      );
    }
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const noted = { problems: /** @type {string[]} */ ([]), foreign: 0, expected: new Set(), waits: 0, own: new Set([this.server]) };
    const note = (text) => noted.problems.push(`${name} ${page.url()}: ${text}`);
    page.on("console", (message) => {
      if (message.type() !== "error") return;
      // the browser reports every answer from 400 on; the test lists those that it expects
      const status = /status of (\d+)/.exec(message.text())?.[1];
      if (!(status && noted.expected.has(Number(status)))) note(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => note(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
      note(`dialog: ${dialog.message()}`);
      return dialog.dismiss();
    });
    page.on("requestfinished", () => noted.waits--);
    page.on("requestfailed", () => noted.waits--);
    page.on("request", (request) => {
      noted.waits++;
      const { protocol, origin } = new URL(request.url());
      if (!protocol.startsWith("http") || noted.own.has(origin)) return;
      noted.foreign++;
      note(`asked another server: ${request.url()}`);
    });
    return Object.assign(page, { noted, tab: context });
  }

  /** Opens an address and waits until nothing more is loaded; what it asked the API for. */
  async open(page, path) {
    const asked = [];
    const listen = (request) => request.url().includes("/api/") && asked.push(request.url());
    page.on("request", listen);
    page.noted.waits = 0;
    const response = await page.goto(new URL(path, this.server).href);
    await this.settled(page);
    page.off("request", listen);
    return { status: response.status(), asked };
  }

  /** Moves the mouse. A page sends some requests only after that. */
  async touch(page) {
    const asked = [];
    const listen = (request) => request.url().includes("/api/") && asked.push(request.url());
    page.on("request", listen);
    await page.mouse.move(3, 300);
    await page.mouse.move(4, 310);
    await this.settled(page);
    page.off("request", listen);
    return asked;
  }

  /** Until nothing more is loaded and nothing waits to be shown. */
  async settled(page) {
    const isDone = () => document.querySelector("h1") !== null && document.querySelector(".loading") === null;
    const until = Date.now() + 90_000;
    // what one answer shows may ask for more: it is quiet when it was so three times
    for (let quiet = 0; quiet < 3; quiet = isQuiet(page) && (await page.evaluate(isDone)) ? quiet + 1 : 0) {
      if (Date.now() > until)
        throw new Error(
          `${page.url()} never came to rest: ${page.noted.waits} requests under way, ${await page.locator(".loading").count()} signs of loading`,
        );
      await pause(25);
    }
  }

  unsafe = (page) => page.evaluate(findings);
}

/** The cookies of a new session. */
export async function started(server, token) {
  const headers = { "PRIVATE-TOKEN": token, "X-Edgeforge-Page": "1", Origin: server };
  const answer = await fetch(`${server}/api/v4/session`, { method: "POST", headers });
  if (answer.status !== 201) throw new Error(`POST /session answered ${answer.status}: ${await answer.text()}`);
  return answer.headers.getSetCookie().map((text) => {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    return { name, value, url: server, httpOnly: text.includes("HttpOnly"), sameSite: /** @type {const} */ ("Strict") };
  });
}

/** The user of a token, in the form that pages store. */
export async function person(server, token) {
  const answer = await fetch(`${server}/api/v4/user`, { headers: { "PRIVATE-TOKEN": token } });
  const { id, username, name, is_admin } = await answer.json();
  return { token, user: { id, username, name, is_admin: is_admin === true } };
}

/** A caller of the API with a token. It throws where the answer is none of `expect`. */
export const caller = (server, token) =>
  /**
   * @param {string} method
   * @param {string} path
   * @param {any} [body]
   * @param {{ expect?: number[], sudo?: string }} [options]
   */
  async function call(method, path, body, { expect = [200, 201, 204, 202, 304], sudo } = {}) {
    const answer = await fetch(`${server}/api/v4${path}`, {
      method,
      headers: { "PRIVATE-TOKEN": token, ...(body && { "Content-Type": "application/json" }), ...(sudo && { SUDO: String(sudo) }) },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    if (!expect.includes(answer.status)) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
    return { status: answer.status, data: text ? JSON.parse(text) : null };
  };

/** What the menu of the account has, by its name. */
export async function account(page, name) {
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("button", { name, exact: true }).first().click();
}
