// The yardstick: four endpoints of the API as one would write them by hand in JavaScript, for the same workerd and D1.
// It runs the very statements our Worker sends (STATEMENTS, noted by bench/record.mjs), with binds taken from its own
// request, and makes the same answers, down to the paging headers, the cost header and one log line per request.
// Nothing else is here: no other routes, encodings, checks or errors. It is served by `make bench` only.

let statements;

const routes = [
  ["GET", /^\/api\/v3\/projects\/[^/]+\/issues\/(?<issue>\d+)$/, "issue", showIssue],
  ["GET", /^\/api\/v3\/projects\/[^/]+\/issues$/, "issues", listIssues],
  ["POST", /^\/api\/v3\/projects\/[^/]+\/statuses\/(?<sha>[^/]+)$/, "status", postStatus],
  ["GET", /^\/api\/v3\/projects\/[^/]+\/repository\/commits$/, "commits", listCommits],
];

export default {
  async fetch(request, env) {
    statements ??= JSON.parse(env.STATEMENTS);
    const url = new URL(request.url);
    for (const [method, pattern, name, act] of routes) {
      const match = method === request.method && pattern.exec(url.pathname);
      if (match) return answer(request, env, url, name, act, match.groups ?? {});
    }
    return Response.json({ message: "404 Not Found" }, { status: 404 });
  },
};

async function answer(request, env, url, name, act, path) {
  const call = { url, base: url.origin, trips: 0, read: 0, written: 0, millis: 0 };
  call.known = { ...path, now: Date.now(), hash: await sha256(request.headers.get("PRIVATE-TOKEN") ?? "") };
  if (path.issue) call.known.issue = Number(path.issue);
  if (request.method === "POST") Object.assign(call.known, Object.fromEntries(new URLSearchParams(await request.text())));
  call.trip = async () => {
    const batch = statements[name][call.trips++].map(({ sql, binds }) =>
      env.DB.prepare(sql).bind(...binds.map((bind) => (bind.from ? find(call.known, bind.from) : bind.value))),
    );
    const results = await env.DB.batch(batch);
    return results.map(({ results, meta }) => {
      call.read += meta.rows_read;
      call.written += meta.rows_written;
      call.millis += meta.duration;
      return results.map((row) => JSON.parse(Object.values(row)[0]));
    });
  };
  const [rows, ...written] = await call.trip();
  const [door] = rows;
  if (!door.user) return Response.json({ message: "401 Unauthorized" }, { status: 401 });
  if (!(door.place?.access >= 10)) return Response.json({ message: "404 Project Not Found" }, { status: 404 });
  rows.forEach((row, n) => (call.known[`row${n}`] = row));
  const { body, status = 200, headers } = await act(call, rows.slice(1), written);
  const id = crypto.randomUUID();
  const cost = `d1;dur=${call.millis}, trips;desc="${call.trips}", rows_read;desc="${call.read}", rows_written;desc="${call.written}"`;
  console.log({ request_id: id, method: request.method, route: name, status, caller_id: door.user.id, cost });
  return Response.json(body, { status, headers: { ...headers, "Server-Timing": cost, "X-Request-Id": id } });
}

/** `row0.place.id` of what is known. */
function find(known, path) {
  return path in known ? known[path] : path.split(".").reduce((value, key) => value[key], known);
}

async function showIssue(call, [row]) {
  return { body: await issue(row, call.base, new Map()) };
}

async function listIssues(call, rows) {
  const avatars = new Map();
  const body = [];
  let total = 0;
  for (const row of rows) {
    if (row.issue) body.push(await issue(row.issue, call.base, avatars));
    else total = row.total;
  }
  return { body, headers: paging(call.url, total) };
}

async function postStatus(call, [before], [[posted]]) {
  if (!posted) {
    const event = call.known.state === "running" ? "run" : "enqueue";
    const message = `Cannot transition status via :${event} from :${before.refused} (Reason(s): Status cannot transition via "${event}")`;
    return { body: { message }, status: 400 };
  }
  const { status: row, sha, author } = posted;
  const body = {
    id: row.id,
    sha,
    ref: row.git_ref || null,
    status: row.state,
    name: row.name,
    target_url: row.target_url,
    description: row.description,
    created_at: utc(row.created_at),
    started_at: row.started_at && utc(row.started_at),
    finished_at: row.finished_at && utc(row.finished_at),
    allow_failure: false,
    author: await user(author, call.base, new Map()),
  };
  return { body, status: 201 };
}

async function listCommits(call, rows) {
  const more = rows.length > 20;
  const body = rows.slice(0, 20).map((row) => ({
    id: row.sha,
    short_id: row.sha.slice(0, 8),
    title: row.message.trimStart().split("\n", 1)[0].trimEnd(),
    author_name: row.author_name,
    author_email: row.author_email,
    created_at: zoned(row.committed_at, row.committer_zone),
    message: row.message,
    allow_failure: false,
  }));
  return { body, headers: paging(call.url, null, more) };
}

async function issue(row, base, avatars) {
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: utc(row.created_at),
    updated_at: utc(row.updated_at),
    labels: row.labels,
    milestone: row.milestone && { ...row.milestone, created_at: utc(row.milestone.created_at), updated_at: utc(row.milestone.updated_at) },
    assignee: row.assignee && (await user(row.assignee, base, avatars)),
    author: await user(row.author, base, avatars),
    subscribed: row.subscribed === 1,
    user_notes_count: row.user_notes_count,
    due_date: row.due_date,
    confidential: row.confidential === 1,
    web_url: `${base}/${row.full_path}/issues/${row.iid}`,
  };
}

async function user({ id, username, name, state, email }, base, avatars) {
  let digest = avatars.get(email);
  if (!digest) avatars.set(email, (digest = hex(await crypto.subtle.digest("MD5", new TextEncoder().encode(email.trim().toLowerCase())))));
  const avatar_url = `http://www.gravatar.com/avatar/${digest}?s=80&d=identicon`;
  return { name, username, id, state, avatar_url, web_url: `${base}/${username}` };
}

function paging(url, total, more) {
  const pages = total === null ? null : Math.ceil(total / 20);
  const next = more || pages > 1;
  const link = (relation, page) => `<${url.origin}${url.pathname}?page=${page}&per_page=20>; rel="${relation}"`;
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
