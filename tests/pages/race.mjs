// Two browsers edit one issue at random. Every text of either is in the issue in the end, or was shown to a writer who chose
// another one: none is lost unseen.

const ISSUES = "/demo-group/edgeforge/-/issues";
const api = "/projects/demo-group%2Fedgeforge/issues";
const FIELDS = ["Title", "Description"];
const MARK = /<\w+\.\d+>/g;
const marksIn = (text) => text.match(MARK) ?? [];

/** Numbers from 0 to 1 that are the same in each run. */
function dice(seed) {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

class Writer {
  /** @type {any} */
  browser;
  /** @type {any} */
  page;
  name = "";
  path = "";
  random = () => 0;
  saved = new Set();
  seen = new Set();
  merged = 0;
  shown = 0;
  edits = 0;

  constructor(browser, page, name, path, random) {
    Object.assign(this, { browser, page, name, path, random });
  }

  one = (list) => list[Math.floor(this.random() * list.length)];
  button = (name) => this.page.getByRole("button", { name, exact: true });

  /** Opens the form, adds a mark to a text, saves, and chooses where both texts are shown. */
  async edit() {
    const { page } = this;
    this.edits++;
    // now and then from a page that was loaded long ago
    if (this.random() < 0.3) await this.browser.open(page, this.path);
    if (!(await this.button("Save").count())) await this.button("Edit").click();
    const names = this.random() < 0.2 ? FIELDS : [this.one(FIELDS)];
    for (const name of names) {
      const mark = `<${this.name}.${this.saved.size + this.seen.size}${name[0] === "T" ? "0" : "1"}${this.edits}>`;
      const input = page.getByLabel(name, { exact: true });
      // titles are short: an old mark goes, and its writer sees that it does
      const before = await input.inputValue();
      const kept = name === "Title" ? this.drop(before) : before;
      await input.fill(`${kept}${mark}`);
      this.saved.add(mark);
    }
    if (this.random() < 0.3) await page.waitForTimeout(this.random() * 60);
    await this.button("Save").click();
    while ((await this.outcome()) === "both") await this.choose();
  }

  /** The title without its oldest marks, which this writer saw in the field. */
  drop(title) {
    const marks = marksIn(title);
    if (marks.length < 6) return title;
    for (const mark of marks.slice(0, 3)) this.seen.add(mark);
    return marks.slice(0, 3).reduce((text, mark) => text.replace(mark, ""), title);
  }

  /** What the page shows after a click on Save. */
  async outcome() {
    const { page } = this;
    for (;;) {
      if (!(await page.locator("form.issue-form").count())) return "saved";
      const isBusy = await page.getByRole("button", { name: "Saving …" }).count();
      const isNew =
        !isBusy &&
        (await page.locator(".both").count()) &&
        (await page.locator("form.issue-form").getAttribute("data-clash")) !== this.clash;
      if (isNew) return "both";
      await page.waitForTimeout(5);
    }
  }

  async choose() {
    const { page } = this;
    this.shown++;
    this.clash = await page.locator("form.issue-form").getAttribute("data-clash");
    const figures = await page
      .locator(".both")
      .evaluateAll((all) => all.map((both) => [...both.querySelectorAll("pre")].map((text) => text.textContent)));
    const names = await page
      .locator(".both figcaption")
      .evaluateAll((all) => all.filter((_, at) => at % 2 === 0).map((caption) => caption.textContent.split(" ")[0]));
    for (const [at, name] of names.entries()) {
      const [theirs, mine] = figures[at];
      const choice = this.random();
      // what is not taken was shown
      for (const mark of [...marksIn(theirs), ...marksIn(mine)]) this.seen.add(mark);
      if (choice < 0.3) await this.button(`Use the saved ${name.toLowerCase()}`).click();
      else if (choice < 0.5) await this.button(`Use my ${name.toLowerCase()}`).click();
      else {
        const missing = marksIn(mine)
          .filter((mark) => !theirs.includes(mark))
          .join("");
        await page.getByLabel(name, { exact: true }).fill(`${name === "Title" ? theirs.slice(0, 150) : theirs}${missing}`);
      }
    }
    await this.button("Save").click();
  }
}

/** `{ edits, shown, merged, lost }`: how often both texts were shown, and the marks that are nowhere and were never shown. */
export async function race(browser, people, call, { edits = 200, seed = 7 } = {}) {
  const { data: issue } = await call("POST", api, { title: "A race", description: "" });
  const path = `${ISSUES}/${issue.iid}`;
  const writers = [];
  let refused = 0;
  for (const [at, name] of ["ann", "bob"].entries()) {
    const page = await browser.page({ as: people[name], name: "race" });
    page.noted.expected = new Set([412]);
    page.on("response", (response) => (refused += response.status() === 412 ? 1 : 0));
    await browser.open(page, path);
    writers.push(new Writer(browser, page, name, path, dice(seed + at)));
  }
  await Promise.all(
    writers.map(async (writer) => {
      while (writer.edits < edits / 2) await writer.edit();
    }),
  );
  const { data: last } = await call("GET", `${api}/${issue.iid}`);
  const text = `${last.title}\n${last.description}`;
  const seen = new Set(writers.flatMap((writer) => [...writer.seen]));
  const marks = writers.flatMap((writer) => [...writer.saved]);
  const lost = marks.filter((mark) => !text.includes(mark) && !seen.has(mark));
  return {
    pages: writers.map(({ page }) => page),
    marks: marks.length,
    kept: marks.filter((mark) => text.includes(mark)).length,
    refused,
    shown: writers.reduce((sum, writer) => sum + writer.shown, 0),
    lost,
  };
}
