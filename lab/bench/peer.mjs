// A JavaScript Worker that answers the requests of requests.mjs from tables of its own (peer.sql): one batch of plain
// statements for each. It does less than edgeforge on purpose: members and forms alone, and no filters, limits, totals,
// entity tags, idempotency keys, log, pipelines, events, web hooks, search or quotas.
const WHO = `select u.*, s.scope, p.id as project_id, p.full_path, m.level from sessions s join users u on u.id = s.user_id
  left join projects p on p.full_path = ?2 left join members m on m.user_id = u.id and m.project_id = p.id where s.hash = ?1`;
const MINE = "hash = ?1 and full_path = ?2";
const [GUEST, REPORTER, DEVELOPER] = [10, 20, 30];

class Refusal extends Error {
  constructor(status, body) {
    super();
    Object.assign(this, { status, body });
  }
}
const unauthorized = () => new Refusal(401, { message: "401 Unauthorized" });
const missing = (what) => new Refusal(404, { message: `404 ${what} Not Found` });

const sha256 = async (text) => new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex();

/**
 * Runs one batch: who asks, and the statements of a request. They give no rows and write nothing for a token without
 * access. Each is a text and its binds; ?1 is the token's hash and ?2 the project's path.
 */
async function ask(call, level, ...statements) {
  const { request, env, path = null, cost } = call;
  const token = request.headers.get("PRIVATE-TOKEN") ?? request.headers.get("Authorization")?.replace(/^bearer /i, "");
  if (!token) throw unauthorized();
  const hash = await sha256(token);
  const prepared = [[WHO], ...statements].map(([text, ...more]) => env.DB.prepare(text).bind(hash, path, ...more));
  cost.trips += 1;
  const [[me], ...rows] = (await env.DB.batch(prepared)).map(({ results, meta }) => {
    cost.millis += meta.duration;
    cost.read += meta.rows_read;
    cost.written += meta.rows_written;
    return results;
  });
  if (!me) throw unauthorized();
  if (level && !me.level) throw missing("Project");
  if (level > me.level || (request.method === "POST" && me.scope !== "api")) throw new Refusal(403, { message: "403 Forbidden" });
  return { me, rows };
}

const person = (row, { base }) => row && { ...row, web_url: `${base}/${row.username}` };
const self = ({ name, username, id, state, avatar }, call) => person({ name, username, id, state, avatar_url: avatar }, call);

function issue({ hash: _, full_path, last_iid: __, ...row }, call) {
  const [labels, milestone, assignee, author] = [row.labels, row.milestone, row.assignee, row.author].map((text) => JSON.parse(text));
  const people = { assignee: person(assignee, call), author: person(author, call) };
  const flags = { subscribed: row.subscribed === 1, confidential: row.confidential === 1 };
  return { ...row, labels, milestone, ...people, ...flags, web_url: `${call.base}/${full_path}/issues/${row.iid}` };
}

function commit({ sha, message, author_name, author_email, created_at }) {
  const [title] = message.split("\n");
  return { id: sha, short_id: sha.slice(0, 8), title, author_name, author_email, created_at, message, allow_failure: false };
}

/** The page that the parameters name. */
function pageOf({ params }) {
  const [number, size] = [Math.max(Number(params.page) || 1, 1), Math.min(Number(params.per_page) || 20, 100)];
  return { number, size, offset: (number - 1) * size };
}

/** A page of a list. One row more than it shows means that another page follows. `after`: what its link has beside its number. */
function listing({ url }, { number, size }, rows, show, after = (_) => ({})) {
  const [shown, more] = [rows.slice(0, size), rows.length > size];
  /** @type {any} */
  const headers = { "X-Page": number, "X-Per-Page": size, "X-Next-Page": more ? number + 1 : "" };
  if (more) {
    const next = new URL(url);
    for (const [name, value] of Object.entries({ page: number + 1, ...after(shown.at(-1)) })) next.searchParams.set(name, value);
    headers.Link = `<${next}>; rel="next"`;
  }
  return { body: shown.map(show), headers };
}

