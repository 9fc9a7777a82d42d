import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { complete, examples } from "./examples.mjs";
import { headers, ifNoneMatch, knownState, refusals } from "./words.mjs";

const [, version] = readFileSync(new URL("../Cargo.toml", import.meta.url), "utf8").match(/^version = "([^"]+)"/m) ?? [];

/** `api`: `v3` or `v4`. `sections`: results of `paths` in words.mjs. */
export function documentOf(api, { description, sections, schemas: own }) {
  const { schemas: refused, responses } = refusals(api);
  const schemas = { ...own, ...refused };
  // replaces each named schema by a reference to it
  const withReferences = (value, top = true) => {
    if (typeof value !== "object" || value === null) return value;
    const known = !top && Object.keys(schemas).find((name) => schemas[name] === value);
    if (known) return { $ref: `#/components/schemas/${known}` };
    if (Array.isArray(value)) return value.map((item) => withReferences(item, false));
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withReferences(item, false)]));
  };
  const paths = {};
  for (const section of Object.values(sections)) {
    for (const [path, verbs] of Object.entries(section)) paths[path] = { ...paths[path], ...withReferences(verbs, false) };
  }
  complete(paths);
  const tags = [...new Set(Object.values(paths).flatMap((verbs) => Object.values(verbs).flatMap((operation) => operation.tags)))];
  return {
    openapi: "3.1.0",
    info: { title: `edgeforge API ${api}`, version, description, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: `/api/${api}` }],
    security: [{ PrivateToken: [] }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        PrivateToken: {
          type: "apiKey",
          in: "header",
          name: "PRIVATE-TOKEN",
          description: "A personal access token, or the ADMIN_TOKEN of root.",
        },
      },
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [
          name,
          { ...withReferences(schema), ...(name in examples && { example: examples[name] }) },
        ]),
      ),
      responses: withReferences(responses, false),
      headers,
      parameters: { IfNoneMatch: ifNoneMatch, Bookmark: knownState },
    },
  };
}

/** Writes the document if the module `url` is the program that runs: to the file in its first argument, else to stdout. */
export function write(url, document) {
  if (process.argv[1] !== new URL(url).pathname) return;
  const text = JSON.stringify(document);
  const file = process.argv[2];
  if (file) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } else {
    process.stdout.write(text);
  }
}
