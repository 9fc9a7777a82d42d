// Reads names of archives, and says which of them lead elsewhere, by the rules of git's verify_path with those for Windows
// and macOS.

const text = (bytes) => bytes.toString("utf8").replace(/\0.*$/s, "");

/** `{ name, type }` of the members, where type is file, directory or link. */
export function namesOfTar(bytes) {
  const found = [];
  let long = null;
  for (let at = 0; at + 512 <= bytes.length; ) {
    const head = bytes.subarray(at, at + 512);
    if (head.every((byte) => byte === 0)) break;
    const size = parseInt(text(head.subarray(124, 136)), 8) || 0;
    const [kind, body] = [String.fromCharCode(head[156]), bytes.subarray(at + 512, at + 512 + size)];
    at += 512 + Math.ceil(size / 512) * 512;
    if (kind === "g") continue;
    if (kind === "x") {
      long = /(?:^|\n)?\d+ path=([\s\S]*?)\n(?=\d+ [a-z]+=|$)/.exec(body.toString("utf8"))?.[1] ?? long;
      continue;
    }
    const prefix = text(head.subarray(345, 500));
    const name = long ?? `${prefix ? `${prefix}/` : ""}${text(head.subarray(0, 100))}`;
    found.push({ name, type: { 5: "directory", 2: "link", 1: "link" }[kind] ?? "file" });
    long = null;
  }
  return found;
}

export function namesOfZip(bytes) {
  const found = [];
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06"));
  for (let at = bytes.readUInt32LE(end + 16); bytes.readUInt32LE(at) === 0x02014b50; ) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const mode = bytes.readUInt32LE(at + 38) >>> 16;
    found.push({ name: bytes.toString("utf8", at + 46, at + 46 + name), type: { 0o040000: "directory", 0o120000: "link" }[mode & 0o170000] ?? "file" });
    at += 46 + name + extra + comment;
  }
  return found;
}

/** macOS leaves these letters out of names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** What Windows and macOS make of a name. */
const folded = (part) => part.replace(IGNORED, "").toLowerCase().replace(/:.*$/s, "").replace(/[. ]+$/, "");

/** Why no archive may have these names. */
export function deny(members) {
  const flaws = [];
  const links = members.filter(({ type }) => type === "link").map(({ name }) => name.toLowerCase());
  const tops = new Set(members.map(({ name }) => name.split("/")[0]));
  if (tops.size > 1) flaws.push(`${tops.size} directories at the top`);
  const seen = new Set();
  for (const { name } of members) {
    const parts = name.replace(/\/$/, "").split("/");
    const shown = JSON.stringify(name.slice(0, 100));
    if (name.startsWith("/") || parts.some((part) => part === "" || part === "." || part === ".." || part.split("\\").includes(".."))) flaws.push(`${shown} leads out`);
    if (parts.some((part) => part.split("\\").some((one) => [".git", "git~1"].includes(folded(one))))) flaws.push(`${shown} is git's own directory`);
    if (links.some((link) => name.toLowerCase().startsWith(`${link}/`))) flaws.push(`${shown} lies below a link`);
    if (seen.has(name)) flaws.push(`${shown} is there twice`);
    seen.add(name);
  }
  return [...new Set(flaws)].slice(0, 5);
}
