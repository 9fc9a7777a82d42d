// How people put files into texts, and see them there.
import assert from "node:assert/strict";

const SECRET = "/demo-group/secret";
const OPEN = "/demo-group/edgeforge";
const field = (page, name) => page.getByLabel(name, { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
/** A square of 2 by 2. */
const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==", "base64");
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>window.xss=1</script></svg>');
const png = (name) => ({ name, mimeType: "image/png", buffer: PNG });
const txt = (name) => ({ name, mimeType: "text/plain", buffer: Buffer.from("some words") });
const LINK = (name) => `\\(/uploads/[0-9a-f]{32}/${name.replaceAll(".", "\\.")}\\)`;
const picker = (page) => page.locator("main input[type=file]");
const text = (page, name) => field(page, name).inputValue();
const isShown = (page, alt) =>
  page.waitForFunction(
    (name) => [...document.images].some((one) => one.alt === name && one.src.startsWith(location.origin) && one.naturalWidth > 0),
    alt,
  );

/** Waits until the text of a field fits. */
async function becomes(page, name, shape) {
  const until = Date.now() + 15_000;
  for (let now; !shape.test((now = await text(page, name))); await new Promise((done) => setTimeout(done, 25))) {
    assert.ok(Date.now() < until, `${JSON.stringify(now)} does not become ${shape}`);
  }
}

/** The event of a paste or a drop, as a browser makes it. `words`: the text beside the files. */
const hands = (page, name, kind, files, words) =>
  field(page, name).evaluate(
    (area, { kind, files, words }) => {
      const data = new DataTransfer();
      if (words) data.setData("text/plain", words);
      for (const { name, mimeType, bytes } of files) data.items.add(new File([Uint8Array.from(bytes)], name, { type: mimeType }));
      const about = { bubbles: true, cancelable: true };
      if (kind === "paste") return !area.dispatchEvent(new ClipboardEvent("paste", { ...about, clipboardData: data }));
      area.dispatchEvent(new DragEvent("dragover", { ...about, dataTransfer: data }));
      return !area.dispatchEvent(new DragEvent("drop", { ...about, dataTransfer: data }));
    },
    { kind, words, files: files.map(({ buffer, ...file }) => ({ ...file, bytes: [...buffer] })) },
  );

/** Uploads wait until the function that it returns is called. */
async function held(page) {
  let letGo;
  const gate = new Promise((done) => (letGo = done));
  await page.route("**/api/v4/projects/*/uploads", async (route) => {
    await gate;
    await route.continue().catch(() => {});
  });
  return letGo;
}

async function upload(server, token, project, file) {
  const body = new FormData();
  body.append("file", new Blob([file.buffer]), file.name);
  const answer = await fetch(`${server}/api/v4/projects/${encodeURIComponent(project)}/uploads`, {
    method: "POST",
    headers: { "PRIVATE-TOKEN": token },
    body,
  });
  assert.equal(answer.status, 201);
  return answer.json();
}

const issue = async (call, project, fields) =>
  (await call("POST", `/projects/${encodeURIComponent(project.slice(1))}/issues`, fields)).data;

export const UPLOADS = {
  async "attaches two files to a comment with the keyboard, and sees the picture in a private project"({ browser, call, people }, page) {
    const asked = [];
    page.on("request", (request) => asked.push(request));
    const { iid } = await issue(call, SECRET, { title: "Files" });
    await browser.open(page, `${SECRET}/-/issues/${iid}`);
    await field(page, "Comment").fill("Before");
    const letGo = await held(page);
    const opened = page.waitForEvent("filechooser");
    await button(page, "Attach a file").focus();
    await page.keyboard.press("Enter");
    const chooser = await opened;
    assert.ok(chooser.isMultiple());
    await chooser.setFiles([png("two [by] two.png"), txt("words.txt")]);
    await page.getByText("Uploading 2 files …").waitFor();
    await becomes(page, "Comment", /^Before\n!\[two by two\.png\]\(uploading:\w+\)\n!\[words\.txt\]\(uploading:\w+\)\n$/);
    await page.keyboard.type("After");
    await button(page, "Comment").click();
    await page.getByRole("alert").getByText("Nothing was sent, because a file is still being uploaded.").waitFor();
    await field(page, "Comment").focus();
    letGo();
    await becomes(
      page,
      "Comment",
      new RegExp(`^Before\n!\\[two__by__two\\]${LINK("two__by__two.png")}\n\\[words\\.txt\\]${LINK("words.txt")}\nAfter$`),
    );
    await page.keyboard.type(" all");
    assert.match(await text(page, "Comment"), /\nAfter all$/, "the caret stays where it was");
    await page.reload();
    await browser.settled(page);
    assert.match(await text(page, "Comment"), /two__by__two.*\nAfter all$/s, "the draft is kept");
    await button(page, "Preview").click();
    await isShown(page, "two__by__two");
    await button(page, "Preview").click();
    await button(page, "Comment").click();
    const said = page.locator(".note", { hasText: "After all" });
    await said.waitFor();
    await isShown(page, "two__by__two");
    for (const name of ["two__by__two", "words.txt"]) {
      const href = await said.getByRole("link", { name, exact: true }).getAttribute("href");
      const answer = await page.request.get(new URL(href, browser.server).href);
      assert.equal(answer.status(), 200, "the cookie opens the link");
      assert.equal((await fetch(new URL(href, browser.server))).status, 404, "and nothing else does");
    }
    assert.ok(asked.some((request) => request.url().includes("/uploads/")));
    for (const request of asked) assert.ok(!request.url().includes(people.ann.token), "no address has the token");
    const sent = asked.find((request) => request.method() === "POST" && request.url().endsWith("/uploads"));
    assert.match(sent.headers()["content-type"], /^multipart\/form-data; boundary=/);
    assert.deepEqual(await browser.unsafe(page), []);
  },

  async "pastes a picture and a table into the description of an issue, drops a file, and undoes"({ browser }, page) {
    await browser.open(page, `${SECRET}/-/issues/new`);
    await field(page, "Title").fill("Pasted");
    await field(page, "Description").fill("One\nThree");
    await field(page, "Description").evaluate((area) => area.setSelectionRange(3, 3));
    assert.ok(await hands(page, "Description", "paste", [png("image.png")]), "the files are taken");
    const first = `!\\[image\\]${LINK("image.png")}`;
    await becomes(page, "Description", new RegExp(`^One\n${first}\n\nThree$`));
    assert.ok(!(await hands(page, "Description", "paste", [png("cells.png")], "a\tb")), "a text is left to the browser");
    assert.ok(await hands(page, "Description", "drop", [txt("notes.txt")]));
    await becomes(page, "Description", new RegExp(`^One\n${first}\n\\[notes\\.txt\\]${LINK("notes.txt")}\n\nThree$`));
    assert.ok(!(await text(page, "Description")).includes("cells"));
    await field(page, "Description").focus();
    for (let times = 0; times < 4; times++) await page.keyboard.press("Control+z");
    assert.equal(await text(page, "Description"), "One\nThree", "what was put there can be undone");
    for (let times = 0; times < 4; times++) await page.keyboard.press("Control+Shift+z");
    await button(page, "Create issue").click();
    await page.getByRole("heading", { level: 1, name: /Pasted/ }).waitFor();
    await isShown(page, "image");
  },

  async "leaves the page while a file is uploaded, and takes a file back by removing its line"({ browser }, page) {
    await browser.open(page, `${SECRET}/-/issues/new`);
    const letGo = await held(page);
    await picker(page).setInputFiles([png("one.png")]);
    await becomes(page, "Description", /^!\[one\.png\]\(uploading:\w+\)\n$/);
    await page.reload();
    await page.getByRole("alert").getByText("A file had not been uploaded to the end").waitFor();
    assert.equal(await text(page, "Description"), "");
    await picker(page).setInputFiles([png("two.png")]);
    await page.getByText("Uploading a file …").waitFor();
    await becomes(page, "Description", /^!\[two\.png\]/);
    await field(page, "Description").fill("no picture");
    await page.waitForFunction(() => document.querySelector(".attached")?.textContent === "");
    letGo();
    await field(page, "Title").fill("Without one");
    await button(page, "Create issue").click();
    await page.getByRole("heading", { level: 1, name: /Without one/ }).waitFor();
    assert.equal(await page.locator(".markdown").innerText(), "no picture");
  },

  async "attaches files to notes of a release, a milestone and a commit"({ browser, sha, call }, page) {
    const tag = "v0.3.0-rc.1";
    await call("DELETE", `/projects/demo-group%2Fedgeforge/releases/${tag}`, undefined, { expect: [200, 404] });
    await call("POST", "/projects/demo-group%2Fedgeforge/releases", { tag_name: tag, description: "first" });
    await browser.open(page, `${OPEN}/-/releases/${tag}/edit`);
    await picker(page).setInputFiles([png("release.png")]);
    await becomes(page, "Notes", new RegExp(`!\\[release\\]${LINK("release.png")}`));
    await button(page, "Save").click();
    await isShown(page, "release");
    await call("DELETE", `/projects/demo-group%2Fedgeforge/releases/${tag}`);
    await browser.open(page, `${OPEN}/-/milestones`);
    await button(page, "New milestone").click();
    await picker(page).setInputFiles([png("plan.png")]);
    await becomes(page, "Description", new RegExp(`!\\[plan\\]${LINK("plan.png")}`));
    await button(page, "Cancel").click();
    await browser.open(page, `${OPEN}/-/commit/${sha}`);
    await page.locator("button.at").first().click();
    await page.locator(".said input[type=file]").setInputFiles([png("line.png")]);
    await page.waitForFunction(() => /!\[line\]\(\/uploads\//.test(/** @type {any} */ (document.querySelector(".said textarea")).value));
  },

  async "shows in words why a file is not attached"({ browser }, page) {
    page.noted.expected = new Set([403, 413, 429, 501]);
    await browser.open(page, `${SECRET}/-/issues/new`);
    await field(page, "Description").fill("kept");
    await picker(page).setInputFiles([{ ...png("long.png"), buffer: Buffer.alloc(10_600_000) }]);
    await page
      .getByRole("alert")
      .getByText("long.png was not attached. It has 10.1 MB, and that is more than this server takes.")
      .waitFor();
    assert.equal(await text(page, "Description"), "kept\n");
    const refuse = async (status, message, headers) => {
      await page.route(
        "**/api/v4/projects/*/uploads",
        (route) => route.fulfill({ status, headers, contentType: "application/json", body: JSON.stringify({ message }) }),
        { times: 1 },
      );
      await picker(page).setInputFiles([png("one.png")]);
    };
    await refuse(403, "403 Forbidden - upload quota exceeded");
    await page.getByRole("alert").getByText("The project has no room for it.").waitFor();
    await refuse(403, "403 Forbidden");
    await page.getByRole("alert").getByText("This project takes no files from you.").waitFor();
    await refuse(429, "429 Too Many Requests", { "Retry-After": "40" });
    await page.getByRole("alert").getByText("Too many requests. Attach it again in 40 seconds.").waitFor();
    assert.match(await text(page, "Description"), /^kept\n+$/);
    await refuse(429, "429 Too Many Requests", { "Retry-After": "1" });
    await becomes(page, "Description", new RegExp(`^kept\n+!\\[one\\]${LINK("one.png")}\n$`));
    await refuse(501, "501 Not Implemented - this server has no store for files");
    await page.getByRole("alert").getByText("one.png was not attached. This server has no store for files.").waitFor();
    assert.ok(await button(page, "Attach a file").isDisabled());
    assert.equal(await button(page, "Attach a file").getAttribute("title"), "This server has no store for files.");
  },

  async "administers, and reads how long a file may be"({ browser }, page) {
    page.noted.expected = new Set([413]);
    await browser.open(page, `${SECRET}/-/issues/new`);
    await picker(page).setInputFiles([{ ...png("long.png"), buffer: Buffer.alloc(10_600_000) }]);
    await page.getByRole("alert").getByText("It has 10.1 MB, and a file may have 10 MB.").waitFor();
  },

  async "has a token that only reads, and sees files but no button to attach one"({ browser, call, people }, page) {
    const { markdown } = await upload(browser.server, people.ann.token, SECRET.slice(1), png("seen.png"));
    const { iid } = await issue(call, SECRET, { title: "Read", description: markdown });
    await page.addInitScript(() => {
      const kept = JSON.parse(localStorage.getItem("edgeforge-session") ?? "null");
      localStorage.setItem("edgeforge-session", JSON.stringify({ ...kept, user: { ...kept.user, reads: true } }));
    });
    await browser.open(page, `${SECRET}/-/issues/new`);
    assert.equal(await button(page, "Attach a file").count(), 0);
    assert.ok(!(await hands(page, "Description", "paste", [png("image.png")])));
    await browser.open(page, `${SECRET}/-/issues/${iid}`);
    await isShown(page, "seen");
  },

  async "sees files of a public project without a token, by every address of theirs"({ browser, call, people }, page) {
    const { url, full_path } = await upload(browser.server, people.ann.token, OPEN.slice(1), png("open.png"));
    const places = [url, browser.server + full_path, `${OPEN}${url}`, `${browser.server}${OPEN}/-${url}`];
    const texts = places.map((place, at) => `![picture ${at}](${place})`);
    const description = [...texts, `[file](${url})`, `[![linked](${url})](https://a.example)`].join("\n");
    const { iid } = await issue(call, OPEN, { title: "Seen by all", description });
    await browser.open(page, `${OPEN}/-/issues/${iid}`);
    for (const name of ["picture 0", "picture 1", "picture 2", "picture 3", "linked"]) await isShown(page, name);
    const link = page.getByRole("link", { name: "file", exact: true });
    assert.equal((await fetch(new URL(await link.getAttribute("href"), browser.server))).headers.get("content-type"), "image/png");
    assert.equal(await page.locator('a[href="https://a.example/"] img').count(), 1);
    assert.deepEqual(await browser.unsafe(page), []);
  },

  async "sees the picture of a README, which leads to its page"({ browser }, page) {
    for (const path of ["/-/tree/HEAD", "/-/blob/HEAD/README.md"]) {
      await browser.open(page, OPEN + path);
      const picture = page.locator(".markdown a[href$='/-/blob/HEAD/docs/issue.png']");
      await picture.scrollIntoViewIfNeeded();
      await isShown(page, await picture.locator("img").getAttribute("alt"));
      await picture.click();
      await page.waitForURL(/\/-\/blob\/HEAD\/docs\/issue\.png$/);
    }
  },

  async "reads texts whose files are no pictures, too many, lost or meant to run"({ browser, call, people }, page) {
    page.noted.expected = new Set([404]);
    const put = (file) => upload(browser.server, people.ann.token, SECRET.slice(1), file);
    const svg = await put({ ...png("a.svg"), buffer: SVG });
    const fake = await put({ ...png("b.html"), buffer: SVG });
    const video = await put({ ...png("c.mp4"), buffer: PNG });
    const long = await put({ ...png("long.png"), buffer: Buffer.concat([PNG, Buffer.alloc(10_485_760 - PNG.length)]) });
    const seen = await put(png("d.png"));
    const lost = `/uploads/${"0".repeat(32)}/lost.png`;
    const texts = [svg, fake, video].map(({ url, alt }) => `![${alt}](${url})`);
    const odd = [
      `![gone](${lost})`,
      `![<img src=x onerror=alert(1)>](${seen.url})`,
      `![js](javascript:alert(1))`,
      `![data](data:image/svg+xml,%3Csvg%20onload=alert(1)%3E)`,
      `![far](https://a.example${seen.url})`,
    ];
    const many = Array.from({ length: 22 }, (_, at) => `![many ${at}](${seen.url}?${at})`);
    const { iid } = await issue(call, SECRET, {
      title: "Odd files",
      description: [...texts, ...odd, `![long](${long.url})`, ...many].join("\n\n"),
    });
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await browser.open(page, `${SECRET}/-/issues/${iid}`);
    await isShown(page, "<img src=x onerror=alert(1)>");
    await isShown(page, "long");
    assert.equal(await page.locator(".markdown a", { hasText: /^(a\.svg|b\.html|c|gone)$/ }).count(), 4, "they stay links");
    assert.ok(!asked.some((address) => /a\.svg|b\.html|c\.mp4/.test(address)), "only pictures are fetched");
    await page.locator(".markdown a, .markdown img").last().scrollIntoViewIfNeeded();
    await isShown(page, "many 16");
    await browser.settled(page);
    assert.equal(await page.locator(".markdown img").count(), 20 - 1, "twenty are tried, of which one is lost");
    assert.deepEqual(await browser.unsafe(page), []);
    assert.equal(page.noted.foreign, 0);
  },
};

/** Who does it, where it is not Ann. */
export const UPLOADED_BY = {
  "administers, and reads how long a file may be": "root",
  "sees files of a public project without a token, by every address of theirs": null,
};
