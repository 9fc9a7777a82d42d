// The yardstick: ten endpoints of the API as one would write them by hand in JavaScript, for the same workerd and D1.
// It runs the very statements our Worker sends (STATEMENTS, noted by bench/record.mjs), with binds taken from its own
// request, and makes the same answers: body, headers and a log line with the same fields.
//
// It does less than the API asks for: it knows these routes only, takes a token from one header and nobody's in place of
// another's, does not read or check filters and paging parameters, holds no text against a limit, counts no requests, names no unread
// parameters, and knows nothing of mentions, labels or idempotency keys.
// It is served by `make bench` only.

let statements;

const standard = {
  "X-Content-Type-Options": "nosniff",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, X-Request-Id, X-Unread-Parameters, X-Hint, ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotent-Replayed, X-D1-Bookmark, Server-Timing",
};

/** Logs a request and answers it. `stream`: a body on its way, of so many bytes and with a tag of its own. */
async function reply(request, route, { body, stream, bytes, tag, text = stream ? "" : JSON.stringify(body), status = 200, headers }, call) {
  const { trips = 0, read = 0, counted = 0, written = 0, millis = 0, caller_id = null } = call ?? {};
  const request_id = crypto.randomUUID().replaceAll("-", "");
  const path = new URL(request.url).pathname;
  console.log({
    request_id,
    method: request.method,
    route,
    path,
    unread: [],
    status,
    caller_id,
    actor_id: null,
    d1_trips: trips,
    d1_rows_read: read,
    d1_rows_counted: counted,
    d1_rows_written: written,
    d1_ms: millis,
    bytes: bytes ?? text.length,
    cause: null,
  });
  const cost = `d1;dur=${millis.toFixed(3)}, trips;desc="${trips}", rows_read;desc="${read}", rows_counted;desc="${counted}", rows_written;desc="${written}"`;
  const kept = { "Cache-Control": "private, no-store", Vary: "PRIVATE-TOKEN, Authorization, JOB-TOKEN, SUDO" };
  if (status === 200 && request.method === "GET") {
    kept["Cache-Control"] = "private, no-cache";
    kept.ETag = tag ?? `W/"${hex(await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text)))}"`;
  }
  return new Response(stream ?? text, {
    status,
    headers: { "Content-Type": "application/json", ...standard, ...kept, ...headers, "Server-Timing": cost, "X-Request-Id": request_id },
  });
}

const routes = [
  ["GET", /^\/api\/v3\/projects\/[^/]+\/issues\/(?<issue>\d+)$/, "issue", showIssue],
  ["GET", /^\/api\/v3\/projects\/[^/]+\/issues$/, "issues", listIssues],
  ["POST", /^\/api\/v3\/projects\/[^/]+\/statuses\/(?<sha>[^/]+)$/, "status", postStatus],
  ["POST", /^\/api\/v3\/projects\/[^/]+\/issues$/, "create", createIssue],
  ["GET", /^\/api\/v3\/projects\/[^/]+\/repository\/commits$/, "commits", listCommits],
  ["GET", /^\/api\/v3\/projects\/[^/]+\/repository\/commits\/[^/]+\/diff$/, "diff", showDiff],
  ["GET", /^\/api\/v3\/projects\/[^/]+\/badges\/[^/]+\/build.svg$/, "badge", showBadge],
  ["GET", /^\/api\/v3\/user$/, "user", showUser],
];

export default {
  async fetch(request, env) {
    statements ??= JSON.parse(env.STATEMENTS);
    const url = new URL(request.url);
    if (url.pathname === "/api/v3/licenses") return listLicenses(request, env);
    for (const [method, pattern, name, act] of routes) {
      const match = method === request.method && pattern.exec(url.pathname);
      // a page that was reached by its link is another statement
      const known = url.searchParams.has("cursor") ? "deep" : name;
      if (match) return answer(request, env, url, known, act, match.groups ?? {});
    }
    return reply(request, "-", { body: { error: "404 Not Found" }, status: 404 });
  },
};

