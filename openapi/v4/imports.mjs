import { count, list, object, one, paths, prose, ref, text } from "../words.mjs";

const kinds = "label milestone issue note event award link release environment deployment status comment".split(" ");
const place = count("In `records`, from 0.");
const record = {
  type: "object",
  description: "With the fields of its kind.",
  properties: {
    kind: one(...kinds),
    key: text({ pattern: "^[0-9a-f]{16}$", maxLength: 16, description: "Names the record, so that it does not come twice." }),
  },
  required: ["kind", "key"],
  additionalProperties: true,
};

export const schemas = {
  Imported: object({
    new: count(),
    changed: count(),
    same: count(),
    kept: list(place, { description: "What is here stays, although the record differs." }),
    refused: list({ type: "array", prefixItems: [place, prose({ description: "Why." })], minItems: 2, maxItems: 2 }),
  }),
};

export const pathsOfImports = {
  imports: paths("Imports", {
    "POST /projects/{id}/import_records": {
      id: "importRecords",
      summary: "Write records of another server as they were there",
      description:
        "For administrators with a token of their own. At most 300 records, with 500 labels of issues and links and milestones of releases, 550 of all these together, and 1,500,000 bytes. Each record is written, known or refused by itself. It informs nobody. The body may be compressed (`Content-Encoding: gzip`).",
      rawBody: object({ records: list(record, { maxItems: 300 }) }),
      gives: { 200: ref("Imported") },
    },
  }),
};
