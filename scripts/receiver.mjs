// Prints what web hooks send, for `make dev`: the Worker's requests to other servers come here (serve.mjs --outbound).
//
//   node scripts/receiver.mjs --address FILE
//
// It answers 200, or the status that the last part of the path names: https://example.com/503 is answered 503. Its address is
// written to the file.
import { renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { address: { type: "string" } } });

/** The body, indented if it is JSON. */
function shown(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const { "x-outbound-url": url = "", ...headers } = request.headers;
  const own = Object.entries(headers).filter(([name]) => name.startsWith("x-gitlab-") || name.startsWith("webhook-"));
  const [, status = "200"] = /\/([2-5]\d\d)$/.exec(String(url).split("?")[0]) ?? [];
  console.log(`\n${request.method} ${url} -> ${status}\n${own.map(([name, value]) => `  ${name}: ${value}\n`).join("")}${shown(body)}`);
  response.writeHead(Number(status)).end("thanks\n");
});
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const address = `http://127.0.0.1:${port}/`;
  if (!values.address) return console.log(address);
  writeFileSync(`${values.address}.new`, address);
  renameSync(`${values.address}.new`, values.address);
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(0));
