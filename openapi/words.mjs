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
export const times = "ISO 8601 in any form, or RFC 2822; without a zone it is UTC.";
/** 2012-09-20T09:06:12+03:00 */
export const zoned = { type: "string", format: "date-time", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d$" };
export const date = { type: "string", format: "date" };
export const sha = { type: "string", pattern: "^([0-9a-f]{40}|[0-9a-f]{64})$" };
export const list = (items, more) => ({ type: "array", items, ...more });
export const or = (...schemas) => ({ anyOf: schemas });
export const nullable = (schema) =>
  schema.type && !schema.enum ? { ...schema, type: [schema.type, "null"] } : or(schema, { type: "null" });

/**
 * An object of exactly these properties. Those in `optional` may be absent.
 * @param {Record<string, any>} properties
 * @param {{ optional?: string[], [more: string]: any }} [options]
 */
export const object = (properties, { optional = [], ...more } = {}) => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
  ...more,
});

export const extended = ({ properties, required, ...base }, further, more) => {
  const added = object(further, more);
  return { ...base, ...added, properties: { ...properties, ...added.properties }, required: [...required, ...added.required] };
};

/** The default limit of text parameters, in characters. */
const LONGEST = 255;
/** Adds the default limit to a text parameter, or to the items of a list. */
const limited = (schema) => {
  const types = [schema.type].flat();
  if (types.includes("array")) return { ...schema, items: limited(schema.items) };
  return types.includes("string") && !schema.enum ? { maxLength: LONGEST, ...schema } : schema;
};
export const prose = (more) => text({ maxLength: 1_000_000, description: "Also at most 900,000 bytes as JSON.", ...more });

/** The parameters of a body. The server ignores unknown ones. */
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
  page: whole({ minimum: 1, default: 1, description: "The number of the page. After a million records only the `next` link works." }),
  per_page: whole({ minimum: 1, maximum: 100, default: 20, description: "The number of records on a page." }),
};
const cursor = text({
  description:
    "From the `next` link. Returns the page after the one with the link, and every page costs the same. It is ignored if any other parameter differs from the link, including `page`.",
  pattern: "^[A-Za-z0-9_-]+$",
  maxLength: 6000,
});

const header = (description, pattern) => ({ description, required: true, schema: { type: "string", pattern } });
const named = (headers) => Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const pages = {
  "X-Page": header("The number of this page.", "^\\d+$"),
  "X-Per-Page": header("The number of records on a page.", "^\\d+$"),
  "X-Next-Page": header("The number of the next page. Empty on the last page.", "^\\d*$"),
  "X-Prev-Page": header("The number of the previous page. Empty on the first page.", "^\\d*$"),
  Link: header("Addresses of the pages `prev`, `next`, `first` and `last`.", "^<"),
};
const totals = {
  "X-Total": header("The number of records on all pages.", "^\\d+$"),
  "X-Total-Pages": header("The number of pages.", "^\\d+$"),
};
const optional = (headers, more) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, told]) => [name, { ...told, description: `${told.description} ${more}`, required: false }]),
  );
