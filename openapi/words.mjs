// The words that the description is written in: types, parameters, answers and operations.

export const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const type = (name) => (more) => ({ type: name, ...(typeof more === "string" ? { description: more } : more) });
export const text = type("string");
export const bool = type("boolean");
export const real = type("number");
export const whole = type("integer");
export const id = (description) => whole({ minimum: 1, ...(description && { description }) });
export const count = (description) => whole({ minimum: 0, ...(description && { description }) });
export const one = (...values) => ({ type: "string", enum: values });
export const always = (value) => ({ const: value });
/** 2016-01-04T15:31:51.081Z */
export const time = { type: "string", format: "date-time", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$" };
/** What is said of every time that callers write. */
export const times = "ISO 8601 in any form, or RFC 2822; without a zone it is UTC.";
/** 2012-09-20T09:06:12+03:00 */
export const zoned = { type: "string", format: "date-time", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d$" };
export const date = { type: "string", format: "date" };
export const sha = { type: "string", pattern: "^([0-9a-f]{40}|[0-9a-f]{64})$" };
export const list = (items, more) => ({ type: "array", items, ...more });
export const or = (...schemas) => ({ anyOf: schemas });
export const nullable = (schema) =>
  schema.type && !schema.enum ? { ...schema, type: [schema.type, "null"] } : or(schema, { type: "null" });

/** An object of exactly these members; `optional` names those that may be absent. */
export const object = (properties, { optional = [], ...more } = {}) => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
  ...more,
});

/** Another object with further members. */
export const extended = ({ properties, required, ...base }, further, more) => {
  const added = object(further, more);
  return { ...base, ...added, properties: { ...properties, ...added.properties }, required: [...required, ...added.required] };
};

/** Characters that a text parameter may have where nothing else is said of it. */
const LONGEST = 255;
/** A text parameter with its limit; so are those in a list. */
const limited = (schema) => {
  const types = [schema.type].flat();
  if (types.includes("array")) return { ...schema, items: limited(schema.items) };
  return types.includes("string") && !schema.enum ? { maxLength: LONGEST, ...schema } : schema;
};
/** A long text, as a parameter. */
export const prose = (more) => text({ maxLength: 1_000_000, description: "At most 900,000 bytes as JSON, too.", ...more });

/** The parameters of a body: only the `required` ones must be there, and what nobody reads is passed over. */
export const params = (required, properties) => ({
  type: "object",
  properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, limited(schema)])),
  ...(required.length && { required }),
});

const query = (name, schema) => {
  const { description, needed, ...rest } = schema;
  return { name, in: "query", ...(needed && { required: true }), ...(description && { description }), schema: limited(rest) };
};
const paging = {
  page: whole({ minimum: 1, default: 1, description: "Which page; behind a million records only by the `next` link." }),
  per_page: whole({ minimum: 1, maximum: 100, default: 20, description: "How many a page holds." }),
};
const cursor = text({
  description: "From the `next` link: goes on behind the page that had it, at the cost of one page however deep. With other parameters than the link's, another `page` among them, it is passed over.",
  pattern: "^[A-Za-z0-9_-]+$",
  maxLength: 3000,
});

