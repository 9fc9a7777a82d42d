// The tests in tests/rehearse/. Each makes its own account.
import { spawn } from "node:child_process";

/** Runs a program. Resolves to its exit code and its output. */
function run(program, given) {
  return new Promise((done, fail) => {
    const child = spawn(program, given, { stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (text += part));
    child.once("error", fail);
    child.once("close", (code) => done({ code, text }));
  });
}

/** Prints each test of a file as one check. */
async function tests(check, name) {
  const { code, text } = await run(process.execPath, ["--no-warnings", "--test", "--test-reporter=tap", `tests/rehearse/${name}.test.mjs`]);
  const results = [...text.matchAll(/^(not ok|ok) \d+ - (.+)$/gm)];
  for (const [, result, sentence] of results) check(result === "ok", sentence, text);
  check(code === 0 && results.length > 0, `all tests of ${name}`, text);
}

/** Backs up ten thousand rows under writes, restores and compares them; with kills, and over a network that breaks. */
export const backup = ({ check }) => tests(check, "backup");

/** Backs up the files of issues and packages, and restores them into other buckets. */
export const files = ({ check }) => tests(check, "files");

/** The result of `make release` installs, serves and deploys without cargo. */
export async function release({ check }) {
  const { code, text } = await run("scripts/release", []);
  check(code === 0, "a release is written", text);
  await tests(check, "release");
}
