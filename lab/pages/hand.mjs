// A hand at a page: it counts what a person would do.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Browser, caller, person } from "../../tests/pages/browser.mjs";

export class Hand {
  clicks = 0;
  keys = 0;
  texts = 0;

  constructor(browser, page) {
    this.browser = browser;
    this.page = page;
  }

  async click(target) {
    this.clicks++;
    await target.click();
  }

  /** A key alone, such as Enter or a shortcut. */
  async press(key) {
    this.keys++;
    await this.page.keyboard.press(key);
  }

  /** A text where the focus is. */
  async type(text) {
    this.texts++;
    await this.page.keyboard.type(text);
  }

  /** A click into a field, and its text. */
  async fill(field, text) {
    this.clicks++;
    this.texts++;
    await field.fill(text);
  }

  /** Turns the wheel until it is there, which is not counted. */
  async scroll(target) {
    await this.page.mouse.move(640, 500);
    while (!(await target.count())) {
      await this.page.mouse.wheel(0, 700);
      await this.page.waitForTimeout(20);
    }
  }

  async choose(field, option) {
    this.clicks += 2;
    await field.selectOption(option);
  }
}

/** `{ browser, ann, call, person }` of a served demo world. */
export async function open(server, state, program) {
  const tokens = JSON.parse(readFileSync(join(state, "demo.json"), "utf8"));
  const browser = await Browser.start(server, program);
  return { browser, ann: await person(server, tokens.ann), call: caller(server, tokens.ann) };
}

export const PROJECT = "/demo-group/edgeforge";
export const api = "/projects/demo-group%2Fedgeforge";

export const button = (page, name) => page.getByRole("button", { name, exact: true });
export const field = (page, name) => page.getByLabel(name, { exact: true });

/** Types into a field of suggestions, and takes the first of them. */
export async function pick(hand, words, option) {
  await hand.type(words);
  await hand.page.getByRole("option", { name: option }).waitFor();
  await hand.press("Enter");
}

/** A commit of at least so many files, and the name of the one at that place. */
export async function longCommit(call, least, at) {
  for (let page = 1; page < 40; page++) {
    const { data: commits } = await call("GET", `${api}/repository/commits?per_page=50&page=${page}`);
    for (const { id } of commits) {
      const { data: files } = await call("GET", `${api}/repository/commits/${id}/diff?per_page=100`);
      if (files.length >= least && files.length < 100) return { sha: id, files: files.length, name: files[at - 1].new_path };
    }
  }
  throw new Error(`no commit of the demo world has ${least} files`);
}
