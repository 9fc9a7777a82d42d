// Reads from replicas, on the built Worker with a real D1: READ_REPLICAS=nearest at NEAR, unset at PLAIN. workerd has
// sessions and bookmarks but no replicas; tests/api/replicas simulates those.
import assert from "node:assert/strict";
import { test } from "node:test";

const { NEAR, PLAIN, ADMIN_TOKEN } = process.env;
const FORM = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;
let made = 0;

/**
 * @param {string} server
 * @param {string} method
 * @param {string} path
 * @param {{ token?: string, bookmark?: string, body?: any }} [options]
 */
async function ask(server, method, path, { token, bookmark, body } = {}) {
  const headers = {
    ...(token !== null && { "PRIVATE-TOKEN": token ?? ADMIN_TOKEN }),
    ...(bookmark !== undefined && { "X-D1-Bookmark": bookmark }),
    ...(body && { "Content-Type": "application/json" }),
  };
  const response = await fetch(`${server}/api/v4${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  const trips = Number(/trips;desc="(\d+)"/.exec(response.headers.get("Server-Timing"))[1]);
  return {
    status: response.status,
    bookmark: response.headers.get("X-D1-Bookmark"),
    trips,
    json: text ? JSON.parse(text) : null,
    response,
  };
}

/** A public project with an issue, and the bookmark of the issue's creation. */
async function world(server) {
  const project = await ask(server, "POST", "/projects", { body: { name: `near-${process.pid}-${(made += 1)}`, visibility: "public" } });
  assert.equal(project.status, 201);
  const issue = await ask(server, "POST", `/projects/${project.json.id}/issues`, { body: { title: "first" } });
  assert.equal(issue.status, 201);
  return { path: `/projects/${project.json.id}/issues`, bookmark: issue.bookmark };
}

test("a write is answered with a bookmark, later ones with later ones, and nothing else is", async () => {
  const { path, bookmark } = await world(NEAR);
  assert.match(bookmark, FORM);
  const changed = await ask(NEAR, "PUT", `${path}/1`, { body: { title: "second" } });
  assert.ok(changed.status === 200 && changed.bookmark > bookmark, changed.bookmark);
  for (const refused of [{ token: "wrong", body: { title: "x" } }, { body: {} }]) {
    const { status, bookmark: told } = await ask(NEAR, "POST", path, refused);
    assert.ok(status >= 400 && told === null, `${status} ${told}`);
  }
  assert.equal((await ask(NEAR, "GET", path)).bookmark, null);
});

test("a read takes a bookmark: with a token the primary is asked who it is at the same time", async () => {
  const { path, bookmark } = await world(NEAR);
  const told = async (given) => {
    const { status, trips, json } = await ask(NEAR, "GET", `${path}/1`, given);
    return [status, trips, json.title];
  };
  assert.deepEqual(await told({ bookmark }), [200, 2, "first"]);
  assert.deepEqual(await told({ bookmark, token: null }), [200, 1, "first"]);
  assert.deepEqual(await told({ token: null }), [200, 1, "first"]);
  assert.deepEqual(await told({}), [200, 1, "first"]);
  assert.equal((await ask(NEAR, "GET", path, { token: "wrong", bookmark })).status, 401);
  assert.equal((await ask(NEAR, "GET", `${path}/99`, { bookmark })).status, 404);
});

test("what is no bookmark is passed over, and one of a state that never was is no error", async () => {
  const { path } = await world(NEAR);
  const odd = ["x", "first-unconstrained", "first-primary", "null", "0-", "0".repeat(4000), `0-${"0".repeat(200)}`, "0-0, 0-1"];
  const never = ["ffffffff-ffffffff-ffffffff-ffffffffffffffffffffffffffffffff", "0-0", "ABCDEF-1"];
  for (const bookmark of [...odd, ...never]) {
    for (const token of [undefined, null]) {
      const { status, json } = await ask(NEAR, "GET", `${path}/1`, { bookmark, token });
      assert.deepEqual([status, json.title], [200, "first"], bookmark);
    }
  }
});

test("a browser may read the header and send it", async () => {
  const { response } = await ask(NEAR, "GET", "/projects", {});
  assert.match(response.headers.get("Access-Control-Expose-Headers"), /X-D1-Bookmark/);
  const asked = await fetch(`${NEAR}/api/v4/projects`, { method: "OPTIONS" });
  assert.match(asked.headers.get("Access-Control-Allow-Headers"), /X-D1-Bookmark/);
});

test("switched off, no bookmark is told and one that is brought is passed over", async () => {
  const { path, bookmark } = await world(PLAIN);
  assert.equal(bookmark, null);
  for (const given of [{}, { bookmark: "00000000-00000001-00000000-00000000000000000000000000000000" }, { token: null }]) {
    const { status, trips, bookmark: told } = await ask(PLAIN, "GET", `${path}/1`, given);
    assert.deepEqual([status, trips, told], [200, 1, null]);
  }
});