/** For lists whose length is returned only if no count is needed. `keysets`: the caller may also ask for pages by keyset. */
const known = optional(totals, "Absent if the list was not counted.");
const keysets = optional({ ...pages, ...totals }, "Absent with `pagination=keyset`. Lengths are also absent if the list was not counted.");
const pagination = {
  ...one("keyset", "legacy"),
  description: "`keyset`: the only header for paging is `Link`, with the address of the next page.",
};
/** For lists that are counted only up to a limit. */
const bounded = Object.fromEntries(
  Object.entries(totals).map(([name, told]) => [
    name,
    { ...told, description: `${told.description} Absent if there are more than 10,000 to count.`, required: false },
  ]),
);
const caching = {
  "Cache-Control": { schema: text() },
  ETag: {
    description: "Identifies this version of the answer. Strong only if every caller gets the same bytes.",
    schema: text({ pattern: '^(W/)?"[A-Za-z0-9_-]+"$' }),
  },
};
const waiting = { "Retry-After": header("Seconds to wait before trying again.", "^[0-9]+$") };
const replayed = { "Idempotent-Replayed": { description: "`true`: this repeats the first answer.", schema: always("true") } };
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "A text of 1 to 255 printable characters, unique to this request of the caller. For 24 hours a repeated request with the same parameters returns the first answer and changes nothing. After an error the key can be used again.",
  schema: { type: "string", pattern: "^[ -~]*[!-~][ -~]*$", maxLength: 255 },
};
const unmodifiedSince = {
  name: "If-Unmodified-Since",
  in: "header",
  description:
    "A time of HTTP, which counts to its second, or a time as in `updated_at`, which counts to its millisecond. The answer is 412 if the record was changed after it. An invalid time is ignored.",
  schema: { type: "string", maxLength: 255, pattern: "^[ -~]*$" },
};
const ifMatch = {
  name: "If-Match",
  in: "header",
  description: "The `ETag` of the record in an earlier answer to its GET. The answer is 412 if it is not current.",
  schema: text({ maxLength: 4096, pattern: "^[ -~]*$" }),
};
export const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  description: "The `ETag` of an earlier answer, or several with commas. If one is still current, the answer is 304 without a body.",
  schema: text({ maxLength: 4096, pattern: "^[ -~]*$" }),
};
const bookmark = text({ maxLength: 100, pattern: "^[0-9A-Fa-f]+(-[0-9A-Fa-f]+)+$" });
const marked = {
  "X-D1-Bookmark": {
    description:
      "The state of the database after this write, if the server reads from replicas. A read that sends it sees at least this state.",
    schema: bookmark,
  },
};
export const knownState = {
  name: "X-D1-Bookmark",
  in: "header",
  description:
    "The newest value from an earlier answer. If the server reads from replicas, this read sees at least that state. An invalid value is ignored.",
  schema: bookmark,
};
const unread = {
  "X-Unread-Parameters": {
    description:
      "Names of the request's parameters that this operation ignores, ten at most, percent-encoded. Those in the body of a GET begin with `body:`. `?` stands for a name that may be a token. Absent if there are none.",
    schema: text({ pattern: "^(?:body:)?(?:[A-Za-z0-9_.%-]+|\\?)(?:, (?:body:)?(?:[A-Za-z0-9_.%-]+|\\?))*$" }),
  },
};
const level = {
  "X-Access-Level": header(
    "The caller's role in the project: 0 for none, 10 to 50 as in the list of members, 60 for administrators.",
    "^([1-6]0|0)$",
  ),
  "X-Archived": header("Whether the project is archived.", "^(true|false)$"),
};
const unlike = {
  "X-Names-Not-For-Windows": {
    description: "How many names Windows reads otherwise or not at all. Absent if there are none.",
    schema: text({ pattern: "^[1-9][0-9]*$" }),
  },
};
const hint = { "X-Hint": { description: "A part of the request that is allowed but probably a mistake.", schema: text() } };
const limits = {
  "RateLimit-Limit": header("The allowed number of requests.", "^\\d+$"),
  "RateLimit-Remaining": header("The remaining number of requests.", "^0$"),
  "RateLimit-Reset": header("When the count starts again, in seconds since 1970.", "^\\d+$"),
};
export const headers = {
  ...pages,
  ...totals,
  ...caching,
  ...waiting,
  ...limits,
  ...replayed,
  ...unread,
  ...hint,
  ...level,
  ...unlike,
  ...marked,
};

const PATH = {
  id: {
    description: "Id, or path with namespace (`group%2Fproject`).",
    schema: { type: "string", minLength: 1, maxLength: 511 },
    example: "demo-group/edgeforge",
  },
  file_path: {
    description: "The path from the root, with `%2F` for each slash.",
    schema: { type: "string", minLength: 1, maxLength: 4096 },
    example: "README.md",
  },
  sha: {
    description: "A commit's hash, full or abbreviated, or a branch or tag.",
    schema: { type: "string", minLength: 1, maxLength: 1024 },
    example: "master",
  },
  git_ref: { description: "A branch or tag.", schema: { type: "string", minLength: 1, maxLength: 1024 }, example: "master" },
  name: { description: "The name.", schema: { type: "string", minLength: 1, maxLength: 1024 }, example: "master" },
  key: { description: "Key of the template.", schema: { type: "string", pattern: "^[A-Za-z0-9_.-]+$", maxLength: 255 }, example: "mit" },
};
const NUMBER = { description: "The id.", schema: { type: "integer", minimum: 1 } };

function placeholders(path, own) {
  // only projects and groups can be named by their path
  const named = (name) => (name === "id" && !/^\/(projects|groups)\//.test(path) ? NUMBER : (PATH[name] ?? NUMBER));
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, ...named(name), ...own?.[name] }));
}

const FORM = "application/x-www-form-urlencoded";

