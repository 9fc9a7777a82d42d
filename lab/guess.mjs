// Guesses tokens at a Worker with limits and at one without. Server-Timing shows which guesses reached the database.
// ADMIN_TOKEN is root's.
//
//   node lab/guess.mjs LIMITED_ADDRESS OPEN_ADDRESS
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const [limited, open] = process.argv.slice(2);
const TIMES = 1000;
const LIMIT = Number(/^REFUSALS_PER_MINUTE = "(\d+)"/m.exec(readFileSync("wrangler.toml", "utf8"))[1]);
/** With the tokens that an address over the limit may still try in a minute, a sixth of it (docs/limits.md): 35 of 30. */
const MOST = LIMIT + Math.floor(LIMIT / 6);
const token = () => randomBytes(15).toString("base64url");
let failed = false;

function tell(holds, text) {
  console.log(`${holds ? "ok" : "NOT SO"}: ${text}`);
  failed ||= !holds;
}

async function ask(server, path, token, { address, method = "GET", body } = {}) {
  const headers = { ...(token && { "PRIVATE-TOKEN": token }), ...(address && { "CF-Connecting-IP": address }), ...(body && { "Content-Type": "application/json" }) };
  const answer = await fetch(`${server}/api/v3${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  const trips = Number(/trips;desc="(\d+)"/.exec(answer.headers.get("Server-Timing") ?? "")?.[1]);
  return { status: answer.status, trips, headers: answer.headers, json: text && JSON.parse(text) };
}

async function person(server, name) {
  const root = process.env.ADMIN_TOKEN;
  const user = await ask(server, "/users", root, { method: "POST", body: { name, username: name, email: `${name}@example.com` } });
  return (await ask(server, `/users/${user.json.id}/personal_access_tokens`, root, { method: "POST", body: { name } })).json.token;
}

/** Sends wrong tokens, many at once. Returns the answers. */
async function guess(server, address, atOnce, path = "/user") {
  const answers = [];
  const left = Array.from({ length: TIMES }, token);
  await Promise.all(Array.from({ length: atOnce }, async () => {
    while (left.length) answers.push(await ask(server, path, left.pop(), { address }));
  }));
  return answers;
}
const reached = (answers) => answers.filter(({ trips }) => trips > 0).length;

/** A step must fit in one minute. */
async function inOneMinute() {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 25_000) await pause(left + 500);
}

await inOneMinute();
const ann = await person(limited, "ann");
const here = "203.0.113.1";
tell((await ask(limited, "/user", ann, { address: here })).status === 200, "a good token is served");
const unlimited = await guess(open, here, 20);
tell(reached(unlimited) === TIMES, `without limits ${reached(unlimited)} of ${TIMES} wrong tokens reach the database`);
for (const [address, atOnce, path] of [[here, 1, "/user"], ["203.0.113.2", 200, "/user"], ["203.0.113.3", 20, "/licenses/mit"]]) {
  await inOneMinute();
  const answers = await guess(limited, address, atOnce, path);
  const refused = answers.filter(({ status }) => status === 429).length;
  const what = `${TIMES} wrong tokens at ${path}, ${atOnce} at once: ${reached(answers)} of at most ${MOST} reach the database, ${refused} get 429`;
  tell(reached(answers) <= MOST && refused >= TIMES - MOST, what);
  tell((await ask(limited, "/user", ann, { address })).status === 200, "the good token is served from the same address");
}
const other = await ask(limited, "/user", token(), { address: "198.51.100.9" });
tell(other.status === 401, "another address is refused as ever");
const limitedAnswer = await ask(limited, "/user", token(), { address: here });
const names = ["Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
tell(limitedAnswer.status === 429 ? names.every((name) => /^\d+$/.test(limitedAnswer.headers.get(name))) : limitedAnswer.status === 401, `${limitedAnswer.status} ${names.map((name) => `${name}: ${limitedAnswer.headers.get(name)}`).join(", ")}`);
process.exitCode = failed ? 1 : 0;
