// Shared by the tests of clients: the server's address and its content, from tests/clients/world.mjs.
import assert from "node:assert/strict";

function given(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; make clients and make test set it`);
  return value;
}

export const profile = given("PROFILE");
export const server = given("BASE_URL");
export const token = given("TOKEN");
/** A token of the project with the scopes that docs/ci.md gives Jenkins' plugin. */
export const projectToken = given("PROJECT_TOKEN");
export const adminToken = given("ADMIN_TOKEN");
export const project = Number(given("PROJECT_ID"));
export const projectPath = given("PROJECT_PATH");
export const otherProject = Number(given("OTHER_PROJECT_ID"));
export const group = Number(given("GROUP_ID"));
export const deployment = Number(given("DEPLOYMENT_ID"));
export const sha = given("COMMIT_SHA");
/** A project with files of all kinds, two branches and two tags. */
export const contents = { id: Number(given("CONTENTS_ID")), path: given("CONTENTS_PATH"), sha: given("CONTENTS_SHA") };

/** The status in the client's error. */
export const statusOf = (error) => error.response?.statusCode ?? error.statusCode;

/** Fails unless the client's call is refused with this status. */
export async function refused(status, call) {
  await assert.rejects(call, (error) => {
    assert.equal(statusOf(error), status, String(error));
    return true;
  });
}
