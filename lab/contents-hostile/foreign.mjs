// Kinds of questions about what is not the caller's: each is asked for something that there is, and for something that there
// is not, and both answers must be the same.
import { blob, sorted, tree } from "./objects.mjs";
import { SECRET } from "./world.mjs";

const CHANGES = ["date", "x-request-id", "server-timing", "etag", "retry-after", "ratelimit-reset", "ratelimit-remaining"];
const ABSENT = "f00dfeedf00dfeedf00dfeedf00dfeedf00dfeed";

/** An answer without what names the question. */
function told(answer, words) {
  const plain = (text) => words.reduce((left, word) => left.replaceAll(word, "?").replaceAll(encodeURIComponent(word), "?"), text);
  const headers = Object.entries(answer.headers).filter(([name]) => !CHANGES.includes(name) && name !== "content-length");
  return JSON.stringify([answer.status, headers.map(([name, value]) => [name, plain(String(value))]).sort(), plain(answer.text)]);
}

const form = (name, content) => {
  const edge = "b0undary";
  return { body: Buffer.from(`--${edge}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}\r\n--${edge}--\r\n`), headers: { "Content-Type": `multipart/form-data; boundary=${edge}` } };
};

/** Everything of Vera's that somebody might ask for. */
async function possessions(world) {
  const { secret, tip, file, top } = world;
  const upload = (await secret.ask("POST", "/uploads", form("secret.txt", SECRET))).json;
  await secret.ask("PUT", "/packages/generic/pack/1.0/secret.bin", { body: Buffer.from(SECRET) });
  const [pack] = await secret.must("GET", "/packages");
  const release = await secret.must("POST", "/releases", { tag_name: "v1", name: SECRET, description: SECRET, assets: { links: [{ name: SECRET, url: `https://example.com/${SECRET}`, direct_asset_path: "/secret" }] } });
  const issue = await secret.must("POST", "/issues", { title: SECRET, description: `![a](${upload.url})`, confidential: true });
  const milestone = await secret.must("POST", "/milestones", { title: SECRET });
  return { upload, pack, link: release.assets.links[0].id, issue, milestone, commit: tip.id, blob: file.id, tree: top.id };
}