/** JSON, form or multipart. In a form, a list is a text with commas. */
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
  405: "NotAllowed",
  406: "NotAcceptable",
  408: "Late",
  409: "Conflict",
  412: "Changed",
  413: "TooLarge",
  416: "NoSuchPart",
  422: "Unprocessable",
  429: "TooManyRequests",
  503: "Unavailable",
  501: "NotBuilt",
  507: "NoRoom",
};
/** Of operations that read contents of repositories. */
const OF_CONTENTS = { 422: "LeftOut", 501: "NotBuilt", 503: "NotMirrored" };
export const anyone = "anyone";
export const visitors = "visitors";

/**
 * `gives`: status and schema of each success, null for no body.
 * `paged`: "counted" if the length is always returned, "known" if it may be, "keyset" if also by keyset, "bounded" if a long
 * list is not counted, "asked" if the list is whole unless the request has a page.
 * `cursors: false`: the `next` links have no cursor. `refuses`: further error statuses. `open`: who needs no token.
 * `repeatable`: takes an Idempotency-Key. `guarded`: takes an If-Unmodified-Since. `matched`: takes an If-Match. `hints`: the answer may have a hint.
 * `leveled`: the answer has the caller's role. `packs`: it is an archive. `contents`: reads contents of repositories. `ranges`: also parts of the bytes. `anyBody`: a body of another type.
 */
export function operation(
  tag,
  path,
  verb,
  {
    id,
    summary,
    description,
    query: filters,
    paged,
    cursors = paged,
    path: own,
    body,
    rawBody,
    gives,
    refuses = [],
    open,
    links,
    repeatable,
    guarded,
    matched,
    hints,
    leveled,
    packs,
    contents,
    ranges,
    octets,
    anyBody,
  },
) {
  const refusals = [
    400,
    406,
    413,
    429,
    503,
    ...(open === anyone ? [] : [401, 403, 404]),
    ...(repeatable ? [422] : []),
    ...(guarded || matched ? [412] : []),
    ...(contents ? [422, 501] : []),
    ...(ranges ? [416] : []),
    ...(verb === "get" ? [] : [408, 507]),
    ...refuses,
  ];
  const parameters = [
    ...placeholders(path, own),
    ...Object.entries({ ...filters, ...(paged && paging), ...(cursors && { cursor }), ...(paged === "keyset" && { pagination }) }).map(
      ([name, schema]) => query(name, schema),
    ),
    ...(repeatable ? [idempotencyKey] : []),
    ...(guarded ? [unmodifiedSince] : []),
    ...(matched ? [ifMatch] : []),
    ...(verb === "get" ? ["IfNoneMatch", "Bookmark"].map((name) => ({ $ref: `#/components/parameters/${name}` })) : []),
  ];
  const answer = ([status, schema]) => {
    const isList = paged && paged !== "asked" && status === "200";
    const listed = isList ? { ...pages, ...(paged === "counted" && totals) } : {};
    const further = {
      ...listed,
      ...(verb === "get" && caching),
      ...(repeatable && status < "300" && replayed),
      ...(verb !== "get" && marked),
      ...unread,
      ...(hints && hint),
      ...(leveled && level),
      ...(packs && unlike),
    };
    const content = schema && (schema.content ?? { "application/json": { schema } });
    const more = {
      ...(isList && { bounded, known, keyset: keysets }[paged]),
      ...(status === "409" && optional(waiting, "Absent if waiting cannot help.")),
    };
    const success = {
      description: MEANING[status],
      ...(Object.keys(further).length && { headers: { ...named(further), ...more } }),
      ...(content && { content }),
    };
    return [status, links && status < "300" ? { ...success, links } : success];
  };
  const refusal = (status) => [status, { $ref: `#/components/responses/${(contents && OF_CONTENTS[status]) || REFUSALS[status]}` }];
  return {
    tags: [tag],
    operationId: id,
    summary,
    ...(description && { description }),
    ...(parameters.length && { parameters }),
    ...(body && { requestBody: bodyOf(body) }),
    ...(octets && { requestBody: { required: true, content: { "application/octet-stream": { schema: { type: "string" } } } } }),
    ...(anyBody && { requestBody: { required: true, content: anyBody } }),
    ...(rawBody && { requestBody: { required: true, content: { "application/json": { schema: rawBody } } } }),
    responses: Object.fromEntries([
      ...Object.entries(gives).map(answer),
      ...(verb === "get" ? [["304", { $ref: "#/components/responses/Known" }]] : []),
      ...refusals.map(refusal),
    ]),
    ...(open && { security: [{}, { PrivateToken: [] }] }),
  };
}

const MEANING = {
  200: "The request succeeded.",
  201: "The record was created.",
  202: "The request was carried out.",
  204: "The request succeeded. The answer has no body.",
  206: "The part that the header `Range` asks for.",
  302: "The header `Location` has the address.",
  304: "Nothing had to be changed.",
  409: "The gate is not green.",
};

