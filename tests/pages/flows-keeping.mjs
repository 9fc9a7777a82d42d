// Changes that come between two requests of a page, and what pages show of files beside their lines.
import assert from "node:assert/strict";
import { accessibility } from "./looks.mjs";

const PROJECT = "/demo-group/edgeforge";
const api = "/projects/demo-group%2Fedgeforge";
const field = (page, name) => page.getByLabel(name, { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const unique = (name) => `${name}-${Date.now().toString(36)}`;
/** Nobody is kept from reading the page, in light or in dark. */
async function isReadable(page) {
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await accessibility(page), []);
  }
}
const isBoth = (page) => page.getByText("Somebody else changed this while you wrote").waitFor();

/** Another person writes after the page has read the record again, and before its first PUT arrives. Returns the number of PUTs. */
async function between(page, shape, write) {
  let count = 0;
  await page.route(shape, async (route) => {
    if (route.request().method() === "PUT" && count++ === 0) await write();
    await route.continue();
  });
  return () => count;
}

/** Edits one field while another person writes the same one, and then another one. */
async function editBoth({ page, shape, open, input, save, theirs, other, saved }) {
  await open();
  const first = await between(page, shape, theirs);
  await input().fill("mine");
  await save();
  await isBoth(page);
  assert.equal(first(), 1, "the server refused the change");
  assert.equal(await page.locator(".problem pre").first().innerText(), "theirs");
  await page.unroute(shape);
  const second = await between(page, shape, other);
  await save();
  await saved();
  assert.equal(second(), 2, "refused once, and saved over a change of another field");
  await page.unroute(shape);
}

