// Prints what web hooks send, for `make dev`: the Worker's requests to other servers come here (serve.mjs --outbound).
//
//   node scripts/receiver.mjs --address FILE [--to http://127.0.0.1:9000]
//
// It answers 200, or the status that the last part of the path names: https://example.com/503 is answered 503. With --to it passes
// the request on to that address, with its path and query, and answers what comes back: a hook may not name a private network, so
// https://example.com/hook leads to http://127.0.0.1:9000/hook. Its own address is written to the file.
import { renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { address: { type: "string" }, to: { type: "string" } } });

/** The body, indented if it is JSON. */
function shown(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Headers of a connection, which the next one has of its own. */
const OF_CONNECTION = ["host", "connection", "content-length", "transfer-encoding", "x-outbound-url"];

/** Sends the request to --to. Returns the status and the body of the answer, 502 if there is none. */
async function passOn(request, url, body) {
  const { pathname, search } = new URL(url);
  const headers = Object.entries(request.headers).filter(([name]) => !OF_CONNECTION.includes(name));
  try {
    const answer = await fetch(new URL(pathname + search, values.to), {
      method: request.method,
      headers: new Headers(/** @type {[string, string][]} */ (headers)),
      ...(body && { body }),
      redirect: "manual",
    });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    return { status: 502, text: `${values.to} does not answer: ${error.cause?.message ?? error.message}\n` };
  }
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const { "x-outbound-url": url = "", ...headers } = request.headers;
  const own = Object.entries(headers).filter(([name]) => name.startsWith("x-gitlab-") || name.startsWith("webhook-"));
  const [, named = "200"] = /\/([2-5]\d\d)$/.exec(String(url).split("?")[0]) ?? [];
  const { status, text } = values.to && url ? await passOn(request, url, body) : { status: Number(named), text: "thanks\n" };
  console.log(`\n${request.method} ${url} -> ${status}\n${own.map(([name, value]) => `  ${name}: ${value}\n`).join("")}${shown(body)}`);
  if (status === 502 && values.to) console.log(text);
  response.writeHead(status).end(text);
});
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const address = `http://127.0.0.1:${port}/`;
  if (!values.address) return console.log(address);
  writeFileSync(`${values.address}.new`, address);
  renameSync(`${values.address}.new`, values.address);
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(0));
