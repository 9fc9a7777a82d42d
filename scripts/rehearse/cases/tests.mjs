// The tests in tests/rehearse/, each of which makes an account of its own.
import { spawn } from "node:child_process";

/** Runs a program; resolves to its exit code and all that it said. */
function run(program, given) {
  return new Promise((done, fail) => {
    const child = spawn(program, given, { stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (text += part));
    child.once("error", fail);
    child.once("close", (code) => done({ code, text }));
  });
}

/** Each test of a file as one thing that holds or not. */
async function tests(check, name) {
  const { code, text } = await run(process.execPath, ["--no-warnings", "--test", "--test-reporter=tap", `tests/rehearse/${name}.test.mjs`]);
  const results = [...text.matchAll(/^(not ok|ok) \d+ - (.+)$/gm)];
  for (const [, result, sentence] of results) check(result === "ok", sentence, text);
  check(code === 0 && results.length > 0, `all tests of ${name}`, text);
}

/** Ten thousand rows backed up while they are written to, restored, compared; killed, over a network that breaks. */
export const backup = ({ check }) => tests(check, "backup");

/** What `make release` writes: it installs, serves and deploys where there is no cargo. */
export async function release({ check }) {
  const { code, text } = await run("scripts/release", []);
  check(code === 0, "a release is written", text);
  await tests(check, "release");
}
