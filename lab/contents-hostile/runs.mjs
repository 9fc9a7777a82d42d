// Opens all that is hostile in Chromium, at every address that has bytes and in every page that shows them. Nothing may run:
// no script, no markup, no style, no worker, and no request to /canary or to another server.
import { chromium } from "playwright-core";
import { Browser, person } from "../../tests/pages/browser.mjs";
import { FILES, NAMES, READMES } from "./files.mjs";
import { blob, bytes, sorted, tree } from "./objects.mjs";

const EDGE = "b0undary-of-the-lab";
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];
const part = (text) => encodeURIComponent(text);
const inPath = (text) => text.split("/").map(part).join("/");

/** An upload whose name is sent as it is written. */
const upload = (project, name, content) =>
  project.ask("POST", "/uploads", {
    body: Buffer.concat([Buffer.from(`--${EDGE}\r\nContent-Disposition: form-data; name="file"; filename="`), bytes(name), Buffer.from(`"\r\nContent-Type: text/html\r\n\r\n`), bytes(content), Buffer.from(`\r\n--${EDGE}--\r\n`)]),
    headers: { "Content-Type": `multipart/form-data; boundary=${EDGE}` },
  });

/** Stores all files, names and texts. Returns the addresses of bytes by kind, and the paths of pages by kind. */
export async function store({ hostile, tokens }) {
  const [objects, entries, addresses, pages] = [[], [], [], []];
  const raw = (kind, branch, path, id) => {
    addresses.push([kind, "-/raw/", `/mallory/hostile/-/raw/${branch}/${inPath(path)}`]);
    addresses.push([kind, "v4 files/raw", hostile.at(`/repository/files/${part(path)}/raw?ref=${branch}`)]);
    addresses.push([kind, "v4 blobs/raw", hostile.at(`/repository/blobs/${id}/raw`)]);
    addresses.push([kind, "v3 blobs", `/api/v3/projects/${hostile.id}/repository/blobs/${branch}?filepath=${part(path)}`]);
    addresses.push([kind, "v3 raw_blobs", `/api/v3/projects/${hostile.id}/repository/raw_blobs/${id}`]);
  };
  const put = (path, content) => {
    const file = blob(content);
    objects.push(file);
    return [["100644", path, file.id], file.id];
  };
  for (const [kind, name, content] of FILES) {
    const [entry, id] = put(name, content);
    entries.push(entry);
    raw(kind, "files", name, id);
    const made = (await upload(hostile, name, content)).json;
    addresses.push([kind, "uploads", made.full_path], [kind, "uploads of the project", `/mallory/hostile/uploads/${made.full_path.split("/").slice(-2).join("/")}`]);
    const published = `/packages/generic/kinds/1.0/${part(name)}`;
    await hostile.ask("PUT", published, { body: bytes(content), headers: { "Content-Type": "text/html" } });
    addresses.push([kind, "packages", hostile.at(published)]);
    pages.push([kind, `/mallory/hostile/-/blob/files/${inPath(name)}`]);
  }
  const top = tree(sorted(entries));
  await hostile.sendAll([...objects.splice(0), top]);
  await hostile.push(top.id, ["refs/heads/files"], { message: "files\n" });
  for (const format of ["zip", "tar", "tar.gz"]) addresses.push(["an archive of all files", "archives", `/mallory/hostile/-/archive/files/hostile-files.${format}`]);
  for (const format of ["zip", "tar"]) addresses.push(["an archive of all files", "archives", hostile.at(`/repository/archive.${format}?sha=files`)]);

  // each README in a directory of its own, and each name as that of a file, a directory, an upload and a package
  const named = [];
  for (const [at, [kind, texts]] of READMES.entries()) {
    const [entry] = put("README.md", texts.map((text) => `${text}\n\nbetween\n\n`).join(""));
    const [other] = put("readme.html", texts.join("\n"));
    const directory = tree(sorted([entry, other]));
    objects.push(directory);
    named.push(["40000", `readme-${at}`, directory.id]);
    pages.push([`a README with ${kind}`, `/mallory/hostile/-/tree/names/readme-${at}`], [`a README with ${kind}`, `/mallory/hostile/-/blob/names/readme-${at}/README.md`]);
    // the same texts where people write Markdown
    const issue = await hostile.must("POST", "/issues", { title: texts[0].slice(0, 200), description: texts.join("\n\nbetween\n\n") });
    pages.push([`a README with ${kind}`, `/mallory/hostile/-/issues/${issue.iid}`]);
  }
  const taken = new Map();
  const took = (what, answer) => taken.set(what, (taken.get(what) ?? 0) + (answer.status < 300 ? 1 : 0));
  for (const [at, [kind, name]] of NAMES.entries()) {
    const [entry, id] = put(name, `${kind}\n`);
    const [inner] = put("inner.html", "<script>xss=1</script>");
    const directory = tree([inner]);
    objects.push(directory);
    named.push(entry, ["40000", Buffer.concat([bytes(name), Buffer.from(".d")]), directory.id]);
    const text = bytes(name).toString("utf8");
    raw(kind, "names", text, id);
    pages.push([kind, `/mallory/hostile/-/blob/names/${inPath(text)}`], [kind, `/mallory/hostile/-/tree/names/${inPath(`${text}.d`)}`]);
    const made = await upload(hostile, Buffer.isBuffer(name) ? name : name.replace(/["\\]/g, "\\$&"), "<script>xss=1</script>");
    took("uploads", made);
    if (made.status === 201) addresses.push([kind, "uploads", encodeURI(made.json.full_path)]);
    const published = await hostile.ask("PUT", `/packages/generic/names/1.${at}/${part(text)}`, { body: Buffer.from("<script>xss=1</script>") });
    took("files of packages", published);
    if (published.status === 201) addresses.push([kind, "packages", hostile.at(`/packages/generic/names/1.${at}/${part(text)}`)]);
    for (const [what, path] of [["packages", `/packages/generic/${part(text)}/1.0/a`], ["versions", `/packages/generic/a/${part(text)}/a`]]) took(what, await hostile.ask("PUT", path, { body: Buffer.from("a") }));
  }
  const list = tree(sorted(named));
  await hostile.sendAll([...objects.splice(0), list]);
  const tip = await hostile.push(list.id, ["refs/heads/names"], { message: "names\n" });
  pages.push(["a directory of all names", "/mallory/hostile/-/tree/names"]);

  // names of people, branches, tags, releases and their links
  for (const [at, [kind, name]] of NAMES.entries()) {
    const text = bytes(name).toString("utf8");
    const author = text.replace(/[<>\n\r\0]/g, " ").trim();
    const made = await hostile.push(list.id, [`refs/heads/author-${at}`], { author: `${author}<script>xss=1</script> <a"onload=xss=1@x>`, message: `${text}\n\n${text}\n`, at: 1_790_000_100 + at });
    pages.push([kind, `/mallory/hostile/-/commit/${made.id}`]);
    const ref = text.replace(/[\x00-\x20\x7f~^:?*[\\]/g, "").replace(/\.\.+|@\{|\/\/+/g, "").replace(/^[/.-]+|(\.lock|[/.])+$/g, "") || "x";
    const tag = `t${at}${ref}`;
    const moved = await hostile.ask("PUT", "/mirror/refs", { body: { default_branch: "names", changes: [`refs/heads/b${at}${ref}`, `refs/tags/${tag}`].map((name) => ({ name, old: null, new: tip.id })) } });
    took("branches and tags", moved);
    if (moved.status >= 300) continue;
    const links = [{ name: text, url: `https://a.example/${part(text)}`, direct_asset_path: `/x${at}` }];
    const released = await hostile.ask("POST", "/releases", { body: { tag_name: tag, name: text, description: READMES[at % READMES.length][1].join("\n\n"), assets: { links } } });
    took("releases", released);
    took("addresses of links", await hostile.ask("POST", `/releases/${part(tag)}/assets/links`, { body: { name: `address ${at}`, url: text } }));
    pages.push([kind, `/mallory/hostile/-/tree/${inPath(`b${at}${ref}`)}`], [kind, `/mallory/hostile/-/releases/${part(tag)}`], [kind, `/mallory/hostile/-/tags/${part(tag)}`]);
  }
  for (const list of ["releases", "tags", "branches", "commits/names", "issues"]) pages.push(["lists of all names", `/mallory/hostile/-/${list}`]);
  console.log(`of ${NAMES.length} names the server took: ${[...taken].map(([what, count]) => `${what} ${count}`).join(", ")}`);
  return { addresses, pages, as: await person(hostile.client.server.origin, tokens.mallory) };
}

/** Routes whose bytes are also taken for scripts, styles and so on. */
const TRIED = new Set(["-/raw/", "uploads", "packages"]);
const FILE_KINDS = new Set(FILES.map(([kind]) => kind));

/** What happened in a page and all of its frames. */
const happened = async (page) => (await Promise.all(page.frames().map((frame) => frame.evaluate(() => [...(window.ran ?? []), ...(window.xss ? ["xss"] : [])]).catch(() => [])))).flat();

/** Opens each address of bytes by itself, and then in all elements of a page of the same origin that has no policy. */
export async function openBytes(world, addresses, program, tally) {
  const { client, tokens } = world;
  const server = client.server.origin;
  const browser = await chromium.launch({ executablePath: program, args: FLAGS });
  const waiting = [...addresses];
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      const context = await browser.newContext({ acceptDownloads: false });
      await context.addInitScript(() => {
        window.ran = [];
        for (const name of ["alert", "confirm", "prompt"]) window[name] = () => window.ran.push(name);
      });
      // a page of this origin that lets everything run, so that only the headers of the bytes are in the way
      await context.route("**/bare", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>bare</title><body>bare</body>" }));
      let about = "";
      context.on("request", (request) => {
        client.requests++;
        const { pathname, origin } = new URL(request.url());
        if (/\/canary/.test(pathname) || (request.url().startsWith("http") && origin !== server)) tally.ran(`${about} asks for ${request.url()}`);
      });
      const page = await context.newPage();
      page.on("dialog", (dialog) => (tally.ran(`${about} opens a dialog`), dialog.dismiss().catch(() => {})));
      page.setDefaultTimeout(15_000);
      for (let next; (next = waiting.shift()); ) {
        const [kind, route, address] = next;
        about = `${kind} at ${address}`;
        const signed = `${address}${address.includes("?") ? "&" : "?"}private_token=${tokens.mallory}`;
        await page.goto(server + signed, { waitUntil: "load" }).catch((error) => {
          // a file that is saved is no page
          if (!/Download is starting|ERR_ABORTED/.test(error.message)) tally.wrong(`${about}: ${error.message.split("\n")[0]}`);
        });
        for (const what of await happened(page)) tally.ran(`${about} runs ${what}`);
        // the other routes of files have the same headers, which the table shows
        if (!TRIED.has(route) || !FILE_KINDS.has(kind)) continue;
        await page.goto(`${server}/bare`);
        const found = await page.evaluate(probe, [signed, address]).catch((error) => [`the page went away: ${error.message.split("\n")[0]}`]);
        for (const what of [...found, ...(await happened(page))]) tally.ran(`${about} is ${what}`);
      }
      await context.close();
    }),
  );
  await browser.close();
}

/** Runs in the bare page: takes an address for everything that a page can load. */
async function probe([address]) {
  const found = [];
  const made = [];
  const element = (name, attributes) => {
    const one = Object.assign(document.createElement(name), attributes);
    made.push(new Promise((done) => ((one.onload = () => done(name)), (one.onerror = () => done(null)), setTimeout(done, 300, null))));
    document.body.append(one);
    return one;
  };
  element("script", { src: address });
  element("script", { src: address, type: "module" });
  element("script", { src: address, charset: "utf-7" });
  element("link", { rel: "stylesheet", href: address });
  element("link", { rel: "manifest", href: address });
  element("iframe", { src: address });
  element("object", { data: address });
  element("object", { data: address, type: "text/html" });
  element("embed", { src: address });
  element("embed", { src: address, type: "image/svg+xml" });
  element("img", { src: address });
  element("video", { src: address });
  const track = document.createElement("track");
  Object.assign(track, { src: address, default: true, kind: "subtitles" });
  element("video", {}).append(track);
  const tried = async (what, attempt) => {
    try {
      if (await Promise.race([attempt(), new Promise((done) => setTimeout(done, 300, false))])) found.push(what);
    } catch {
      // refused
    }
  };
  const worked = (worker) => new Promise((done) => ((worker.onmessage = () => done(true)), (worker.onerror = () => done(false))));
  await Promise.all([
    tried("a worker", () => worked(new Worker(address))),
    tried("a worker of a module", () => worked(new Worker(address, { type: "module" }))),
    tried("a shared worker", () => new Promise((done) => (new SharedWorker(address).onerror = () => done(false)))),
    tried("a service worker", async () => Boolean(await navigator.serviceWorker.register(address))),
    tried("a service worker of the whole server", async () => Boolean(await navigator.serviceWorker.register(address, { scope: "/" }))),
    tried("a module", async () => Boolean(await import(address))),
    tried("a module with JSON", async () => Boolean(await import(address, { with: { type: "json" } }))),
    tried("compiled WebAssembly", async () => Boolean(await WebAssembly.compileStreaming(fetch(address)))),
    tried("a worklet", async () => ((await CSS.paintWorklet?.addModule(address)), Boolean(CSS.paintWorklet))),
    tried("a stream of events", () => new Promise((done) => Object.assign(new EventSource(address), { onmessage: () => done(true), onerror: () => done(false) }))),
    tried("an XSLT", async () => {
      const kind = (await fetch(address)).headers.get("content-type");
      return /xml|html|svg/.test(kind);
    }),
  ]);
  await Promise.all(made);
  if (getComputedStyle(document.body).color === "rgb(1, 2, 3)") found.push("a style sheet");
  for (const frame of document.querySelectorAll("iframe, object, embed")) {
    let inside = null;
    try {
      inside = frame.contentDocument ?? frame.getSVGDocument?.();
    } catch {
      // of another origin: it is in a sandbox
    }
    if (inside && inside.URL !== "about:blank" && inside.location?.href?.includes("private_token")) found.push("a document of this origin");
  }
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
  return found;
}

/** Opens the pages that show what is hostile, signed in. */
export async function openPages({ client }, pages, as, program, tally) {
  const server = client.server.origin;
  const browser = await Browser.start(server, program);
  const waiting = [...pages];
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      const page = await browser.page({ as, name: "hostile" });
      page.noted.expected = new Set([400, 404, 413, 422, 503]);
      page.on("request", (request) => {
        client.requests++;
        if (/\/canary/.test(new URL(request.url()).pathname)) tally.ran(`${page.url()} asks for ${request.url()}`);
      });
      for (let next; (next = waiting.shift()); ) {
        const [kind, path] = next;
        try {
          await browser.open(page, path);
          for (const what of await browser.unsafe(page)) tally.ran(`${kind} in ${path}: ${what}`);
        } catch (error) {
          tally.wrong(`${kind} in ${path}: ${error.message.split("\n")[0]}`);
        }
      }
      for (const problem of page.noted.problems) (/console|error:/.test(problem) ? tally.wrong : tally.ran).call(tally, problem);
      await page.tab.close();
    }),
  );
  await browser.stop();
}
