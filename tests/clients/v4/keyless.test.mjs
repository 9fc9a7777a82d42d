// A CI without a secret: the steps of docs/ci.md as they stand, and the unmodified @actions/core 3.0.1, against stand-ins of the
// systems that really sign. Only the addresses and the audience are filled in.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createPrivateKey, randomUUID, sign } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { getIDToken } from "@actions/core";
import { Gitlab } from "@gitbeaker/rest";
import { portOf } from "../../../scripts/workerd.mjs";
import { adminToken, project, projectPath, server, sha } from "../server.mjs";
import { snippets } from "../snippets.mjs";

const snippet = snippets("docs/ci.md");
const unindented = (text) => text.replaceAll(new RegExp(`^ {${/^ */.exec(text)[0].length}}`, "gm"), "");
const unique = (name) => `${name}-${randomUUID().slice(0, 8)}`;

const KEY = createPrivateKey(readFileSync(new URL("../../api/jwt/keys/first.pem", import.meta.url)));
const ISSUER = "https://ci.example.com";
const OF_MANY = "https://many.example.com/org/7c8a";

/** A JWT with these claims, as a CI system signs it. */
function jwt(claims) {
  const now = Math.floor(Date.now() / 1000);
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const all = { iss: ISSUER, iat: now - 1, nbf: now - 1, exp: now + 300, jti: randomUUID(), ...claims };
  const text = `${part({ alg: "RS256", typ: "JWT", kid: "first" })}.${part(all)}`;
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), KEY).toString("base64url")}`;
}

/** @returns {any} its types are those of GitLab, which has no trusts */
const gitlab = () => new Gitlab({ host: server, token: adminToken });
const api = gitlab();
const trust = (claims, issuer = ISSUER) => api.ProjectAccessTokens.create(project, unique("ci"), undefined, undefined, { issuer, claims });
const statusOf = async (name) => (await api.Commits.allStatuses(project, sha)).find((status) => status.name === name)?.status;

/** The claims of each system, in the form that it documents. */
const CLAIMS = {
  github: { sub: "repo:octo/x:ref:refs/heads/main", repository: "octo/x", repository_id: "74", ref: "refs/heads/main", run_id: "1" },
  gitlab: { sub: "project_path:octo/x:ref_type:branch:ref:main", project_path: "octo/x", project_id: "75", ref_protected: "true" },
  forgejo: { sub: "repo:octo/x:ref:refs/heads/main", repository: "octo/x", repository_id: "76", ref: "refs/heads/main" },
  buildkite: { sub: "organization:octo:pipeline:x:ref:refs/heads/main", pipeline_slug: "x", pipeline_id: "0190-77", build_number: 1 },
  circleci: { sub: "org/7c8a/project/78/user/9", "oidc.circleci.com/project-id": "78", "oidc.circleci.com/context-ids": ["a"] },
};

const folder = mkdtempSync(join(tmpdir(), "edgeforge-keyless-"));
let asked;
const actions = createServer((request, response) => {
  const url = new URL(request.url ?? "", "http://actions");
  const isAllowed = request.headers.authorization?.toLowerCase() === "bearer of-the-job";
  response.writeHead(isAllowed ? 200 : 401, { "content-type": "application/json" });
  response.end(JSON.stringify({ count: 1, value: isAllowed ? jwt({ aud: url.searchParams.get("audience"), ...asked }) : "" }));
});
before(async () => {
  await new Promise((done) => actions.listen(0, "127.0.0.1", () => done(null)));
  process.env.ACTIONS_ID_TOKEN_REQUEST_URL = `http://127.0.0.1:${portOf(actions)}/idtoken?api-version=2.0`;
  process.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN = "of-the-job";
});
after(() => {
  actions.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a text of docs/ci.md with a shell. */
async function run(text, audience, variables) {
  const filled = unindented(text)
    .replaceAll("https://forge.example.com", server)
    .replaceAll("group%2Fproject", encodeURIComponent(projectPath))
    .replaceAll("urn:edgeforge:trust:00000000000000000000", audience);
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, AUDIENCE: audience, ...variables };
  return promisify(execFile)("sh", ["-c", filled], { env });
}
/** A program on the path that prints a JWT with the audience that it is asked for. */
function program(name, audience, claims) {
  writeFileSync(join(folder, name), `#!/bin/sh\ncase "$*" in *"${audience}"*) echo ${jwt({ aud: audience, ...claims })} ;; esac\n`);
  chmodSync(join(folder, name), 0o755);
}
const script = (heading, before) => new RegExp(`${before}\\n([\\s\\S]*)`).exec(snippet(heading, "yaml"))?.[1] ?? "";

test("@actions/core gets a JWT that posts the status", async () => {
  const { audience, id, token } = await trust(["repository_id=74", "ref=refs/heads/main"]);
  assert.equal(token, null);
  const post = async (claims) => {
    asked = claims;
    const headers = { Authorization: `Bearer ${await getIDToken(audience)}` };
    const body = new URLSearchParams({ state: "success", name: audience });
    return fetch(`${server}/api/v4/projects/${project}/statuses/${sha}`, { method: "POST", headers, body });
  };
  assert.equal((await post(CLAIMS.github)).status, 201);
  for (const other of [{ ...CLAIMS.github, repository_id: "75" }, { ...CLAIMS.github, ref: "refs/pull/1/merge" }, CLAIMS.gitlab]) {
    const refused = await post(other);
    assert.deepEqual([refused.status, refused.headers.get("x-hint")], [401, "No trust fits its audience, issuer and claims"]);
  }
  await api.ProjectAccessTokens.revoke(project, id);
  assert.equal((await post(CLAIMS.github)).status, 401);
});

test("the step for GitHub, and for Forgejo, reports the job", async () => {
  const [, step] = /run: \|\n([\s\S]*)/.exec(section("### GitHub, without a secret")) ?? [];
  for (const [system, id] of [
    ["github", "repository_id=74"],
    ["forgejo", "repository_id=76"],
  ]) {
    const { audience } = await trust([id]);
    asked = CLAIMS[system];
    const JOB = unique(system);
    const given = { SHA: sha, JOB, REF: "main", RESULT: "failure", GITHUB_RUN_ID: JOB, GITHUB_RUN_ATTEMPT: "1" };
    await run(step, audience, { ...given, RUN: "https://github.com/octo/x/actions/runs/1" });
    assert.equal(await statusOf(`actions/${JOB}`), "failed");
    // what is wrong is printed
    asked = CLAIMS.circleci;
    await assert.rejects(run(step, audience, { ...given, GITHUB_RUN_ATTEMPT: "2" }), ({ stdout }) => /No trust fits.* 401/.test(stdout));
  }
});

/** The last yaml below a heading: the first one is about the whole workflow. */
function section(heading) {
  const page = readFileSync("docs/ci.md", "utf8");
  const below = page.slice(page.indexOf(`${heading}\n`)).split("\n### ")[0];
  return [...below.matchAll(/\n```yaml\n([\s\S]*?)\n```/g)].at(-1)?.[1] ?? assert.fail(heading);
}

test("the job for GitLab reports the pipeline", async () => {
  const { audience } = await trust(["project_id=75"]);
  const name = unique("pipeline");
  const given = { CI_PIPELINE_ID: name, CI_JOB_ID: "1", CI_PIPELINE_NAME: name, CI_COMMIT_REF_NAME: "main", CI_COMMIT_SHA: sha };
  assert.match(snippet("### GitLab, without a secret", "yaml"), /id_tokens:\n +EDGEFORGE_JWT:\n +aud: urn:edgeforge:trust:/);
  const EDGEFORGE_JWT = jwt({ aud: audience, ...CLAIMS.gitlab });
  await run(script("### GitLab, without a secret", "- \\|"), audience, {
    ...given,
    EDGEFORGE_JWT,
    CI_PIPELINE_URL: "https://gitlab.com/1",
    // the one of `make dev` is a folder
    STATE: "",
  });
  assert.equal(await statusOf(`gitlab/${name}`), "success");
});

test("the step for Buildkite reports the build", async () => {
  const { audience } = await trust(["pipeline_id=0190-77"]);
  const name = unique("pipeline");
  program("buildkite-agent", audience, CLAIMS.buildkite);
  const given = { BUILDKITE_JOB_ID: name, BUILDKITE_PIPELINE_SLUG: name, BUILDKITE_BRANCH: "main", BUILDKITE_COMMIT: sha };
  // Buildkite reads `$$` as `$`
  const step = script("### Buildkite, without a secret", "command: \\|").replaceAll("$$", () => "$");
  await run(step, audience, { ...given, BUILDKITE_BUILD_URL: "https://buildkite.com/1" });
  assert.equal(await statusOf(`buildkite/${name}`), "success");
});

test("the step for CircleCI reports the job", async () => {
  const { audience } = await trust(["oidc.circleci.com/project-id=78"], OF_MANY);
  const name = unique("job");
  program("circleci", audience, { ...CLAIMS.circleci, iss: OF_MANY });
  const given = { CIRCLE_WORKFLOW_JOB_ID: name, CIRCLE_JOB: name, CIRCLE_BRANCH: "main", CIRCLE_SHA1: sha };
  await run(script("### CircleCI, without a secret", "command: \\|"), audience, { ...given, CIRCLE_BUILD_URL: "https://circleci.com/1" });
  assert.equal(await statusOf(`circleci/${name}`), "success");
});

test("gitbeaker lists, shows and revokes a trust as any token of a project", async () => {
  const made = await trust(["repository_id=74"]);
  const listed = (await api.ProjectAccessTokens.all(project)).find(({ id }) => id === made.id);
  assert.deepEqual([listed.name, listed.active, listed.audience, listed.scopes], [made.name, true, made.audience, ["statuses"]]);
  assert.deepEqual((await api.ProjectAccessTokens.show(project, made.id)).claims, ["repository_id=74"]);
  await assert.rejects(api.ProjectAccessTokens.rotate(project, made.id), ({ cause }) => cause.response.status === 400);
  await api.ProjectAccessTokens.revoke(project, made.id);
  assert.equal((await api.ProjectAccessTokens.show(project, made.id)).revoked, true);
});
