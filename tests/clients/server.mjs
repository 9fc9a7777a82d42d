// What the tests of clients share: where the server is and what is in it, as tests/clients/world.mjs wrote it.
import assert from "node:assert/strict";

function given(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; make clients and make test set it`);
  return value;
}

export const profile = given("PROFILE");
export const server = given("BASE_URL");
export const token = given("TOKEN");
/** Of the project, with the scopes that docs/ci.md gives Jenkins' plugin. */
export const projectToken = given("PROJECT_TOKEN");
export const adminToken = given("ADMIN_TOKEN");
export const project = Number(given("PROJECT_ID"));
export const projectPath = given("PROJECT_PATH");
export const otherProject = Number(given("OTHER_PROJECT_ID"));
export const group = Number(given("GROUP_ID"));
export const deployment = Number(given("DEPLOYMENT_ID"));
export const sha = given("COMMIT_SHA");

/** The status that the client itself tells of a refusal. */
export const statusOf = (error) => error.response?.statusCode ?? error.statusCode;

/** Holds a call of a client to the status it is refused with. */
export async function refused(status, call) {
  await assert.rejects(call, (error) => {
    assert.equal(statusOf(error), status, String(error));
    return true;
  });
}