async function answer(request, env, url, name, act, path) {
  const call = { env, url, base: url.origin, trips: 0, read: 0, counted: 0, written: 0, millis: 0 };
  call.known = { ...path, now: Date.now(), hash: await sha256(request.headers.get("PRIVATE-TOKEN") ?? "") };
  if (path.issue) call.known.pair = `[${path.issue},null]`;
  if (request.method === "POST") Object.assign(call.known, Object.fromEntries(new URLSearchParams(await request.text())));
  call.trip = async () => {
    const batch = statements[name][call.trips++].map(({ sql, binds }) =>
      env.DB.prepare(sql).bind(...binds.map((bind) => (bind.from ? call.known[bind.from] : bind.value))),
    );
    const results = await env.DB.batch(batch);
    return results.map(({ results, meta }) => {
      call.read += meta.rows_read;
      call.written += meta.rows_written;
      call.millis += meta.duration;
      return results.map((row) => JSON.parse(Object.values(row)[0]));
    });
  };
  const trip = await call.trip();
  const [rows] = trip;
  const [[caller, resource]] = rows;
  if (!caller) return reply(request, name, { body: { message: "401 Unauthorized" }, status: 401 }, call);
  if (name !== "user" && !(resource?.[3] >= 10)) {
    return reply(request, name, { body: { message: "404 Project Not Found" }, status: 404 }, call);
  }
  call.caller_id = caller[0];
  return reply(request, name, await act(call, rows.slice(1), trip.at(-1)), call);
}

async function showIssue(call, [row]) {
  return { body: await issue(row, call.base, new Map()) };
}

async function listIssues(call, rows) {
  const avatars = new Map();
  const found = rows.flatMap((row) => (row.issue ? [row.issue] : [])).sort((a, b) => b[7] - a[7] || b[0] - a[0]);
  const [count, , , more, counted] = rows.find((row) => row.total).total;
  call.counted = counted;
  const body = [];
  for (const row of found) body.push(await issue(row, call.base, avatars));
  return { body, headers: paging(call.url, count, more === 1) };
}

async function postStatus(call, [before], [posted]) {
  if (!posted) {
    const event = call.known.state === "running" ? "run" : "enqueue";
    const message = `Cannot transition status via :${event} from :${before.refused} (Reason(s): Status cannot transition via "${event}")`;
    return { body: { message }, status: 400 };
  }
  const { status: row, sha, author } = posted;
  const [id, ref, status, name, target_url, description, , , created_at, started_at, finished_at] = row;
  const body = {
    id,
    sha,
    ref: ref || null,
    status,
    name,
    target_url,
    description,
    created_at: utc(created_at),
    started_at: started_at && utc(started_at),
    finished_at: finished_at && utc(finished_at),
    allow_failure: false,
    author: await user(author, call.base, new Map()),
  };
  return { body, status: 201 };
}

async function createIssue(call, _, [row]) {
  return { body: await issue(row, call.base, new Map()) };
}

async function showDiff(call, rows) {
  const parts = rows.toSorted((a, b) => a.part - b.part);
  const [{ key, bytes, text }] = parts;
  if (!key) return { text: parts.map(({ text }) => text).join("") };
  const object = await call.env.DIFFS.get(key);
  return { stream: object.body.pipeThrough(new DecompressionStream("gzip")), bytes, tag: `"${text}"` };
}

