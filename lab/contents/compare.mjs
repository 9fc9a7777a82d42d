// Compares what a served edgeforge answers with a bare git repository whose contents were mirrored to it.
//   node lab/contents/compare.mjs REPOSITORY BASE TOKEN PROJECT [REF]...
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";

const [repository, base, token, project, ...refs] = process.argv.slice(2);
const git = (...args) => execFileSync("git", ["--git-dir", repository, ...args], { maxBuffer: 1 << 30 });
const api = `${base}/api/v4/projects/${encodeURIComponent(project)}/repository`;
const ask = (path) => fetch(path.startsWith("http") ? path : `${api}/${path}`, { headers: { "PRIVATE-TOKEN": token, "accept-encoding": "identity" } });

/** `MODE TYPE HASH\tPATH` of every entry. */
async function listed(ref) {
  const entries = [];
  for (let next = `tree?recursive=true&per_page=100&pagination=keyset&ref=${encodeURIComponent(ref)}`; next; ) {
    const answer = await ask(next);
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    for (const { mode, type, id, path } of await answer.json()) entries.push(`${mode} ${type} ${id}\t${path}`);
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
  }
  return entries.sort();
}

/** git's hash of the bytes. */
const hash = (bytes) => createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");

let [different, files, bytes] = [0, 0, 0];
const began = performance.now();
for (const ref of refs) {
  const wanted = git("ls-tree", "-r", "-t", "-z", ref).toString().split("\0").filter(Boolean).sort();
  const found = await listed(ref);
  if (JSON.stringify(wanted) !== JSON.stringify(found)) {
    different += 1;
    console.log(`${ref}: git has ${wanted.length} entries, the server ${found.length}`);
  }
  const blobs = wanted.map((line) => /^\d+ blob (\w+)\t(.*)$/s.exec(line)).filter(Boolean);
  const lane = async () => {
    for (let next; (next = blobs.pop()); ) {
      const [, id, path] = next;
      const answer = await ask(`files/${encodeURIComponent(path)}/raw?ref=${encodeURIComponent(ref)}`);
      const content = Buffer.from(await answer.arrayBuffer());
      files += 1;
      bytes += content.length;
      const told = answer.headers.get("x-gitlab-content-sha256") === createHash("sha256").update(content).digest("hex");
      if (answer.status !== 200 || hash(content) !== id || !told || Number(answer.headers.get("content-length")) !== content.length) {
        different += 1;
        console.log(`${ref}: ${path}: ${answer.status}, ${content.length} bytes`);
      }
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
}
const seconds = ((performance.now() - began) / 1000).toFixed(1);
console.log(`${refs.length} refs, ${files} files, ${bytes} bytes compared in ${seconds} s, ${different} different`);
process.exitCode = different ? 1 : 0;
