// Checks the variables of `make dev` before the build, and prints root's token: ADMIN_TOKEN, else that of .dev.vars
// (which `wrangler dev` also reads), else a new one, which it writes there.
//
//   PORT=8787 PROFILE=spec ADMIN_TOKEN=.. node scripts/given.mjs [.dev.vars]
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { parseEnv } from "node:util";

/** The least characters of root's token; `make deploy` has the same limit. */
const SHORTEST = 20;

export function faultOfPort(port) {
  return /^\d{1,5}$/.test(port) && Number(port) <= 65535 ? null : `PORT=${port} is not a port: a number from 0 (any free one) to 65535`;
}

export function faultOfProfile(profile) {
  return ["", "spec", "gitlab"].includes(profile) ? null : `PROFILE=${profile} does not exist: use "spec" or "gitlab"`;
}

export function faultOfReceiver(address) {
  const isRight = address === "" || (URL.canParse(address) && ["http:", "https:"].includes(new URL(address).protocol));
  return isRight ? null : `HOOKS_TO=${address} is not an address: give one such as http://127.0.0.1:9000`;
}

/** `where`: the token's name in the message. The message never contains the token. */
export function faultOfToken(token, where) {
  if (token.length < SHORTEST) return `${where} has ${token.length} characters: root's token needs ${SHORTEST} or more`;
  // tokens are sent in headers, and appear in curl lines that the shell reads
  const odd = token.match(/[^A-Za-z0-9._~+/=-]/u);
  return odd && `${where} has ${JSON.stringify(odd[0])}: root's token may only have letters, digits and . _ ~ + / = -`;
}

/** The variables of a file in dotenv's format; {} without the file. */
export const variablesOf = (file) => (existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {});

export const newToken = () => randomBytes(15).toString("base64url");

/** Adds root's token to a file of variables. */
export function keep(token, file) {
  const isOpen = existsSync(file) && /[^\n]$/.test(readFileSync(file, "utf8"));
  appendFileSync(file, `${isOpen ? "\n" : ""}ADMIN_TOKEN="${token}"\n`, { mode: 0o600 });
}

const isFree = (port) =>
  new Promise((done) => {
    const server = createServer().once("error", () => done(false));
    server.listen(port, "127.0.0.1", () => server.close(() => done(true)));
  });

function fail(text) {
  console.error(`error: ${text}`);
  process.exit(1);
}

if (process.argv[1] === import.meta.filename) {
  const { PORT: port = "8787", PROFILE: profile = "", HOOKS_TO: receiver = "", ADMIN_TOKEN: given = "" } = process.env;
  const file = process.argv[2] ?? ".dev.vars";
  const saved = variablesOf(file).ADMIN_TOKEN ?? "";
  const token = given || saved || newToken();
  const fault =
    faultOfPort(port) ??
    faultOfProfile(profile) ??
    faultOfReceiver(receiver) ??
    faultOfToken(token, given ? "ADMIN_TOKEN" : `ADMIN_TOKEN in ${file}`);
  if (fault) fail(fault);
  if (!(await isFree(Number(port)))) {
    let other = Number(port) < 65_000 ? Number(port) + 1 : 8787;
    while (!(await isFree(other)) && other < 65_535) other++;
    fail(`port ${port} is in use; choose another: make dev PORT=${other}`);
  }
  if (!saved) {
    console.error(`==> writing root's token to ${file}`);
    keep(token, file);
  }
  console.log(token);
}