const header = (description, pattern) => ({ description, required: true, schema: { type: "string", pattern } });
const named = (headers) => Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const pages = {
  "X-Page": header("This page.", "^\\d+$"),
  "X-Per-Page": header("How many a page holds.", "^\\d+$"),
  "X-Next-Page": header("The next page; empty on the last.", "^\\d*$"),
  "X-Prev-Page": header("The page before; empty on the first.", "^\\d*$"),
  Link: header("Addresses of the pages `prev`, `next`, `first` and `last`.", "^<"),
};
const totals = {
  "X-Total": header("How many there are on all pages.", "^\\d+$"),
  "X-Total-Pages": header("How many pages.", "^\\d+$"),
};
const optional = (headers, more) => Object.fromEntries(Object.entries(headers).map(([name, told]) => [name, { ...told, description: `${told.description} ${more}`, required: false }]));
/** The headers of a list whose length is told where it is known without counting, and which may be asked for by keyset. */
const known = optional(totals, "Absent where nobody has counted.");
const keysets = optional({ ...pages, ...totals }, "Absent with `pagination=keyset`, and a length where nobody has counted.");
const pagination = { ...one("keyset", "legacy"), description: "`keyset`: the answer tells nothing but the address of the next page, in `Link`." };
/** The same where a long list is not counted to its end. */
const bounded = Object.fromEntries(
  Object.entries(totals).map(([name, told]) => [name, { ...told, description: `${told.description} Absent where more than 10,000 would have to be counted.`, required: false }]),
);
const caching = {
  "Cache-Control": { schema: text() },
  ETag: { description: "What an answer is known by; weak unless everybody gets the same bytes.", schema: text({ pattern: '^(W/)?"[A-Za-z0-9_-]+"$' }) },
};
const waiting = { "Retry-After": header("Seconds after which it is worth another try.", "^[0-9]+$") };
const replayed = { "Idempotent-Replayed": { description: "`true`: this is the first answer again.", schema: always("true") } };
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description: "Any text of 1 to 255 printable characters that no other request of this caller has. For 24 hours a repeat with the same parameters gets the first answer and makes nothing. A refusal leaves the key free.",
  schema: { type: "string", pattern: "^[ -~]*[!-~][ -~]*$", maxLength: 255 },
};
const unmodifiedSince = {
  name: "If-Unmodified-Since",
  in: "header",
  description: "A time: 412 where the record was changed after it. What is no time is passed over.",
  schema: { type: "string", maxLength: 255, pattern: "^[ -~]*$" },
};
export const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  description: "The `ETag` of an earlier answer, or several with commas: is it still so, the answer is 304 without a body.",
  schema: text({ maxLength: 4096, pattern: "^[ -~]*$" }),
};
const bookmark = text({ maxLength: 100, pattern: "^[0-9A-Fa-f]+(-[0-9A-Fa-f]+)+$" });
const marked = { "X-D1-Bookmark": { description: "The state that this write left, where the server reads from replicas: a read that brings it is at least as new.", schema: bookmark } };
export const knownState = { name: "X-D1-Bookmark", in: "header", description: "The newest such header that was answered: where the server reads from replicas, the answer is at least as new. What is no bookmark is passed over.", schema: bookmark };
const unread = {
  "X-Unread-Parameters": {
    description: "Names of the parameters that were sent and that this operation does not know; absent where there are none.",
    schema: text({ pattern: "^(?:[a-z0-9_]+|\\?)(?:, (?:[a-z0-9_]+|\\?))*$" }),
  },
};
const hint = { "X-Hint": { description: "Something about the request that is allowed and probably a mistake.", schema: text() } };
const limits = {
  "RateLimit-Limit": header("How many there may be.", "^\\d+$"),
  "RateLimit-Remaining": header("How many are left.", "^0$"),
  "RateLimit-Reset": header("When the count begins anew, in seconds since 1970.", "^\\d+$"),
};
export const headers = { ...pages, ...totals, ...caching, ...waiting, ...limits, ...replayed, ...unread, ...hint, ...marked };

const PATH = {
  id: { description: "Id, or path with namespace (`group%2Fproject`).", schema: { type: "string", minLength: 1, maxLength: 511 }, example: "demo-group/edgeforge" },
  sha: { description: "A commit's hash, whole or abbreviated, or a branch or tag.", schema: { type: "string", minLength: 1, maxLength: 1024 }, example: "master" },
  git_ref: { description: "A branch or tag.", schema: { type: "string", minLength: 1, maxLength: 1024 }, example: "master" },
  name: { description: "Its name.", schema: { type: "string", minLength: 1, maxLength: 1024 }, example: "master" },
  key: { description: "Key of the template.", schema: { type: "string", pattern: "^[A-Za-z0-9_.-]+$", maxLength: 255 }, example: "mit" },
};
const NUMBER = { description: "Its id.", schema: { type: "integer", minimum: 1 } };

function placeholders(path, own) {
  // only projects and groups have paths that stand for their ids
  const named = (name) => (name === "id" && !/^\/(projects|groups)\//.test(path) ? NUMBER : (PATH[name] ?? NUMBER));
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, ...named(name), ...own?.[name] }));
}

const FORM = "application/x-www-form-urlencoded";

/** The same parameters as JSON, form or multipart. A list goes into a form as text with commas. */
function bodyOf(schema) {
  const inner = schema.properties ?? {};
  const lists = Object.keys(inner).filter((name) => [inner[name].type].flat().includes("array"));
  const encoding = Object.fromEntries(lists.map((name) => [name, { style: "form", explode: false }]));
  const form = { schema, ...(lists.length && { encoding }) };
  const content = { "application/json": { schema }, [FORM]: form, ...(!lists.length && { "multipart/form-data": { schema } }) };
  return { required: (schema.required ?? []).length > 0, content };
}

const REFUSALS = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  406: "NotAcceptable",
  409: "Conflict",
  412: "Changed",
  413: "TooLarge",
  422: "Unprocessable",
  429: "TooManyRequests",
  503: "Unavailable",
  507: "NoRoom",
};
export const anyone = "anyone";
export const visitors = "visitors";

/**
 * One operation. `gives`: status and schema of each answer that is no refusal (null: no body); `paged`: a list in pages,
 * "counted" if its length is known, "known" if it may be, "keyset" if that may be asked for besides, "bounded" if it may be too long to count, "asked" if it is whole unless a page is asked for; `cursors: false`: its `next` links have no cursor; `refuses`: statuses beside those that every operation knows; `open`: who needs no token; `repeatable`: it takes an
 * Idempotency-Key; `guarded`: it takes an If-Unmodified-Since; `hints`: its answer may have a hint.
 */
