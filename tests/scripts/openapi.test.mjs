// Redocly's linter reads the descriptions of both APIs: they are valid OpenAPI 3.1, and each example fits its schema.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { document as v3 } from "../../openapi/index.mjs";
import { document as v4 } from "../../openapi/v4/index.mjs";

/** @type {any} */
const rules = {
  // both documents list all headers and refusals
  "no-unused-components": "off",
  // a fixed word beside a placeholder: `/users/{id}` and `/users/me`
  "no-ambiguous-paths": "off",
  // routes that always refuse
  "operation-2xx-response": "off",
  "tag-description": "off",
};

/** What the linter finds in a document, of any severity. */
async function problemsOf(document) {
  const config = await createConfig({ extends: ["recommended"], rules });
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config });
  return found.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer}`);
}

for (const [name, document] of Object.entries({ v3, v4 }))
  test(`a public linter finds nothing in the description of ${name}`, async () => {
    assert.deepEqual(await problemsOf(document), []);
  });

test("the linter finds a member that OpenAPI does not know, and an example of another type", async () => {
  const wrong = structuredClone(v4);
  wrong.paths["/users/{id}"].get.parameters[0].type = "integer";
  wrong.components.schemas.IssueLinkParams.example.target_project_id = 2;
  const found = await problemsOf(wrong);
  assert.deepEqual(
    found.map((text) => text.split(":")[0]),
    ["struct", "no-invalid-schema-examples"],
  );
});