async function showUser(call) {
  const { me } = await ask(call, 0);
  const { created_at, bio, location, skype, linkedin, twitter, website_url, email, projects_limit, projects_count } = me;
  const [seen, own] = [
    { created_at, is_admin: me.admin === 1, bio, location, skype, linkedin, twitter, website_url, last_sign_in_at: null },
    { confirmed_at: created_at, email, theme_id: 1, color_scheme_id: 1, projects_limit, current_sign_in_at: null, identities: [] },
  ];
  const rights = { can_create_group: true, can_create_project: projects_count < projects_limit, two_factor_enabled: false };
  return { body: { ...self(me, call), ...seen, ...own, ...rights, external: me.external === 1 } };
}

async function showIssue(call, id) {
  const { rows } = await ask(call, GUEST, [`select * from readable where ${MINE} and id = ?3`, Number(id)]);
  if (!rows[0][0]) throw missing("Issue");
  return { body: issue(rows[0][0], call) };
}

/** The next link has the last issue of its page, so that a deep page costs no more than the first. */
async function listIssues(call) {
  const page = pageOf(call);
  const { after_time: time, after_id: id } = call.params;
  const order = "order by created_at desc, id desc limit ?3";
  const [rest, ...binds] = time ? [`and (created_at, id) < (?4, ?5) ${order}`, time, Number(id)] : [`${order} offset ?4`, page.offset];
  const { rows } = await ask(call, GUEST, [`select * from readable where ${MINE} ${rest}`, page.size + 1, ...binds]);
  const after = (last) => ({ after_time: last.created_at, after_id: last.id });
  return listing(call, page, rows[0], (row) => issue(row, call), after);
}

async function createIssue(call) {
  const { title, description = null, labels = "", assignee_id = null } = call.params;
  if (!title) throw new Refusal(400, { message: { title: ["is missing"] } });
  const now = new Date().toISOString();
  const names = JSON.stringify([
    ...new Set(
      labels
        .trim()
        .split(/\s*,\s*/)
        .filter(Boolean),
    ),
  ]);
  const mentioned = Array.from(`${title} ${description}`.matchAll(/(?<!\w)@([\w.-]*\w)/g), ([, name]) => name);
  const making = `insert into issues (project_id, iid, author_id, title, description, created_at, updated_at, assignee_id)
    select project_id, last_iid, user_id, ?3, ?4, ?5, ?5, (select user_id from members m where m.user_id = ?6 and m.project_id = a.project_id)
    from access a where ${MINE} and scope = 'api'`;
  const statements = [
    [`update projects set last_iid = last_iid + 1 where id = (select project_id from access where ${MINE} and scope = 'api')`],
    [making, title, description, now, assignee_id],
  ];
  if (labels) {
    const made = `select project_id, value from newest, json_each(?3) where ${MINE}`;
    const found = `newest n join labels l on l.project_id = n.project_id where ${MINE} and l.title in (select value from json_each(?3))`;
    statements.push([`insert or ignore into labels (project_id, title) ${made}`, names]);
    statements.push([`insert into issue_labels select n.id, l.id from ${found}`, names]);
  }
  if (mentioned.length || assignee_id) {
    const found = `newest n join users u on u.username in (select value from json_each(?3)) or u.id = n.assignee_id
      join members m on m.user_id = u.id and m.project_id = n.project_id where ${MINE}`;
    const todo = "select u.id, n.id, iif(u.id = n.assignee_id, 'assigned', 'mentioned'), n.created_at";
    statements.push([`insert into participants select n.id, u.id from ${found}`, JSON.stringify(mentioned)]);
    statements.push([`insert into todos (user_id, issue_id, action, created_at) ${todo} from ${found}`, JSON.stringify(mentioned)]);
  }
  const { rows } = await ask(call, GUEST, ...statements, [`select * from readable where ${MINE} and iid = last_iid`]);
  return { status: 200, body: issue(rows.at(-1)[0], call) };
}

const STATES = ["pending", "running", "success", "failed", "canceled"];

