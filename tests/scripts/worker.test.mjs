// The JavaScript of the Worker that wasm calls: database.mjs, request.mjs and runtime.mjs of src/worker/, and
// guard.mjs, which calls wasm.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { portOf } from "../../scripts/workerd.mjs";
import { batch } from "../../src/worker/database.mjs";
import { guard } from "../../src/worker/guard.mjs";
import { head, next } from "../../src/worker/request.mjs";
import { log, respond, send } from "../../src/worker/runtime.mjs";

const META = { duration: 1.5, rows_read: 2, rows_written: 3 };

/** A D1 whose batch has these outcomes. `calls` has what was prepared, bound and asked. */
function d1(outcomes) {
  const calls = [];
  const database = {
    prepare(text) {
      calls.push(`prepare ${text}`);
      return { bind: (...binds) => `${text} ${JSON.stringify(binds)}` };
    },
    async batch(bound) {
      calls.push(bound);
      return outcomes;
    },
    withSession(constraint) {
      calls.push(`session ${constraint}`);
      return { batch: database.batch, getBookmark: () => "bookmark" };
    },
  };
  return { database, calls };
}

test("the answers of a batch are one text: the bookmark, then the cost and the rows of each statement", async () => {
  const outcomes = [
    { results: [{ row: '{"a":1}' }, { row: null }], meta: META },
    { results: [{ id: 1, name: "x" }], meta: {} },
    { results: undefined, meta: META },
  ];
  const asked = JSON.stringify([
    [null, "one", [1]],
    [null, "two", []],
    [null, "three", []],
  ]);
  const { database, calls } = d1(outcomes);
  const text = '\x011.5 2 3\0{"a":1}\0null\x010 0 0\0{"id":1,"name":"x"}\x011.5 2 3';
  assert.equal(await batch(database, undefined, asked), text);
  assert.deepEqual(calls.at(-1), ["one [1]", "two []", "three []"]);
  assert.equal(await batch(database, "first-primary", asked), `bookmark${text}`);
  assert.ok(calls.includes("session first-primary"));
});

test("after a panic the next call restarts wasm once, after another exception none does", async (t) => {
  t.mock.method(console, "error", () => {});
  let restarts = 0;
  const { note, call } = guard(() => (restarts += 1));
  const fails = (error) =>
    call(() => {
      throw error;
    });
  await assert.rejects(fails(new Error("refused")), /refused/);
  assert.equal(await call((resolve) => resolve("an answer")), "an answer");
  assert.equal(restarts, 0);
  await assert.rejects(fails(new WebAssembly.RuntimeError("unreachable")), /unreachable/);
  assert.equal(restarts, 0, "before the next call");
  await call((resolve) => resolve());
  note(new WebAssembly.RuntimeError("in a callback of a promise"));
  await call((resolve) => resolve());
  await call((resolve) => resolve());
  assert.equal(restarts, 2);
});

test("a statement with a key is prepared once, and one without each time", async () => {
  const { database, calls } = d1([]);
  await batch(database, undefined, JSON.stringify([[7, "constant", [1]]]));
  await batch(database, undefined, JSON.stringify([[7, null, [2]]]));
  for (let times = 0; times < 2; times++) await batch(database, undefined, JSON.stringify([[null, "made", []]]));
  assert.deepEqual(
    calls.filter((call) => typeof call === "string"),
    ["prepare constant", "prepare made", "prepare made"],
  );
  assert.deepEqual(calls[2], ["constant [2]"]);
});

test("a text that is sent replaces what its key named before", async () => {
  const { database, calls } = d1([]);
  await batch(database, undefined, JSON.stringify([[8, "before a restart of wasm", [1]]]));
  await batch(database, undefined, JSON.stringify([[8, "after it, at the same address", [2]]]));
  await batch(database, undefined, JSON.stringify([[8, null, [3]]]));
  assert.deepEqual(
    calls.filter((call) => typeof call !== "string"),
    [["before a restart of wasm [1]"], ["after it, at the same address [2]"], ["after it, at the same address [3]"]],
  );
});

test("of the headers of a request only those are read that the service knows", () => {
  const request = new Request("http://x/api?a=b", { method: "PUT", headers: { "Private-Token": "t", "X-Other": "y" } });
  assert.deepEqual(JSON.parse(head(request)), { method: "PUT", url: "http://x/api?a=b", headers: [["private-token", "t"]] });
});

test("every header that a source names is read", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".rs"));
  const texts = sources.map((name) => readFileSync(join("src", name), "utf8"));
  const named = texts.flatMap((text) => [...text.matchAll(/\bheader\("([a-z-]+)"\)/g)].map(([, header]) => header));
  assert.ok(named.includes("private-token"));
  const headers = new Headers();
  for (const name of named) headers.set(name, "1");
  const read = JSON.parse(head(new Request("http://x/", { headers }))).headers.map(([header]) => header);
  assert.deepEqual(read.sort(), [...new Set(named)].sort());
});

test("the end of a body, and a body that does not come", async () => {
  const reader = new Response("ab").body.getReader();
  assert.deepEqual([...(await next(reader, 1000))], [97, 98]);
  assert.equal(await next(reader, 1000), undefined);
  assert.equal(await next({ read: () => new Promise(() => {}) }, 10), null);
  await assert.rejects(next({ read: async () => Promise.reject(new Error("broken")) }, 1000), /broken/);
});

test("an answer has the status and the headers of its text", async () => {
  const answer = respond('{"status":201,"headers":[["x-a","1"],["x-a","2"]]}', "body");
  assert.deepEqual([answer.status, answer.headers.get("x-a"), await answer.text()], [201, "1, 2", "body"]);
  assert.equal(respond('{"status":204,"headers":[]}', undefined).body, null);
});

test("the log gets an object", (context) => {
  const logged = context.mock.method(console, "log", () => {}).mock;
  const failed = context.mock.method(console, "error", () => {}).mock;
  log('{"a":1}', false);
  log('{"b":2}', true);
  assert.deepEqual([logged.calls[0].arguments, failed.calls[0].arguments], [[{ a: 1 }], [{ b: 2 }]]);
});

test("of the answer to a web hook the beginning is read, and a fault is in words", async () => {
  const given = [];
  const server = createServer(async (request, response) => {
    given.push([request.method, request.headers["x-gitlab-event"], Buffer.concat(await request.toArray()).toString()]);
    if (request.url === "/silent") return;
    if (request.url === "/moved") return response.writeHead(302, { Location: "/long" }).end();
    response.write("a".repeat(500));
    if (request.url === "/long") response.end("b".repeat(2_000_000));
    // the rest of the body never comes
    else if (request.url === "/broken") setTimeout(() => response.destroy(), 50);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = `http://127.0.0.1:${portOf(server)}`;
  const post = async (path, patience = 5000) => JSON.parse(await send(at + path, '[["x-gitlab-event","Push Hook"]]', "{}", patience, 1000));
  try {
    const long = await post("/long");
    assert.deepEqual(given[0], ["POST", "Push Hook", "{}"]);
    assert.equal(long.status, 200);
    assert.ok(long.body.length >= 1000 && long.body.length < 1_000_000, `${long.body.length}`);
    // a redirection is not followed
    const moved = await post("/moved");
    assert.equal(moved.status, 302);
    assert.ok(moved.headers.some(([name, value]) => name === "location" && value === "/long"));
    assert.equal((await post("/broken")).body, "a".repeat(500));
    assert.deepEqual(await post("/silent", 100), { fault: "no answer within 0.1 seconds" });
    assert.ok((await post(":1/")).fault);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