/** `[kind, path of the question, what is there, what is not, method and body]` of questions that Mallory asks in her own project. */
function inOwn({ upload, pack, link, milestone, commit, blob: sha, tree: root }) {
  const [secret] = /[0-9a-f]{32}/.exec(upload.url);
  const wrong = "0123456789abcdef0123456789abcdef";
  const of = (rest) => (word) => rest.replaceAll(":x", word);
  return [
    ["a file by its hash", of("/repository/blobs/:x"), sha, ABSENT],
    ["the bytes of a file by its hash", of("/repository/blobs/:x/raw"), sha, ABSENT],
    ["the bytes of a file by a part of its hash", of("/repository/blobs/:x/raw"), sha.slice(0, 12), ABSENT.slice(0, 12)],
    ["a tree as a file by its hash", of("/repository/blobs/:x/raw"), root, ABSENT],
    ["a directory of a commit elsewhere", of("/repository/tree?ref=:x"), commit, ABSENT],
    ["a directory of a tree elsewhere", of("/repository/tree?ref=:x"), root, ABSENT],
    ["a file of a commit elsewhere", of("/repository/files/secret.txt/raw?ref=:x"), commit, ABSENT],
    ["a file as JSON of a commit elsewhere", of("/repository/files/secret.txt?ref=:x"), commit, ABSENT],
    ["an archive of a commit elsewhere", of("/repository/archive.zip?sha=:x"), commit, ABSENT],
    ["a comparison with a commit elsewhere", of("/repository/compare?from=main&to=:x"), commit, ABSENT],
    ["where a commit elsewhere was met", of("/repository/merge_base?refs[]=main&refs[]=:x"), commit, ABSENT],
    ["contributors of a commit elsewhere", of("/repository/contributors?ref=:x"), commit, ABSENT],
    ["a commit elsewhere", of("/repository/commits/:x"), commit, ABSENT],
    ["a commit elsewhere by the beginning of its hash", of("/repository/commits/:x"), commit.slice(0, 10), ABSENT.slice(0, 10)],
    ["statuses of a commit elsewhere", of("/repository/commits/:x/statuses"), commit, ABSENT],
    ["an upload by its id", of("/uploads/:x"), String(upload.id), "999999"],
    ["an upload by its secret in another project", of("/uploads/:x/secret.txt"), secret, wrong],
    ["deleting an upload by its id", of("/uploads/:x"), String(upload.id), "999999", "DELETE"],
    ["deleting an upload by its secret", of("/uploads/:x/secret.txt"), secret, wrong, "DELETE"],
    ["a package by its id", of("/packages/:x"), String(pack.id), "999999"],
    ["the files of a package by its id", of("/packages/:x/package_files"), String(pack.id), "999999"],
    ["deleting a package by its id", of("/packages/:x"), String(pack.id), "999999", "DELETE"],
    ["deleting a file of a package", of("/packages/:x/package_files/1"), String(pack.id), "999999", "DELETE"],
    ["a link of a release by its id", of("/releases/own/assets/links/:x"), String(link), "999999"],
    ["changing a link of a release by its id", of("/releases/own/assets/links/:x"), String(link), "999999", "PUT", { name: "mine" }],
    ["deleting a link of a release by its id", of("/releases/own/assets/links/:x"), String(link), "999999", "DELETE"],
    ["a milestone of another project in a release", of("/releases/own"), String(milestone.id), "999999", "PUT", (word) => ({ milestone_ids: [Number(word)] })],
    ["whether the mirror lacks a file elsewhere", of("/mirror/objects/lacking"), sha, ABSENT, "POST", (word) => ({ objects: [word] })],
    ["whether the mirror lacks a commit elsewhere", of("/mirror/objects/lacking"), commit, ABSENT, "POST", (word) => ({ objects: [word] })],
    ["a branch that ends at a commit elsewhere", of("/mirror/refs"), commit, ABSENT, "PUT", (word) => ({ default_branch: "main", changes: [{ name: "refs/heads/stolen", old: null, new: word }] })],
    ["forgetting a commit elsewhere", of("/mirror/commits/:x"), commit, ABSENT, "DELETE"],
    ["a search for words elsewhere", of("/search?scope=issues&search=:x"), SECRET, "the-secret-that-is-not-anywhere-"],
  ];
}

/** Addresses in Vera's project. */
const ADDRESSES = ({ upload, pack, issue, commit, blob: sha }) => {
  const [secret] = /[0-9a-f]{32}/.exec(upload.url);
  const api = ["", "/repository/tree", "/repository/files/secret.txt?ref=main", "/repository/files/secret.txt/raw?ref=main", `/repository/blobs/${sha}/raw`, "/repository/archive.zip", "/repository/compare?from=main&to=v1", "/releases", "/releases/v1", "/releases/v1/downloads/secret", "/releases/permalink/latest", "/packages", `/packages/${pack.id}`, "/packages/generic/pack/1.0/secret.bin", `/uploads/${secret}/secret.txt`, `/uploads/${upload.id}`, `/issues/${issue.iid}`, "/events", `/repository/commits/${commit}`, "/feeds/issues.atom", "/mirror", "/mirror/objects", "/search?scope=issues&search=the", "/hooks", "/badges", "/statuses/" + commit];
  const web = ["-/raw/main/secret.txt", "-/archive/main/secret-main.zip", "-/releases/v1/downloads/secret", "-/releases/permalink/latest/downloads/secret", `uploads/${secret}/secret.txt`, `-/uploads/${secret}/secret.txt`, "-/issues.atom", "-/commits/main?format=atom"];
  return { api, web, secret };
};