/** `entries`: `"GET /path": {..}`. */
export function paths(tag, entries) {
  const found = {};
  for (const [route, told] of Object.entries(entries)) {
    const [method, path] = route.split(" ");
    (found[path] ??= {})[method.toLowerCase()] = operation(tag, path, method.toLowerCase(), told);
  }
  return found;
}

/** A link from an answer to the next operation. Its parameters come from the answer's body or the request. */
export const step = (operationId, parameters) => ({ operationId, parameters });

/** The error answers of an API. v4 has no headers for the remaining requests, because its clients would slow down. */
export const refusals = (api) => {
  const refusal = (description, schema) => ({ description, content: { "application/json": { schema } } });
  const hint = text("What the caller can do.");
  const repeated = text("The text of `message` once more, where a release or a file is published in v4.");
  const message = (schema) => object({ message: schema, error: repeated, hint }, { optional: ["error", "hint"] });
  const error = (schema) => object({ error: schema, hint }, { optional: ["hint"] });
  const schemas = {
    Message: message(
      or(text(), list(text(), { minItems: 1 }), {
        type: "object",
        minProperties: 1,
        additionalProperties: list(text(), { minItems: 1 }),
        description: "What is wrong with each field.",
      }),
    ),
    FrameworkError: error(text("A parameter, path or body that cannot be read.")),
  };
  const responses = {
    Known: {
      description: "The record is unchanged since the answer with a tag in `If-None-Match`.",
      headers: named({ ...caching, ...unread }),
    },
    BadRequest: refusal("The request is invalid.", or(ref("Message"), ref("FrameworkError"))),
    Unauthorized: refusal("The token is missing or invalid.", message(always("401 Unauthorized"))),
    Forbidden: refusal("The caller can see the record but may not do this.", message(text())),
    NotFound: refusal(
      "The record does not exist, or the caller may not see it.",
      or(
        message(text({ pattern: "^(404 |No matching issue found|Release does not exist$|Tag does not exist$)" })),
        error(always("404 Not Found")),
      ),
    ),
    NotAcceptable: refusal("The format is not made here.", or(message(always("406 Not Acceptable")), ref("FrameworkError"))),
    Conflict: refusal("The request conflicts with the current state.", message(text())),
    NotAllowed: refusal("The token of this request is of another kind.", message(always("405 Method Not Allowed"))),
    Changed: refusal(
      "The record was changed after the time of `If-Unmodified-Since`, or has another tag than `If-Match`.",
      message(text({ pattern: "^412 " })),
    ),
    Unprocessable: refusal(
      "The Idempotency-Key was already used for another request, or a value cannot be saved or sent.",
      or(ref("Message"), ref("FrameworkError")),
    ),
    Unavailable: {
      ...refusal(
        "The database is temporarily unavailable, or lacks tables. The request's changes were made completely or not at all.",
        message(text({ pattern: "^503 Service Unavailable( - |$)" })),
      ),
      headers: { "Retry-After": { $ref: "#/components/headers/Retry-After" } },
    },
    NoSuchPart: refusal("The header `Range` asks for bytes behind the end.", message(text({ pattern: "^416 " }))),
    LeftOut: refusal("The mirror leaves this out for good, for example because of its size.", message(text({ pattern: "^422 " }))),
    NotBuilt: refusal(
      "The server does not answer this, for example because it has no store for contents.",
      message(text({ pattern: "^501 " })),
    ),
    NotMirrored: {
      ...refusal(
        "The mirror has not sent this yet, or the database is temporarily unavailable.",
        message(text({ pattern: "^503 Service Unavailable" })),
      ),
      headers: { "Retry-After": { $ref: "#/components/headers/Retry-After" } },
    },
    NoRoom: refusal("The project or the server has reached its limit of bytes. Nothing was written.", message(text({ pattern: "^507 " }))),
    TooManyRequests: {
      ...refusal(
        "Too many requests of this token, too many invalid or missing tokens from this address, or too many writes of this user.",
        message(text({ pattern: "^429 " })),
      ),
      headers: named({ ...waiting, ...(api === "v3" && limits) }),
    },
    Late: refusal("The body did not arrive in time. Try again.", message(text({ pattern: "^408 " }))),
    TooLarge: refusal(
      "The body is longer than 1 MB, or 8 MB for the mirror hook, or an upload is longer than `max_attachment_size`.",
      message(text({ pattern: "^413 Request Entity Too Large" })),
    ),
  };
  return { schemas, responses };
};