export const KEEPING = {
  async "saves a milestone, a label and a comment that somebody changes between reading and saving"({ browser, call, root }, page) {
    page.noted.expected = new Set([412]);
    const title = unique("Between");
    const save = () => button(page, "Save").click();
    const isClosed = () => page.locator("form.form").waitFor({ state: "detached" });

    const { data: milestone } = await call("POST", `${api}/milestones`, { title, description: "first" });
    const ofMilestone = `${api}/milestones/${milestone.id}`;
    await browser.open(page, `${PROJECT}/-/milestones/${milestone.iid}`);
    const open = (name) => () => button(page, `Edit ${name}`).click();
    const description = () => field(page, "Description");
    await editBoth({
      page,
      shape: /\/milestones\/\d+$/,
      open: open(title),
      input: description,
      save,
      saved: isClosed,
      theirs: () => root("PUT", ofMilestone, { description: "theirs" }),
      other: () => root("PUT", ofMilestone, { due_date: "2027-05-06" }),
    });
    const { data: kept } = await call("GET", ofMilestone);
    assert.deepEqual([kept.description, kept.due_date], ["mine", "2027-05-06"]);
    await call("DELETE", ofMilestone);

    const { data: label } = await call("POST", `${api}/labels`, { name: title, color: "#112233", description: "first" });
    const ofLabel = `${api}/labels/${label.id}`;
    await browser.open(page, `${PROJECT}/-/labels?search=${title}`);
    await editBoth({
      page,
      shape: /\/labels\/\d+$/,
      open: open(title),
      input: description,
      save,
      saved: isClosed,
      theirs: () => root("PUT", ofLabel, { description: "theirs" }),
      other: () => root("PUT", ofLabel, { color: "#445566" }),
    });
    const { data: keptLabel } = await call("GET", ofLabel);
    assert.deepEqual([keptLabel.description, keptLabel.color.toLowerCase()], ["mine", "#445566"]);
    await call("DELETE", ofLabel);

    const { data: issue } = await call("POST", `${api}/issues`, { title });
    const { data: note } = await call("POST", `${api}/issues/${issue.iid}/notes`, { body: "first" });
    const ofNote = `${api}/issues/${issue.iid}/notes/${note.id}`;
    await browser.open(page, `${PROJECT}/-/issues/${issue.iid}`);
    await button(page, "Edit this comment").click();
    const sent = await between(page, /\/notes\/\d+$/, () => root("PUT", ofNote, { body: "theirs" }));
    await page.locator(".note textarea").fill("mine");
    await save();
    await isBoth(page);
    assert.equal(sent(), 1);
    assert.equal((await call("GET", ofNote)).data.body, "theirs", "nothing was overwritten");
    await save();
    await page.locator(".note .markdown", { hasText: "mine" }).waitFor();
  },

  async "saves settings of a project and of the server that somebody changes between reading and saving"({ browser, root }, page) {
    page.noted.expected = new Set([412]);
    const { data: project } = await root("POST", "/projects", { name: unique("between"), description: "first" });
    const path = `/projects/${project.id}`;
    await browser.open(page, `/${project.path_with_namespace}/-/settings`);
    const save = () => button(page, "Save").click();
    await editBoth({
      page,
      save,
      shape: /\/api\/v4\/projects\/[^/]+$/,
      open: async () => {},
      input: () => field(page, "Description"),
      saved: () => page.getByText("Saved.").waitFor(),
      theirs: () => root("PUT", path, { description: "theirs" }),
      other: () => root("PUT", path, { jobs_enabled: false }),
    });
    const { data: kept } = await root("GET", path);
    assert.deepEqual([kept.description, kept.jobs_enabled], ["mine", false]);
    await root("DELETE", path);

    const settings = "/application/settings";
    const { data: before } = await root("GET", settings);
    await browser.open(page, "/admin");
    const saveAll = () => page.locator(".save button").click();
    await editBoth({
      page,
      save: saveAll,
      shape: /\/application\/settings$/,
      open: async () => {},
      input: () => field(page, "Sign in text").or(field(page, "Sign-in text")).first(),
      saved: () => page.getByText("Saved.").waitFor(),
      theirs: () => root("PUT", settings, { sign_in_text: "theirs" }),
      other: () => root("PUT", settings, { session_expire_delay: before.session_expire_delay + 1 }),
    });
    const { data: after } = await root("GET", settings);
    assert.deepEqual([after.sign_in_text, after.session_expire_delay], ["mine", before.session_expire_delay + 1]);
    await root("PUT", settings, { sign_in_text: before.sign_in_text, session_expire_delay: before.session_expire_delay });
  },

  async "shows the lines of a file around its changes"({ browser, call }, page) {
    const { data: commits } = await call("GET", `${api}/repository/commits?per_page=30`);
    const gap = /^(?:[^@].*\n)*@@ -\d+,\d+ \+(\d{2,}),/;
    // a diff that ends with fewer unchanged lines ends with the file
    const goesOn = /(?:\n .*){3}\n?$/;
    let found;
    for (const { id } of commits) {
      const { data: files } = await call("GET", `${api}/repository/commits/${id}/diff?per_page=100`);
      for (const [at, file] of files.entries()) {
        if (found || file.new_file || file.deleted_file || !gap.test(file.diff) || !goesOn.test(file.diff) || file.diff.length > 20_000)
          continue;
        const { status, data } = await call("GET", `${api}/repository/files/${encodeURIComponent(file.new_path)}?ref=HEAD`, undefined, {
          expect: [200, 404],
        });
        if (status === 200 && data.last_commit_id === id)
          found = { id, at, start: Number(gap.exec(file.diff)?.[1]), lines: Buffer.from(data.content, "base64").toString().split("\n") };
      }
      if (found) break;
    }
    assert.ok(found, "a commit of the demo world has such a file");
    for (const way of ["Side by side", "In line"]) {
      await browser.open(page, `${PROJECT}/-/commit/${found.id}`);
      const { id, at, start, lines } = found;
      await button(page, way).click();
      const file = page.locator(`#file-${at + 1}`);
      const more = file.getByRole("button", { name: /lines above$/ }).first();
      await more.scrollIntoViewIfNeeded();
      const rows = await file.locator("tr").count();
      await more.click();
      // the row of the hunk goes when all lines above it are there
      const least = rows + Math.min(9, start - 2);
      await page.waitForFunction(([id, count]) => document.querySelectorAll(`#${id} tr`).length >= count, [`file-${at + 1}`, least]);
      const above = file.locator("tr", { has: page.locator(`td.no:text-is("${start - 1}")`) }).first();
      assert.equal(
        (await above.locator("td.text").last().textContent()).slice(1).trimEnd(),
        lines[start - 2].trimEnd(),
        `line ${start - 1} of ${id}`,
      );
      await file.getByRole("button", { name: "Show lines below" }).last().click();
      await browser.settled(page);
      await isReadable(page);
    }
  },

  async "reads code in colours, of which no character is lost"({ browser, call }, page) {
    await browser.open(page, `${PROJECT}/-/blob/HEAD/Cargo.toml`);
    await page.locator("td.text .hl-section").first().waitFor();
    const { data } = await call("GET", `${api}/repository/files/Cargo.toml?ref=HEAD`);
    const shown = await page.locator("td.text").allTextContents();
    const text = Buffer.from(data.content, "base64").toString().replace(/\n$/, "").split("\n");
    assert.deepEqual(shown, text.slice(0, shown.length));
    await isReadable(page);
    await browser.open(page, `${PROJECT}/-/blob/HEAD/docs/clients.md`);
    const block = page.locator(".markdown pre", { hasText: "project.issues.list" }).first();
    await block.locator(".hl-keyword").first().waitFor();
    assert.match(await block.innerText(), /for issue in project\.issues\.list\(iterator=True/);
    await isReadable(page);
  },

  async "is not kept waiting by code that takes long to colour"({ browser, call }, page) {
    const slow = "function ".repeat(2000).replace(/(.{900})/g, "$1\n");
    const { data: issue } = await call("POST", `${api}/issues`, { title: unique("slow"), description: `\`\`\`cpp\n${slow}\n\`\`\`` });
    await browser.open(page, `${PROJECT}/-/issues/${issue.iid}`);
    const frames = await page.evaluate(async () => {
      const began = performance.now();
      let longest = 0;
      for (let last = began; performance.now() - began < 2000; ) {
        await new Promise((done) => setTimeout(done, 10));
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
      return longest;
    });
    assert.ok(frames < 1000, `the page stood still for ${Math.round(frames)} ms`);
    assert.equal((await page.locator(".markdown pre code").textContent()).trim(), slow.trim());
    await call("PUT", `${api}/issues/${issue.iid}`, { state_event: "close" });
  },

  async "copies the command that clones a project"({ browser }, page) {
    await page.tab.grantPermissions(["clipboard-read", "clipboard-write"]);
    await browser.open(page, PROJECT);
    await page.getByText(/^[\d,]+ commits in [\d.]+ MB$/).waitFor();
    await button(page, "Copy the command").click();
    await page.getByRole("button", { name: /^Copied/ }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "git clone https://git.example.com/demo-group/edgeforge.git");
  },
};

export const KEPT_BY = { "saves settings of a project and of the server that somebody changes between reading and saving": "root" };
