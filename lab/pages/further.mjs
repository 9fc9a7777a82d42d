// Five tasks that go through several pages, or have no need of a mouse. The form is that of tasks.mjs.
import { api, button, pick, PROJECT } from "./hand.mjs";

const ISSUES = `${PROJECT}/-/issues`;
const LINE = 700;

/** A commit of which a file has a new line LINE: `{ sha, path }`. */
async function longFile(call) {
  for (let page = 1; page < 40; page++) {
    const { data: commits } = await call("GET", `${api}/repository/commits?per_page=50&page=${page}`);
    for (const { id } of commits) {
      const { data: files } = await call("GET", `${api}/repository/commits/${id}/diff?per_page=20`);
      const found = files.find(({ diff, new_file }) => new_file && diff.split("\n").length > LINE + 50 && diff.split("\n").length < 1400);
      if (found) return { sha: id, path: found.new_path };
    }
  }
  throw new Error(`no commit of the demo world has a new file of ${LINE} lines`);
}

/** `make(count)`: issues; `seen(iid)`: one of them, as the API has it. */
export const FURTHER = (call, make, seen) => ({
  "find a commit by words": {
    given: async () =>
      (await call("GET", `${api}/repository/commits?per_page=100`)).data.slice(40).find(({ title }) => /^[\w ,]{30,60}$/.test(title)),
    from: () => PROJECT,
    async act(hand, { title, id }) {
      await hand.press("/");
      await hand.type(title);
      await hand.press("Enter");
      await hand.page.waitForURL(/\/search/);
      await hand.page.locator(`main .row a[href$="${id}"]`).first().waitFor();
      await hand.press("j");
      await hand.press("Enter");
      await hand.page.waitForURL(new RegExp(id));
    },
    done: async ({ id }, page) => page.url().includes(id),
  },
  "make a group with two members": {
    given: async () => `group-${Date.now().toString(36)}`,
    from: () => "/",
    async act(hand, name) {
      const { page } = hand;
      await hand.click(page.getByRole("link", { name: "New group" }));
      await page.waitForFunction(() => document.activeElement?.localName === "input");
      await hand.type(name);
      await hand.press("Tab");
      await hand.type(name);
      await hand.press("Enter");
      for (const [username, person] of [
        ["bob", "Bob Developer"],
        ["rae", "Rae Reporter"],
      ]) {
        await hand.click(button(page, "Add a member"));
        await pick(hand, username.slice(0, 2), new RegExp(`^${username}`));
        await hand.press("Enter");
        await page.locator("main .row", { hasText: person }).waitFor();
      }
    },
    done: async (name) => (await call("GET", `/groups/${name}/members`)).data.length === 3,
  },
  [`comment on line ${LINE} of a diff`]: {
    given: async () => ({ ...(await longFile(call)), text: `At line ${LINE}, ${Date.now()}` }),
    from: ({ sha }) => `${PROJECT}/-/commit/${sha}`,
    async act(hand, { path, text }) {
      const { page } = hand;
      const file = page.locator("section.file", { has: page.locator("h3", { hasText: path }) }).first();
      const line = file.getByRole("button", { name: `Comment on line ${LINE}`, exact: true });
      const inList = page.getByRole("navigation", { name: "Changed files" }).getByRole("link", { name: path.split("/").at(-1) });
      if (await inList.count()) await hand.click(inList.first());
      await hand.scroll(line);
      await hand.click(line);
      await hand.type(text);
      await hand.press("Control+Enter");
      await page.locator(".said .note", { hasText: text }).waitFor();
    },
    done: async ({ sha, text }) =>
      (await call("GET", `${api}/repository/commits/${sha}/comments?per_page=100`)).data.some(
        ({ note, line }) => note === text && line === LINE,
      ),
  },
  "label six issues from the keyboard alone": {
    given: () => make(6),
    from: () => ISSUES,
    async act(hand, issues) {
      for (const _ of issues) {
        await hand.press("j");
        await hand.press("x");
      }
      await button(hand.page, "Add labels").waitFor();
      await hand.page.waitForFunction(() => !(/** @type {any} */ (document.querySelector('.bulk [aria-keyshortcuts="l"]')).disabled));
      await hand.press("l");
      await pick(hand, "bug", /^bug$/);
      await hand.press("Escape");
    },
    done: async (issues) => (await Promise.all(issues.map(({ iid }) => seen(iid)))).every(({ labels }) => labels.includes("bug")),
  },
  "find what failed": {
    given: async () => {
      const { data: commits } = await call("GET", `${api}/repository/commits?per_page=30`);
      const name = `ci/night-${Date.now().toString(36)}`;
      await call("POST", `${api}/statuses/${commits[20].id}`, { state: "failed", name, ref: "main", description: "3 of 200 failed" });
      return name;
    },
    from: () => PROJECT,
    async act(hand, name) {
      const { page } = hand;
      await hand.click(page.locator("main").getByRole("link", { name: "Pipelines" }));
      await hand.click(page.getByRole("navigation", { name: "State" }).getByRole("link", { name: "Failed" }));
      await page.waitForURL(/status=failed/);
      await hand.click(page.locator("main .row-title").first());
      await page.getByText(name).waitFor();
    },
    done: async (name, page) => (await page.locator("main").innerText()).includes(name),
  },
});
