// Archives of refs, unpacked beside those of git archive.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { entriesOf } from "./fidelity.mjs";
import { bytesOf, env, get } from "./world.mjs";

const FORMATS = ["tar", "tar.gz", "zip"];
/** Directories that are tried where a whole archive is refused. */
const TRIED = 5;
const slash = Buffer.from("/");

/** Node.js cannot remove paths that are longer than the system takes at once. */
const remove = (path) => execFileSync("rm", ["-rf", path]);

function unpack(file, folder) {
  remove(folder);
  mkdirSync(folder);
  execFileSync("tar", ["--extract", "--preserve-permissions", "--file", file, "--directory", folder], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** Everything below a folder: `TYPE MODE PATH CONTENT TIME`. Names are bytes, times multiples of `step` seconds. */
function contentOf(folder, step) {
  const found = [];
  const before = process.cwd();
  // the paths of an archive may be as long as the system allows
  process.chdir(folder);
  const walk = (path) => {
    const stat = lstatSync(path);
    const head = `${(stat.mode & 0o777).toString(8)} ${path.toString("latin1")}`;
    if (stat.isSymbolicLink()) found.push(`link ${head} ${readlinkSync(path, "buffer").toString("latin1")}`);
    else if (stat.isFile())
      found.push(
        `file ${head} ${createHash("sha1").update(readFileSync(path)).digest("hex")} ${Math.floor(stat.mtimeMs / 1000 / step) * step}`,
      );
    else {
      found.push(`directory ${head}`);
      for (const name of readdirSync(path, { encoding: "buffer" })) walk(Buffer.concat([path, slash, name]));
    }
  };
  for (const name of readdirSync(".", { encoding: "buffer" })) walk(name);
  process.chdir(before);
  return found.sort();
}

/** The same of a zip archive, which unzip checks. It would unpack names that are not UTF-8 under others. */
function membersOf(file, bytes) {
  execFileSync("unzip", ["-tqq", file], { stdio: ["ignore", "ignore", "pipe"] });
  const end = bytes.lastIndexOf("PK\x05\x06");
  const found = [];
  for (let at = bytes.readUInt32LE(end + 16), left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, date, size, length, mode, from] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 12),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 40),
      bytes.readUInt32LE(at + 42),
    ];
    const path = bytes.toString("latin1", at + 46, at + 46 + length).replace(/\/$/, "");
    const start = from + 30 + bytes.readUInt16LE(from + 26) + bytes.readUInt16LE(from + 28);
    const content = method ? inflateRawSync(bytes.subarray(start, start + size)) : bytes.subarray(start, start + size);
    const head = `${(mode & 0o777).toString(8)} ${path}`;
    // bits of years, months, days, hours, minutes, and pairs of seconds
    const [years, months, days, hours, minutes, pairs] = [25, 21, 16, 11, 5, 0].map(
      (shift, at) => (date >>> shift) & [127, 15, 31, 31, 63, 31][at],
    );
    const seconds = Date.UTC(1980 + years, months - 1, days, hours, minutes, pairs * 2) / 1000;
    if (mode >> 12 === 0o12) found.push(`link ${head} ${content.toString("latin1")}`);
    else if (mode >> 12 === 0o4) found.push(`directory ${head}`);
    else found.push(`file ${head} ${createHash("sha1").update(content).digest("hex")} ${seconds}`);
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return found.sort();
}

/** The directories of the root, the largest first. */
function directoriesOf(repository, ref) {
  const sizes = new Map();
  for (const { type, path, size } of entriesOf(repository, ref.sha)) {
    if (type === "blob" && path.includes("/")) sizes.set(path.split("/")[0], (sizes.get(path.split("/")[0]) ?? 0) + size);
  }
  return [...sizes]
    .sort((a, b) => b[1] - a[1])
    .map(([path]) => path)
    .slice(0, TRIED);
}

/** The answer, and the directory that it is of where all of the ref is too much for an archive. */
async function fetchArchive(world, ref, format) {
  const ask = (path) =>
    get(world.server, `${world.root}/archive.${format}?sha=${encodeURIComponent(ref.name)}${path && `&path=${encodeURIComponent(path)}`}`);
  const answer = await ask("");
  if (answer.status !== 422 || !/an archive has at most/.test(answer.said())) return { answer, path: "", refused: "" };
  for (const path of directoriesOf(world.repository, ref)) {
    const part = await ask(path);
    if (part.status === 200) return { answer: part, path, refused: answer.said() };
  }
  return { answer, path: "", refused: answer.said() };
}

export async function archives(world, refs) {
  const { repository, findings, work } = world;
  for (const ref of refs) {
    for (const format of FORMATS) {
      const began = performance.now();
      const { answer, path, refused } = await fetchArchive(world, ref, format);
      const took = performance.now() - began;
      const words = `${format} of ${ref.name}${path && `, path=${path}`}`;
      if (refused) console.log(`       all of ${ref.name} as ${format} is refused: ${refused}`);
      if (answer.status !== 200) {
        findings.check(false, `${words}: ${answer.said()}`);
        continue;
      }
      const dash = (text) => text.replaceAll("/", "-");
      const name = `${world.name}-${dash(ref.name)}-${ref.sha}${path && `-${dash(path)}`}`;
      const [ours, theirs] = ["ours", "git"].map((which) => join(work, `${which}.${format}`));
      writeFileSync(ours, answer.body);
      const scope = path ? ["--", path] : [];
      writeFileSync(theirs, bytesOf(repository, "-c", "tar.umask=0022", "archive", "--format=tar", `--prefix=${name}/`, ref.sha, ...scope));
      unpack(theirs, join(work, "git"));
      // zip archives have even seconds
      const step = format === "zip" ? 2 : 1;
      if (format !== "zip") unpack(ours, join(work, "ours"));
      const found = format === "zip" ? membersOf(ours, answer.body) : contentOf(join(work, "ours"), step);
      const wanted = contentOf(join(work, "git"), step);
      const gone = wanted.filter((one, at) => one !== found[at]);
      const again = format === "zip" || (await fetchArchive(world, ref, format)).answer.body.equals(answer.body);
      const id = format === "tar" ? commitIn(ours) === ref.sha : true;
      const holds = !gone.length && found.length === wanted.length && again && id;
      findings.check(
        holds,
        `${words}: ${found.length} members with bytes, modes, times and links as git archive has them${again ? "" : "; other bytes when asked again"}${id ? "" : "; another hash in its header"}; ${answer.body.length} bytes, git's tar ${readFileSync(theirs).length}, ${took.toFixed(0)} ms`,
      );
      for (const one of gone.slice(0, 5))
        console.log(`       git has: ${one}\n       ours: ${found.find((other) => other.split(" ")[2] === one.split(" ")[2]) ?? "none"}`);
      for (const file of [ours, theirs, join(work, "ours"), join(work, "git")]) remove(file);
    }
  }
}

/** The commit that a tar archive names. */
function commitIn(file) {
  return execFileSync("git", ["get-tar-commit-id"], { input: readFileSync(file).subarray(0, 1024), env })
    .toString()
    .trim();
}
