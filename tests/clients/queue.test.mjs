// Deliveries by the consumer of a queue, as docs/hooks.md binds it.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { pause } from "../../scripts/workerd.mjs";
import { snippets } from "./snippets.mjs";
import { Served, token } from "./hooks/served.mjs";

describe("deliveries by a queue", { skip: process.env.PROFILE === "gitlab" && "they are the same in both profiles" }, () => {
  const got = [];
  let receiver, served;
  before(async () => {
    receiver = createServer((request, response) => {
      got.push(request.headers["x-gitlab-event"]);
      request.resume().on("end", () => response.end());
    });
    await new Promise((done) => receiver.listen(0, "127.0.0.1", done));
    const own = readFileSync("wrangler.toml", "utf8").replace(/"build\//g, `"${resolve("build")}/`);
    const config = join(tmpdir(), `edgeforge-queue-${process.pid}.toml`);
    writeFileSync(config, `${own}\n${snippets("docs/hooks.md")("`wrangler.toml` binds it:", "toml")}`);
    served = await Served.start(`http://127.0.0.1:${receiver.address().port}/`, [], ["--config", config]);
  });
  after(async () => {
    await served?.stop();
    receiver?.close();
  });

  test("more events than one request sends arrive without the Cron trigger", async () => {
    const admin = served.api(token);
    const project = await admin.post("/projects", { name: "queued" });
    await admin.post(`/projects/${project.id}/hooks`, { url: "https://receiver.example.com/", issues_events: true, push_events: false });
    await Promise.all(Array.from({ length: 40 }, (_, number) => admin.post(`/projects/${project.id}/issues`, { title: `${number}` })));
    for (let waited = 0; got.length < 40 && waited < 300; waited++) await pause(100);
    await pause(500);
    assert.deepEqual(got, Array(40).fill("Issue Hook"));
  });
});