export async function checkForeign(world, tally) {
  const { client, tokens, hostile, secret, root: admin, ids } = world;
  const mine = await possessions(world);
  const own = blob("mallory's\n");
  const top = tree([["100644", "own.txt", own.id]]);
  await hostile.sendAll([own, top]);
  await hostile.push(top.id, ["refs/heads/main", "refs/tags/own"]);
  await hostile.must("POST", "/releases", { tag_name: "own", name: "own" });

  async function same(kind, [token, method, path, options], [otherToken, otherMethod, otherPath, otherOptions], words) {
    const one = await client.ask(token, method, path, options);
    const other = await client.ask(otherToken, otherMethod, otherPath, otherOptions);
    for (const answer of [one, other]) {
      if (answer.text.replaceAll(words[0], "").includes(SECRET)) tally.foreign(`${path} shows what is Vera's: ${answer.text.slice(0, 120)}`);
      if (answer.status >= 500 && answer.status !== 503) tally.wrong(`${path}: ${answer.status}`);
    }
    if (told(one, words) !== told(other, words)) tally.foreign(`${method} ${path} tells what is there:\n      ${told(one, words).slice(0, 300)}\n      ${told(other, words).slice(0, 300)}`);
  }

  for (const [kind, path, there, not, method = "GET", body] of inOwn(mine)) {
    tally.kind(kind);
    const options = (word) => (body ? { body: typeof body === "function" ? body(word) : body } : {});
    await same(kind, [tokens.mallory, method, hostile.at(path(there)), options(there)], [tokens.mallory, method, hostile.at(path(not)), options(not)], [there, not]);
  }

  // trees that name what lies elsewhere
  for (const [kind, mode, id, rest] of [
    ["a tree that names a file elsewhere", "100644", mine.blob, "/repository/files/stolen/raw?ref="],
    ["a tree that names a directory elsewhere", "40000", mine.tree, "/repository/tree?path=stolen&ref="],
    ["a link that is a file elsewhere", "120000", mine.blob, "/repository/archive.tar?sha="],
  ]) {
    tally.kind(kind);
    const refs = [];
    for (const [at, named] of [id, ABSENT].entries()) {
      const made = tree(sorted([[mode, "stolen", named]]));
      await hostile.sendAll([made]);
      const ref = `stolen-${mode}-${at}`;
      await hostile.push(made.id, [`refs/heads/${ref}`], { message: ref });
      refs.push([ref, hostile.refs.get(`refs/heads/${ref}`)]);
    }
    const [[one, first], [other, second]] = refs;
    for (const address of [rest, "/repository/tree?recursive=true&ref=", "/repository/archive.zip?sha=", "/repository/files/stolen?ref=", "/repository/compare?straight=true&from=main&to="]) {
      await same(kind, [tokens.mallory, "GET", hostile.at(`${address}${one}`)], [tokens.mallory, "GET", hostile.at(`${address}${other}`)], [id, ABSENT, one, other, first, second, first.slice(0, 8), second.slice(0, 8)]);
    }
  }

  tally.kind("claiming that a file elsewhere is one's own");
  await hostile.ask("PUT", "/mirror/contents", { body: { extent: "tips", left_out: [{ id: mine.blob, kind: "blob", size: 31, reason: "size" }], complete: [mine.commit] } });
  const claimed = await hostile.ask("GET", `/repository/blobs/${mine.blob}/raw`);
  if (claimed.status === 200 || claimed.text.includes(SECRET)) tally.foreign(`a claimed file is served: ${claimed.text.slice(0, 100)}`);
  await hostile.ask("POST", "/mirror/objects", { body: Buffer.from(`blob ${mine.blob} 31\n`) });
  if (!(await secret.ask("GET", `/repository/blobs/${mine.blob}/raw`)).text.includes(SECRET)) tally.wrong("Vera's file is gone");

  // all addresses, for a project that there is and one that there is not
  const { api, web } = ADDRESSES(mine);
  const etag = `"${mine.blob}"`;
  for (const [who, token] of [["nobody", null], ["another user", tokens.otto]]) {
    for (const [kind, method, options] of [["asks", "GET", {}], ["asks for headers only", "HEAD", {}], ["asks with the tag of a file", "GET", { headers: { "If-None-Match": etag } }], ["asks for any change", "GET", { headers: { "If-None-Match": "*" } }], ["asks for a part", "GET", { headers: { Range: "bytes=0-0" } }], ["asks for HTML", "GET", { headers: { Accept: "text/html" } }], ["asks for HTML with a cookie", "GET", { headers: { Accept: "text/html", Cookie: `_gitlab_session=${tokens.vera}; private_token=${tokens.vera}; PRIVATE-TOKEN=${tokens.vera}` } }], ["asks with a token of another header", "GET", { headers: { "JOB-TOKEN": tokens.vera, "DEPLOY-TOKEN": tokens.vera } }], ["asks with the name of another origin", "GET", { headers: { Origin: "https://evil.example", "X-Forwarded-Host": "evil.example", "X-Original-URL": "/vera/secret" } }], ["asks with the tag of a range", "GET", { headers: { "If-Range": etag, Range: "bytes=1-" } }]]) {
      tally.kind(`${who} ${kind} in a private project`);
      for (const rest of api) await same(kind, [token, method, `/api/v4/projects/${secret.id}${rest}`, options], [token, method, `/api/v4/projects/999999${rest}`, options], [String(secret.id), "999999"]);
      for (const rest of web) await same(kind, [token, method, `/vera/secret/${rest}`, options], [token, method, `/vera/absent/${rest}`, options], ["vera/secret", "vera/absent", "secret-main", "absent-main"]);
    }
  }
  return mine;
}

