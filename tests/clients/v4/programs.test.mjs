// Sends the calls of docs/programs.md in their order, and checks the status, and the fields that the program reads.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { adminToken, group, project, projectPath, server, sha } from "../server.mjs";

const known = { path: encodeURIComponent(projectPath), id: project, group, sha, ref: process.env.REF, user: "root" };
const filled = (text) =>
  text.replaceAll(/:(path|id|group|sha|ref|hook|pipeline|job|user)\b/g, (_, name) => known[name] ?? assert.fail(`no ${name} yet: ${text}`));

/** The rows of a section: program, call, status and fields. */
function rows(section) {
  const lines = section.split("\n").filter((line) => /^\|.*`(GET|POST|PUT|DELETE) /.test(line));
  let program = "";
  return lines.map((line) => {
    const [name, call, answer, reads] = line.split(/ ?\| ?/).slice(1);
    program = name.trim() || program;
    const [, method, path, body] = /^`(\w+) (\S+) ?(.*)`/.exec(call);
    return {
      program,
      method,
      path,
      body,
      status: Number(answer.slice(0, 3)),
      fields: [...reads.matchAll(/`([\w.]+)`/g)].map(([, field]) => field),
    };
  });
}

async function send({ method, path, body }) {
  const isForm = body.startsWith("form ");
  const headers = {
    "PRIVATE-TOKEN": adminToken,
    ...(body && { "Content-Type": isForm ? "application/x-www-form-urlencoded" : "application/json" }),
  };
  const text = filled(isForm ? body.slice(5) : body).replace(/"pipeline_id":"(\d+)"/, '"pipeline_id":$1');
  const answer = await fetch(`${server}/api/v4/${filled(path)}`, { method, headers, body: text || undefined });
  return { status: answer.status, text: await answer.text() };
}

/** Remembers the records that later calls name. */
function note({ method, path }, json) {
  if (method === "POST" && /hooks(\?|$)/.test(path) && json.id) known.hook = json.id;
  if (method === "POST" && path.includes("/statuses/")) Object.assign(known, { job: json.id, pipeline: json.pipeline_id });
}

const [, ...sections] = readFileSync("docs/programs.md", "utf8").split(/^## /m);
after(async () => {
  // a call that failed may have left one
  const hooks = JSON.parse((await send({ method: "GET", path: "projects/:id/hooks?per_page=100", body: "" })).text);
  for (const { id } of hooks) await send({ method: "DELETE", path: `projects/:id/hooks/${id}`, body: "" });
});
for (const section of sections) {
  describe(section.split("\n")[0], () => {
    for (const row of rows(section)) {
      test(`${row.program}: ${row.method} ${row.path.slice(0, 60)}`, async () => {
        const { status, text } = await send(row);
        assert.equal(status, row.status, text);
        if (row.path.endsWith("/trace") || !text) return;
        const json = JSON.parse(text);
        note(row, json);
        // other tests post statuses of the same commit meanwhile, so a list of one status may be empty
        if (row.path.includes("?status=") && !json.length) return;
        const one = Array.isArray(json) && row.fields.length ? (json[0] ?? assert.fail("the list is empty")) : json;
        for (const field of row.fields) {
          const value = field.split(".").reduce((value, name) => value?.[name], one);
          const mayBeNull = /_at$/.test(field) && field !== "created_at" && field !== "updated_at";
          assert.ok(value !== undefined && (mayBeNull || value !== null), `${field} in ${text.slice(0, 500)}`);
        }
      });
    }
  });
}

test("the table has its rows", () => {
  assert.ok(sections.map((section) => rows(section).length).reduce((a, b) => a + b) > 60);
});
