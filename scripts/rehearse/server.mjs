// A simulated Cloudflare on 127.0.0.1: the parts of its REST API that wrangler uses, and the deployed Worker.
//
//   node scripts/rehearse/server.mjs --state DIR [--port N] [--address FILE] [--quiet]
//
// When it answers, FILE has the shell variables that point wrangler at it: CLOUDFLARE_API_BASE_URL,
// CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID, and WORKER_URL, the deployed Worker's address (503 before the first
// deploy). DIR keeps the account. Every refusal is a line on stderr. INT, TERM and HUP stop it and its workerd.
import { createServer, request as ask } from "node:http";
import { renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Account, accountId, accountRoutes, admit, token } from "./account.mjs";
import { Router, serveApi } from "./api.mjs";
import { Assets, assetRoutes } from "./assets.mjs";
import { d1Routes } from "./d1.mjs";
import { Host } from "./host.mjs";
import { kvRoutes } from "./kv.mjs";
import { workerRoutes } from "./workers.mjs";

const base = "/client/v4";

/** Passes each request to the deployed Worker. Requests wait while another version is started. */
function serveWorker(host) {
  const server = createServer((request, response) => {
    host.gate.pass(
      () =>
        new Promise((done) => {
          response.once("close", done);
          if (!host.worker) return response.writeHead(503).end("nothing is deployed\n");
          const { hostname, port } = host.worker;
          const onward = ask({ hostname, port, method: request.method, path: request.url, headers: request.headers }, (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
            answer.pipe(response);
          });
          onward.once("error", () => response.destroy());
          request.pipe(onward);
        }),
    );
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

/** Starts all of it. `interfere` (see `serveApi`) and `onLine`, which gets every line of output, may be set later. */
export async function start({ state, port = 0, quiet = false }) {
  const folder = resolve(state);
  /** @type {any} */
  const rehearsal = { interfere: () => undefined, onLine: () => {}, calls: [] };
  const print = (line) => {
    rehearsal.onLine(line);
    if (!quiet) process.stderr.write(`rehearsal: ${line}\n`);
  };
  const account = new Account(folder);
  const host = new Host(folder, print);
  const assets = new Assets(folder);
  const router = new Router();

  /** The deployed version of the one Worker. */
  const deployed = () => {
    const [script] = Object.values(account.scripts);
    return script?.versions.find(({ id }) => id === script.deployments[0].versions[0].version_id);
  };
  account.changed = async () => {
    account.save();
    await host.serve(account.resources, deployed());
  };

  router.add(accountRoutes);
  router.add(d1Routes(account, host));
  router.add(kvRoutes(account, host));
  router.add(assetRoutes(assets));
  router.add(workerRoutes(account, host, assets, print));

  Object.assign(rehearsal, { account, host });
  const interfere = (request, path) => {
    rehearsal.calls.push(`${request.method} ${path}`);
    return rehearsal.interfere(request, path);
  };
  await account.changed();
  const api = await serveApi(router, { port, base, admit, interfere, print });
  const front = await serveWorker(host);
  const address = (server) => `http://127.0.0.1:${server.address().port}`;
  rehearsal.workerUrl = address(front);
  rehearsal.environment = { CLOUDFLARE_API_BASE_URL: address(api) + base, CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: accountId };
  rehearsal.stop = async () => {
    for (const server of [api, front]) {
      server.closeAllConnections();
      server.close();
    }
    await host.stop();
  };
  return rehearsal;
}

if (process.argv[1] === import.meta.filename) {
  const { values: given } = parseArgs({
    options: {
      state: { type: "string" },
      port: { type: "string", default: "0" },
      address: { type: "string" },
      quiet: { type: "boolean", default: false },
    },
  });
  if (!given.state) {
    console.error("rehearsal: --state DIR is missing; add it");
    process.exit(2);
  }
  const rehearsal = await start({ state: given.state, port: Number(given.port), quiet: given.quiet });
  const lines = Object.entries({ ...rehearsal.environment, WORKER_URL: rehearsal.workerUrl }).map(
    ([name, value]) => `export ${name}=${value}\n`,
  );
  if (given.address) {
    writeFileSync(`${given.address}.new`, lines.join(""));
    renameSync(`${given.address}.new`, given.address);
  } else process.stdout.write(lines.join(""));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => rehearsal.stop().finally(() => process.exit(0)));
}