export function operation(tag, path, verb, { id, summary, description, query: filters, paged, cursors = paged, path: own, body, rawBody, gives, refuses = [], open, links, repeatable, guarded, hints }) {
  const refusals = [400, 406, 413, 429, 503, ...(open === anyone ? [] : [401, 403, 404]), ...(repeatable ? [422] : []), ...(guarded ? [412] : []), ...refuses];
  const parameters = [...placeholders(path, own), ...Object.entries({ ...filters, ...(paged && paging), ...(cursors && { cursor }), ...(paged === "keyset" && { pagination }) }).map(([name, schema]) => query(name, schema)), ...(repeatable ? [idempotencyKey] : []), ...(guarded ? [unmodifiedSince] : []), ...(verb === "get" ? ["IfNoneMatch", "Bookmark"].map((name) => ({ $ref: `#/components/parameters/${name}` })) : [])];
  const answer = ([status, schema]) => {
    const isList = paged && paged !== "asked" && status === "200";
    const listed = isList ? { ...pages, ...(paged === "counted" && totals) } : {};
    const further = { ...listed, ...(verb === "get" && caching), ...(repeatable && status < "300" && replayed), ...(verb !== "get" && marked), ...unread, ...(hints && hint) };
    const content = schema && (schema.content ?? { "application/json": { schema } });
    const told = { description: MEANING[status], ...(Object.keys(further).length && { headers: { ...named(further), ...(isList && { bounded, known, keyset: keysets }[paged]) } }), ...(content && { content }) };
    return [status, links && status < "300" ? { ...told, links } : told];
  };
  const refusal = (status) => [status, { $ref: `#/components/responses/${REFUSALS[status]}` }];
  return {
    tags: [tag],
    operationId: id,
    summary,
    ...(description && { description }),
    ...(parameters.length && { parameters }),
    ...(body && { requestBody: bodyOf(body) }),
    ...(rawBody && { requestBody: { required: true, content: { "application/json": { schema: rawBody } } } }),
    responses: Object.fromEntries([...Object.entries(gives).map(answer), ...(verb === "get" ? [["304", { $ref: "#/components/responses/Known" }]] : []), ...refusals.map(refusal)]),
    ...(open && { security: [{}, { PrivateToken: [] }] }),
  };
}

const MEANING = { 200: "As asked for.", 201: "Made.", 202: "Done.", 204: "Gone.", 304: "It was so already." };

/** The members of `entries`, `"GET /path": {..}`, as paths of the description. */
export function paths(tag, entries) {
  const found = {};
  for (const [route, told] of Object.entries(entries)) {
    const [method, path] = route.split(" ");
    (found[path] ??= {})[method.toLowerCase()] = operation(tag, path, method.toLowerCase(), told);
  }
  return found;
}

/** A step that follows an answer: the operation, with parameters taken from the answer's body or its request. */
export const step = (operationId, parameters) => ({ operationId, parameters });

/** What the API `api` answers where it refuses. v4 does not tell how many requests are left: its clients slow down by that. */
export const refusals = (api) => {
  const refusal = (description, schema) => ({ description, content: { "application/json": { schema } } });
  const hint = text("What may help.");
  const message = (schema) => object({ message: schema, hint }, { optional: ["hint"] });
  const error = (schema) => object({ error: schema, hint }, { optional: ["hint"] });
  const schemas = {
    Message: message(or(text(), { type: "object", minProperties: 1, additionalProperties: list(text(), { minItems: 1 }), description: "What is wrong with each field." })),
    FrameworkError: error(text("A parameter, path or body that cannot be read.")),
  };
  const responses = {
    Known: { description: "It is still what a tag in `If-None-Match` stands for.", headers: named({ ...caching, ...unread }) },
    BadRequest: refusal("What was sent cannot be done.", or(ref("Message"), ref("FrameworkError"))),
    Unauthorized: refusal("No token, or one that is not good.", message(always("401 Unauthorized"))),
    Forbidden: refusal("The caller sees it and may not do this.", message(text())),
    NotFound: refusal("It is not there, or the caller may not see it.", or(message(text({ pattern: "^404 " })), error(always("404 Not Found")))),
    NotAcceptable: refusal("`format` is another than `json`.", ref("FrameworkError")),
    Conflict: refusal("Something stands in its way.", message(text())),
    Changed: refusal("It was changed after the time of `If-Unmodified-Since`.", message(text({ pattern: "^412 " }))),
    Unprocessable: refusal("The Idempotency-Key was used for another request.", message(text({ pattern: "^422 " }))),
    Unavailable: {
      ...refusal("The database is away for a moment. What was to be written was written whole or not at all.", message(always("503 Service Unavailable"))),
      headers: { "Retry-After": { $ref: "#/components/headers/Retry-After" } },
    },
    NoRoom: refusal("The project, or the server, has as many bytes of commits and diffs as it may.", message(text({ pattern: "^507 " }))),
    TooManyRequests: {
      ...refusal("There were too many requests of this token, wrong or missing tokens from this address, or issues and comments of this user.", message(text({ pattern: "^429 " }))),
      headers: named({ ...waiting, ...(api === "v3" && limits) }),
    },
    TooLarge: refusal("The body is longer than a megabyte; eight for the mirror hook.", message(always("413 Request Entity Too Large"))),
  };
  return { schemas, responses };
};
