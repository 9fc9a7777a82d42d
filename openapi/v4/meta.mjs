import { always, anyone, bool, object, paths, text } from "../words.mjs";

const kas = object({
  enabled: always(false),
  externalUrl: { type: "null" },
  externalK8sProxyUrl: { type: "null" },
  version: { type: "null" },
});

export const schemas = {
  Entrance: object({ api: always("v4"), documentation: text(), description: text() }),
  Version: object({ version: text({ pattern: "^\\d+\\.\\d+\\.\\d+" }), revision: text(), kas, enterprise: bool() }),
};

export const pathsOfMeta = {
  meta: paths("Meta", {
    "GET /": { id: "showEntrance", summary: "Where the documentation is", gives: { 200: schemas.Entrance }, open: anyone },
    "GET /version": { id: "showVersion", summary: "Version of the API", gives: { 200: schemas.Version } },
    "GET /metadata": { id: "showMetadata", summary: "The same", gives: { 200: schemas.Version } },
  }),
};