/** Ends or changes the unfinished status of this name, or adds one. */
async function postStatus(call, sha) {
  const { state, ref = null, name = "default", target_url = null, description = null } = call.params;
  if (!STATES.includes(state)) throw new Refusal(400, { message: "invalid state" });
  const now = new Date().toISOString();
  const [started, finished] = [state === "running" ? now : null, STATES.indexOf(state) > 1 ? now : null];
  const text = `insert into statuses (id, commit_id, ref, state, name, target_url, description, created_at, started_at, finished_at, user_id)
    select (select s.id from statuses s where s.commit_id = c.id and s.name = ?6 and s.ref is coalesce(?4, c.branch)
        and s.user_id = a.user_id and s.state in ('pending', 'running')),
      c.id, coalesce(?4, c.branch), ?5, ?6, ?7, ?8, ?9, ?10, ?11, a.user_id
    from access a join commits c on c.project_id = a.project_id and c.sha = ?3
    where ${MINE} and a.scope = 'api' and a.level >= ${DEVELOPER}
    on conflict (id) do update set state = excluded.state, started_at = coalesce(started_at, excluded.started_at),
      finished_at = excluded.finished_at, target_url = coalesce(excluded.target_url, target_url),
      description = coalesce(excluded.description, description) returning *`;
  const { me, rows } = await ask(call, DEVELOPER, [text, sha, ref, state, name, target_url, description, now, started, finished]);
  if (!rows[0][0]) throw missing("Commit");
  const { state: status, commit_id: _, user_id: __, ...row } = rows[0][0];
  return { status: 201, body: { ...row, sha, status, allow_failure: false, author: self(me, call) } };
}

/** git's order: the newest commit whose children were all shown. */
async function listCommits(call) {
  const page = pageOf(call);
  const text = `with recursive walk (id, at) as (
      select c.id, c.seconds from access a join branches b on b.project_id = a.project_id and b.name = a.default_branch
        join commits c on c.id = b.commit_id where ${MINE}
      union
      select c.id, c.seconds from walk w join parents p on p.child_id = w.id join commits c on c.id = p.parent_id
      order by 2 desc limit ?3 offset ?4)
    select c.* from walk w join commits c on c.id = w.id`;
  const { rows } = await ask(call, REPORTER, [text, page.size + 1, page.offset]);
  return listing(call, page, rows[0], commit);
}

/** A long diff is an object, compressed. */
async function showDiff(call, sha) {
  const text = `select diff, diff_object from access a join commits c on c.project_id = a.project_id and c.sha = ?3 where ${MINE}`;
  const { rows } = await ask(call, REPORTER, [text, sha]);
  const [row] = rows[0];
  if (!row) throw missing("Commit");
  if (!row.diff_object) return { text: row.diff };
  return { text: (await call.env.DIFFS.get(row.diff_object)).body.pipeThrough(new DecompressionStream("gzip")) };
}

const routes = /** @type {[string, RegExp, (call: any, part: string) => Promise<any>][]} */ ([
  ["GET", /^\/user$/, showUser],
  ["GET", /^\/projects\/([^/]+)\/issues$/, listIssues],
  ["POST", /^\/projects\/([^/]+)\/issues$/, createIssue],
  ["GET", /^\/projects\/([^/]+)\/issues\/(\d+)$/, showIssue],
  ["POST", /^\/projects\/([^/]+)\/statuses\/(\w+)$/, postStatus],
  ["GET", /^\/projects\/([^/]+)\/repository\/commits$/, listCommits],
  ["GET", /^\/projects\/([^/]+)\/repository\/commits\/(\w+)\/diff$/, showDiff],
]);

async function answer(call) {
  const { request, url } = call;
  for (const [method, pattern, act] of routes) {
    const found = method === request.method && pattern.exec(url.pathname.replace("/api/v3", ""));
    if (!found) continue;
    if (found[1]) call.path = decodeURIComponent(found[1]);
    call.params = Object.fromEntries(method === "POST" ? await request.formData() : url.searchParams);
    return act(call, found[2]);
  }
  throw new Refusal(404, { error: "404 Not Found" });
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    const cost = { trips: 0, millis: 0, read: 0, written: 0 };
    const reply = await answer({ request, env, url, base: url.origin, cost }).catch((error) => {
      if (error instanceof Refusal) return error;
      console.error(error);
      return { status: 500, body: { message: "500 Internal Server Error" } };
    });
    const { status = 200, body, text = JSON.stringify(body), headers } = reply;
    const timing = `d1;dur=${cost.millis}, trips;desc="${cost.trips}", rows_read;desc="${cost.read}", rows_written;desc="${cost.written}"`;
    return new Response(text, { status, headers: { ...headers, "Content-Type": "application/json", "Server-Timing": timing } });
  },
};