const CLIMBS = ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "%252e%252e%252f", "..%5c", "..\\", "..;/", "%c0%ae%c0%ae/", "%u002e%u002e/", ".%00./", "%2e%2e%00/", "//", "/./", "%0d%0aSet-Cookie:%20a=b%0d%0a", "%ff", "%", "%zz", "?", "#", "%3f", "%23", "\u00e9"];

/** Addresses that lead elsewhere if they are decoded once too often. */
export async function checkAddresses(world, tally) {
  const { client, tokens, hostile, secret } = world;
  for (const climb of CLIMBS) {
    tally.kind(`${JSON.stringify(climb)} in addresses`);
    const path = climb.replace("\u00e9", "%e9");
    for (const address of [
      `/mallory/hostile/-/raw/main/${path}${path}${path}etc/passwd`,
      `/mallory/hostile/-/raw/main/${path}${path}vera/secret/-/raw/main/secret.txt`,
      `/mallory/hostile/${path}${path}vera/secret/-/raw/main/secret.txt`,
      `/api/v4/projects/${hostile.id}/repository/files/${path}${path}secret.txt/raw?ref=main`,
      `/api/v4/projects/${hostile.id}/repository/files/${encodeURIComponent(path)}secret.txt/raw?ref=main`,
      `/api/v4/projects/${hostile.id}/${path}${secret.id}/repository/files/secret.txt/raw?ref=main`,
      `/api/v4/projects/${hostile.id}/packages/generic/a/1/${path}${path}secret.bin`,
      `/api/v4/projects/${hostile.id}/uploads/${"0".repeat(32)}/${path}secret.txt`,
      `/-/project/${hostile.id}/uploads/${"0".repeat(32)}/${path}x`,
      `/api/v4/projects/${hostile.id}/repository/tree?path=${path}${path}&ref=main`,
      `/api/v4/projects/${hostile.id}/repository/tree?path=&ref=${path}${path}refs/heads/main`,
      `/api/v4/projects/${hostile.id}/repository/archive.zip?sha=main&path=${path}`,
      `/api/v4/projects/${hostile.id}/releases/${path}/downloads/${path}x`,
      `/mallory/hostile/-/archive/main/${path}x.zip`,
      `/assets/${path}${path}wrangler.toml`,
    ]) {
      let answer;
      try {
        answer = await client.ask(tokens.mallory, "GET", address);
      } catch {
        continue; // the runtime does not take it for a request
      }
      if (answer.status >= 500) tally.wrong(`${address}: ${answer.status} ${answer.text.slice(0, 100)}`);
      if (answer.text.includes(SECRET) || answer.text.includes("root:x:0") || answer.text.includes("compatibility_date")) tally.foreign(`${address} shows what lies elsewhere`);
      if (answer.headers["set-cookie"]) tally.wrong(`${address} sets a cookie`);
    }
  }
}

