// Puts the pieces of one API's description together.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { headers, ifNoneMatch, knownState, refusals } from "./words.mjs";

const [, version] = readFileSync(new URL("../Cargo.toml", import.meta.url), "utf8").match(/^version = "([^"]+)"/m);

/** The document of the API `api` (`v3`), of sections of paths (see `paths` in words.mjs) and named schemas. */
export function documentOf(api, { description, sections, schemas: own }) {
  const { schemas: refused, responses } = refusals(api);
  const schemas = { ...own, ...refused };
  // every object that has a name is told by its name
  const named = (value, top = true) => {
    if (typeof value !== "object" || value === null) return value;
    const known = !top && Object.keys(schemas).find((name) => schemas[name] === value);
    if (known) return { $ref: `#/components/schemas/${known}` };
    if (Array.isArray(value)) return value.map((item) => named(item, false));
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, named(item, false)]));
  };
  const paths = {};
  for (const section of Object.values(sections)) {
    for (const [path, verbs] of Object.entries(section)) paths[path] = { ...paths[path], ...named(verbs, false) };
  }
  const tags = [...new Set(Object.values(paths).flatMap((verbs) => Object.values(verbs).flatMap((told) => told.tags)))];
  return {
    openapi: "3.1.0",
    info: { title: `edgeforge API ${api}`, version, description, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: `/api/${api}` }],
    security: [{ PrivateToken: [] }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        PrivateToken: { type: "apiKey", in: "header", name: "PRIVATE-TOKEN", description: "A personal access token, or the token of root." },
      },
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, named(schema)])),
      responses: named(responses, false),
      headers,
      parameters: { IfNoneMatch: ifNoneMatch, Bookmark: knownState },
    },
  };
}

/** Writes the document where the command line of the module `url` says: to a file, else to stdout. */
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
