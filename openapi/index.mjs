// The OpenAPI description of the API, assembled from the pieces beside this file:
//
//   node openapi/index.mjs [FILE]     (without FILE to stdout)
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathsOfIssues, schemas as ofIssues } from "./issues.mjs";
import { pathsOfPeople, schemas as ofPeople } from "./people.mjs";
import { pathsOfProjects, schemas as ofProjects } from "./projects.mjs";
import { pathsOfRepositories, schemas as ofRepositories } from "./repository.mjs";
import { headers, refusals } from "./words.mjs";

const [, version] = readFileSync(new URL("../Cargo.toml", import.meta.url), "utf8").match(/^version = "([^"]+)"/m);
const schemas = { ...ofIssues, ...ofRepositories, ...ofProjects, ...ofPeople, ...refusals.schemas };

/** Every object that has a name is told by its name. */
function named(value, top = true) {
  if (typeof value !== "object" || value === null) return value;
  const known = !top && Object.keys(schemas).find((name) => schemas[name] === value);
  if (known) return { $ref: `#/components/schemas/${known}` };
  if (Array.isArray(value)) return value.map((item) => named(item, false));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, named(item, false)]));
}

const sections = { ...pathsOfIssues, ...pathsOfRepositories, ...pathsOfProjects, ...pathsOfPeople };
const paths = {};
for (const section of Object.values(sections)) {
  for (const [path, verbs] of Object.entries(section)) paths[path] = { ...paths[path], ...named(verbs, false) };
}
const tags = [...new Set(Object.values(paths).flatMap((verbs) => Object.values(verbs).flatMap((told) => told.tags)))];

const description = `
Issues, commits, commit statuses, application settings, deployments and license templates of hosted projects.

**Token.** Nearly everything needs one, in the header \`PRIVATE-TOKEN\`. \`Authorization: Bearer ..\` and the parameters
\`private_token\` and \`access_token\` do as well. An administrator may act for somebody else with the header \`SUDO\`
(an id or a username). A token whose scopes do not allow a request is refused with 403; a project's token opens that project alone.

**Parameters** may come in the query, as a form, as multipart or as JSON, and those that nobody reads are passed over: the
header \`X-Unread-Parameters\` names them.
A list is \`name[]=..\` for each item, or one text with commas. Blank counts as absent, and in a change as cleared.

**Lists** come in pages. Follow the \`next\` address of the \`Link\` header: it costs the same however deep.

**Refusals** may have a \`hint\`, and say why in \`message\` (a text, or a list of texts for each field) or \`error\`. What you may not see is not
there: 404 comes before 403.

Every answer has an \`X-Request-Id\`, which the log knows. To administrators who come with their own token and act as nobody
else, \`Server-Timing\` says what it cost the database.
`.trim();

export const document = {
  openapi: "3.1.0",
  info: { title: "edgeforge API v3", version, description, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
  servers: [{ url: "/api/v3" }],
  security: [{ PrivateToken: [] }],
  tags: tags.map((name) => ({ name })),
  paths,
  components: {
    securitySchemes: {
      PrivateToken: { type: "apiKey", in: "header", name: "PRIVATE-TOKEN", description: "A personal access token, or the token of root." },
    },
    schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, named(schema)])),
    responses: named(refusals.responses, false),
    headers,
  },
};

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const text = JSON.stringify(document);
  const file = process.argv[2];
  if (file) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } else {
    process.stdout.write(text);
  }
}