const TEN = "0123456789";
/** `[header Range, the status, the bytes]` */
const RANGES = [
  ["bytes=0-0", 206, "0"], ["bytes=9-", 206, "9"], ["bytes=-1", 206, "9"], ["bytes=0-99", 206, TEN], ["bytes=-99", 206, TEN], ["bytes=10-", 416], ["bytes=-0", 416], ["bytes=5-2", 200], ["bytes=", 200], ["bytes=-", 200], ["bytes=a-b", 200], ["octets=0-1", 200],
  ["bytes=0-0,2-2", 200], [`bytes=${Array(1000).fill("0-").join(",")}`, 200], ["bytes=18446744073709551615-", 416], ["bytes=0-18446744073709551615", 206, TEN], ["bytes=18446744073709551616-", 416], ["bytes=0-18446744073709551616", 206, TEN], ["bytes=-18446744073709551615", 206, TEN], ["bytes=--1", 200], ["bytes=+0-+1", 200], ["bytes=0x0-0x1", 200], ["BYTES=0-0", 206, "0"], ["bytes=0-0\u00a0", 200],
];

export async function checkRanges(world, tally) {
  const { client, tokens, hostile } = world;
  const file = blob(TEN);
  const top = tree([["100644", "ten.txt", file.id]]);
  await hostile.sendAll([file, top]);
  await hostile.push(top.id, ["refs/heads/ranges"], { message: "ranges" });
  const upload = (await hostile.ask("POST", "/uploads", form("ten.txt", TEN))).json;
  await hostile.ask("PUT", "/packages/generic/ranges/1/ten.txt", { body: Buffer.from(TEN) });
  const places = [hostile.at("/repository/files/ten.txt/raw?ref=ranges"), `/mallory/hostile/-/raw/ranges/ten.txt`, hostile.at(`/repository/blobs/${file.id}/raw`), upload.full_path, hostile.at("/packages/generic/ranges/1/ten.txt")];
  for (const [range, status, part = TEN] of RANGES) {
    tally.kind(`Range: ${range.slice(0, 40)}`);
    for (const place of places) {
      const answer = await client.ask(tokens.mallory, "GET", place, { headers: { Range: range } });
      if (answer.status !== status || (status !== 416 && answer.text !== part)) tally.wrong(`${place}: ${answer.status} ${answer.text.slice(0, 60)} instead of ${status} ${part}`);
      if (answer.headers["content-length"] !== String(answer.bytes.length)) tally.wrong(`${place}: a length of ${answer.headers["content-length"]} for ${answer.bytes.length} bytes`);
    }
  }
  tally.kind("a part of a file that has changed meanwhile");
  for (const place of places) {
    const answer = await client.ask(tokens.mallory, "GET", place, { headers: { Range: "bytes=5-", "If-Range": '"another"' } });
    if (answer.status !== 200 || answer.text !== TEN) tally.wrong(`${place}: ${answer.status} ${answer.text}: a part of another file than the client has begun`);
  }
  tally.kind("the headers of HEAD and of GET");
  for (const place of places) {
    const [get, head] = [await client.ask(tokens.mallory, "GET", place), await client.ask(tokens.mallory, "HEAD", place)];
    const told = ({ status, headers }) => JSON.stringify([status, Object.entries(headers).filter(([name]) => !CHANGES.includes(name) || name === "etag").sort()]);
    if (told(get) !== told(head)) tally.wrong(`${place}: ${told(get)} and ${told(head)}`);
    if (head.bytes.length) tally.wrong(`${place}: HEAD has a body`);
  }
}
