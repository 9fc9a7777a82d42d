// Packs the fuzzer's inputs for a target into one file: a line of base64 each.
//
//   node scripts/corpus.mjs unpack FILE FOLDER
//   node scripts/corpus.mjs pack FILE FOLDER
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [action, file, folder] = process.argv.slice(2);
if (action === "unpack") {
  mkdirSync(folder, { recursive: true });
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  lines.forEach((line, n) => writeFileSync(join(folder, `${n}`), Buffer.from(line, "base64")));
} else {
  const lines = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString("base64"));
  writeFileSync(file, `${lines.toSorted().join("\n")}\n`);
}
