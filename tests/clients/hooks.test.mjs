// What hooks send, read with the reference library of Standard Webhooks for JavaScript. Other receivers: v4/hooks_test.py.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, mock, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { collect, secrets } from "./hooks/deliveries.mjs";

/** Kinds of the table in docs/hooks.md, by their header. */
const HEADERS = {
  push_events: "Push Hook",
  tag_push_events: "Tag Push Hook",
  issues_events: "Issue Hook",
  note_events: "Note Hook",
  confidential_issues_events: "Confidential Issue Hook",
  confidential_note_events: "Confidential Note Hook",
  pipeline_events: "Pipeline Hook",
  deployment_events: "Deployment Hook",
  milestone_events: "Milestone Hook",
  emoji_events: "Emoji Hook",
  releases_events: "Release Hook",
};
/** These come only when time has passed. */
const LATER = ["resource_access_token_events"];
const IDENTIFIERS = ["webhook-id", "idempotency-key", "x-gitlab-event-uuid"];

describe("web hooks", { skip: process.env.PROFILE === "gitlab" && "they are the same in both profiles" }, () => {
  let deliveries;
  before(async () => {
    ({ deliveries } = await collect(process.env.HOOK));
  });
  const of = (hook) => deliveries.filter((one) => one.hook === hook);
  /** The library's answer at the time when the request came. */
  function verified(key, one, body = text(one), headers = one.headers) {
    mock.timers.enable({ apis: ["Date"], now: one.at });
    try {
      return new Webhook(key).verify(body, headers);
    } finally {
      mock.timers.reset();
    }
  }
  const text = ({ body }) => Buffer.from(body, "base64");

  test("the vector of the specification", () => {
    const webhook = new Webhook("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
    const signature = webhook.sign("7f0c5e2a-6c1e-4a53-9a55-0d7b0f3b9f11", new Date(1_790_000_000_000), '{"object_kind":"push"}');
    assert.equal(signature, "v1,B70oE8zfHmZ7h+2uwMhhpQclgC0VTLLbb17Zq9oMQa8=");
  });

  test("every kind that the documentation names comes to a hook that asks for it", () => {
    const table = readFileSync("docs/hooks.md", "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    const kinds = table.flatMap((line) => line.split("|")[1].match(/\w+_events/g)).filter((kind) => !LATER.includes(kind));
    assert.ok(kinds.length > 5);
    const wanted = kinds.map((kind) => HEADERS[kind] ?? assert.fail(`which header has ${kind}?`));
    for (const hook of ["whole", "bare"]) {
      assert.deepEqual([...new Set(of(hook).map(({ headers }) => headers["x-gitlab-event"]))].sort(), wanted.sort(), hook);
    }
    assert.deepEqual([...new Set(of("system").map(({ headers }) => headers["x-gitlab-event"]))], ["System Hook"]);
  });

  test("every hook gets each event once, in the same order", () => {
    const shown = (hook) => of(hook).map((one) => text(one).toString());
    assert.ok(of("whole").length > 30);
    assert.deepEqual(shown("whole"), shown("bare"));
    const ids = deliveries.map(({ headers }) => headers["webhook-id"]);
    assert.equal(new Set(ids).size, ids.length);
    for (const { headers } of deliveries) assert.equal(new Set(IDENTIFIERS.map((name) => headers[name])).size, 1);
  });

  test("every signature is accepted, by the secret before, too", () => {
    for (const [hook, keys] of /** @type {[string, string[]][]} */ ([
      ["whole", [secrets.signing, secrets.before]],
      ["system", [secrets.system]],
    ])) {
      assert.ok(of(hook).length > 5, hook);
      for (const one of of(hook)) {
        assert.equal(one.headers["webhook-signature"].split(" ").length, keys.length);
        for (const key of keys) assert.deepEqual(verified(key, one), JSON.parse(text(one).toString()));
      }
    }
  });

  test("a changed byte is refused, wherever it is", () => {
    const refused = (one, body, headers) => assert.throws(() => verified(secrets.signing, one, body, headers), /No matching signature/);
    for (const [index, one] of of("whole").entries()) {
      const body = text(one);
      const step = index ? Math.ceil(body.length / 9) : 1;
      for (let at = 0; at < body.length; at += step) {
        const changed = Buffer.from(body);
        changed[at] ^= 1;
        refused(one, changed);
      }
      refused(one, body.subarray(1));
      refused(one, body, { ...one.headers, "webhook-id": one.headers["webhook-id"].replace(/.$/, (digit) => (digit === "0" ? "1" : "0")) });
      refused(one, body, { ...one.headers, "webhook-timestamp": `${Number(one.headers["webhook-timestamp"]) - 1}` });
    }
  });

  test("another secret, and a time six minutes ago, are refused", () => {
    const [one] = of("whole");
    assert.throws(() => verified(secrets.system, one), /No matching signature/);
    const then = new Date(one.at - 6 * 60_000);
    const headers = {
      ...one.headers,
      "webhook-timestamp": `${Math.floor(then.getTime() / 1000)}`,
      "webhook-signature": new Webhook(secrets.signing).sign(one.headers["webhook-id"], then, text(one).toString()),
    };
    assert.throws(() => verified(secrets.signing, one, text(one), headers), /too old/);
  });

  test("a hook without secrets has neither token nor signature", () => {
    for (const { headers } of of("bare")) {
      assert.deepEqual(
        ["x-gitlab-token", "webhook-signature", "webhook-timestamp"].map((name) => headers[name]),
        [undefined, undefined, undefined],
      );
    }
    for (const { headers } of of("whole")) assert.equal(headers["x-gitlab-token"], secrets.token);
  });
});
