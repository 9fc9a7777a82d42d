import { createServer } from "node:http";
import { portOf } from "../scripts/workerd.mjs";

/** A server that takes every commit and ref of a sync at once and stores nothing, so that the hook alone works. */
export async function takesAll() {
  const answers = {
    "GET /mirror": [200, { default_branch: null, pending: false, refs: [], forgotten: [], next: null }],
    "POST /mirror/commits": [201, { received: 0 }],
    "PUT /mirror/refs": [200, { refs: 0, pending: false }],
  };
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const path = /\/mirror.*/.exec(request.url)?.[0].replace(/\?.*/, "");
      const [status, answer] = answers[`${request.method} ${path}`] ?? [404, { message: "404 Not Found" }];
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", () => done(null)));
  return { address: `http://127.0.0.1:${portOf(server)}`, end: () => server.close() };
}