async function showBadge(call, [counts]) {
  const total = Object.values(counts ?? {}).reduce((sum, n) => sum + n, 0);
  const state = total && counts.success === total ? "success" : "unknown";
  const [left, right] = [42, state === "success" ? 60 : 66];
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="build ${state}">
<title>build ${state}</title>
<clipPath id="c"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#c)"><rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="${state === "success" ? "#2e8b3d" : "#767676"}"/></g>
<g fill="#fff" font-family="DejaVu Sans,Verdana,Geneva,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="14" textLength="30">build</text>
<text x="${left + right / 2}" y="14" textLength="${right - 12}">${state}</text>
</g>
</svg>
`;
  return { text, headers: { "Content-Type": "image/svg+xml", "Content-Security-Policy": "default-src 'none'; sandbox" } };
}

async function showUser(call, [row]) {
  const [own, created_at, admin, external, bio, location, skype, linkedin, twitter, website_url, projects_limit, projects_count] = row;
  const since = utc(created_at);
  return {
    body: {
      ...(await user(own, call.base, new Map())),
      created_at: since,
      is_admin: admin === 1,
      bio,
      location,
      skype,
      linkedin,
      twitter,
      website_url,
      last_sign_in_at: null,
      confirmed_at: since,
      email: own[4],
      theme_id: 1,
      color_scheme_id: 1,
      projects_limit,
      current_sign_in_at: null,
      identities: [],
      can_create_group: true,
      can_create_project: admin === 1 || projects_count < projects_limit,
      two_factor_enabled: false,
      external: external === 1,
    },
  };
}

let licenses;
let since = 0;

async function listLicenses(request, env) {
  // as old as ours may be
  if (Date.now() - since > 30_000) [licenses, since] = [await env.TEMPLATES.get("licenses", { cacheTtl: 60 }), Date.now()];
  const body = JSON.parse(licenses).map(({ featured, ...license }) => ({ ...license, featured, popular: featured }));
  return reply(request, "licenses", { body });
}

async function listCommits(call, rows) {
  const passed = rows.flatMap((row) => (row.passed ? [row.passed] : []));
  const listed = passed.filter(([, , further]) => !further);
  const commits = listed.flatMap(([, , , commit]) => (commit ? [commit] : []));
  const body = commits.map(([sha, author_name, author_email, , , , , committed_at, committer_zone, message]) => ({
    id: sha,
    short_id: sha.slice(0, 8),
    title: message.trimStart().split("\n", 1)[0].trimEnd(),
    author_name,
    author_email,
    created_at: zoned(committed_at, committer_zone),
    message,
    allow_failure: false,
  }));
  const waiting = rows.flatMap((row) => row.waiting ?? []);
  const shown = listed.map(([stop]) => stop);
  const cursor = btoa(JSON.stringify([waiting, shown]));
  const { total = null } = rows.find((row) => row.total !== undefined) ?? {};
  return { body, headers: paging(call.url, total, listed.length < passed.length, cursor) };
}

async function issue(row, base, avatars) {
  const [id, iid, project_id, full_path, title, description, state, created_at, updated_at, labels, milestone, people] = row;
  const [author_id, assignee_id, subscribed, user_notes_count, due_date, confidential] = row.slice(12);
  const person = (wanted) => people.find(([id]) => id === wanted);
  return {
    id,
    iid,
    project_id,
    title,
    description,
    state,
    created_at: utc(created_at),
    updated_at: utc(updated_at),
    labels: labels.sort(),
    milestone: milestone && planned(milestone),
    assignee: assignee_id && (await user(person(assignee_id), base, avatars)),
    author: await user(person(author_id), base, avatars),
    subscribed: subscribed === 1,
    user_notes_count,
    due_date,
    confidential: confidential === 1,
    web_url: `${base}/${full_path}/issues/${iid}`,
  };
}

function planned([id, iid, project_id, title, description, state, due_date, start_date, created_at, updated_at]) {
  const times = { created_at: utc(created_at), updated_at: utc(updated_at) };
  return { id, iid, project_id, title, description, state, due_date, start_date, ...times };
}

async function user([id, username, name, state, email], base, avatars) {
  let digest = avatars.get(email);
  if (!digest) avatars.set(email, (digest = hex(await crypto.subtle.digest("MD5", new TextEncoder().encode(email.trim().toLowerCase())))));
  const avatar_url = `http://www.gravatar.com/avatar/${digest}?s=80&d=identicon`;
  return { name, username, id, state, avatar_url, web_url: `${base}/${username}` };
}

function paging(url, total, more, cursor) {
  const pages = total === null ? null : Math.ceil(total / 20);
  const next = more || pages > 1;
  const link = (relation, page) => `<${url.origin}${url.pathname}?page=${page}&per_page=20${cursor && relation === "next" ? `&cursor=${cursor}` : ""}>; rel="${relation}"`;
  const links = [next && link("next", 2), link("first", 1), pages && link("last", pages)].filter(Boolean).join(", ");
  const headers = { "X-Page": "1", "X-Per-Page": "20", "X-Next-Page": next ? "2" : "", "X-Prev-Page": "", Link: links };
  return total === null ? headers : { ...headers, "X-Total": String(total), "X-Total-Pages": String(pages) };
}

const utc = (millis) => new Date(millis).toISOString();

function zoned(seconds, minutes) {
  const local = new Date((seconds + minutes * 60) * 1000).toISOString().slice(0, 19);
  const two = (number) => String(number).padStart(2, "0");
  const east = Math.abs(minutes);
  return `${local}${minutes < 0 ? "-" : "+"}${two(Math.floor(east / 60))}:${two(east % 60)}`;
}

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
