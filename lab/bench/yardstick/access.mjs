// Finds the caller and their rights in a project with one statement. The endpoint's own statements are in the same
// batch.
import { Refusal, forbidden, notFound, sha256, unauthorized } from "./http.mjs";
import { batch, raw, sql } from "./sql.mjs";

export const [GUEST, REPORTER, DEVELOPER] = [10, 20, 30];
const [INTERNAL, PUBLIC] = [10, 20];

/** The rule of each action: a level, or a visibility that is enough for signed-in users. */
export const rules = {
  readIssues: { level: GUEST, visibility: INTERNAL },
  createIssue: { level: GUEST, visibility: INTERNAL },
  readCommits: { level: REPORTER, visibility: INTERNAL },
  readStatuses: { level: REPORTER, visibility: INTERNAL },
  postStatus: { level: DEVELOPER, visibility: Infinity },
};

function tokenOf({ request, params }) {
  const bearer = /^bearer (.*)$/i.exec(request.headers.get("Authorization") ?? "")?.[1].trim();
  return request.headers.get("PRIVATE-TOKEN") || params.text("private_token") || bearer || params.text("access_token");
}

const isProject = (alias, id) => (/^\d+$/.test(id) ? sql`${raw(alias)} = ${Number(id)}` : sql`full_path = ${id}`);

const caller = raw("u.id as user_id, u.username, u.name, u.state, u.email, u.avatar, u.admin, u.external, s.scope, g.avatar_enabled");

const authorization = (hash, id) => sql`
  select ${caller}, p.id as project_id, p.full_path, p.visibility, p.issues_enabled,
    (select a.level from access a where a.user_id = u.id and a.project_id = p.id) as level
  from settings g
  left join sessions s on s.hash = ${hash}
  left join users u on u.id = s.user_id and u.state = 'active'
  left join projects p on ${isProject("p.id", id)} and p.deleted_at is null`;

/** A project alone, for statements whose rows are dropped if the caller may not read it: `with here as (${project(id)}) ..`. */
export const project = (id) => sql`select p.id as project_id from projects p where ${isProject("p.id", id)} and p.deleted_at is null`;

/** The caller and the project with the level, for statements that need both: `with me as (${me}) ..`. */
const myself = (hash, id) => sql`
  select a.user_id, a.project_id, a.level, a.visibility, s.scope
  from sessions s join access a on a.user_id = s.user_id
  where s.hash = ${hash} and ${isProject("a.project_id", id)}`;

function checkScope({ scope }, request) {
  const reads = ["GET", "HEAD"].includes(request.method);
  if (!reads && scope !== "api") throw forbidden("The scopes of the token do not allow this");
}

/** 401, then 404, then 403. */
function check(row, rule, request) {
  if (row.user_id === null) throw unauthorized();
  const level = row.level ?? 0;
  const visibility = row.external && row.visibility < PUBLIC ? 0 : row.visibility;
  if (row.project_id === null || (level < GUEST && visibility < INTERNAL)) throw notFound("Project Not Found");
  checkScope(row, request);
  if (level < rule.level && visibility < rule.visibility) throw forbidden();
}

/**
 * Admits a caller to a project, or throws. `statements` makes the endpoint's own statements from the caller; they run
 * in the same batch. Only an admitted caller gets errors of the input. `isOpen`: a public project needs no token.
 */
export async function enter(call, id, rule, statements, { isOpen = false } = {}) {
  const token = tokenOf(call);
  if (!token && !isOpen) throw unauthorized();
  const hash = await sha256(token ?? "");
  let own = [];
  let fault;
  try {
    own = statements(myself(hash, id));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    fault = error;
  }
  const [[row], ...answers] = await batch(call.env.DB, [authorization(hash, id), ...own], call.cost);
  const isPublic = row.visibility === PUBLIC;
  if (row.user_id !== null) call.caller = row;
  if (!(isOpen && isPublic && row.user_id === null)) check(row, rule, call.request);
  if (fault) throw fault;
  return { me: row, isPublic, answers };
}

/** The caller alone, with the fields of their own page. */
export async function signIn(call) {
  const token = tokenOf(call);
  if (!token) throw unauthorized();
  const [[row]] = await batch(
    call.env.DB,
    [
      sql`
    select u.*, ${caller}, coalesce(u.projects_limit, g.default_projects_limit) as projects_limit
    from settings g join sessions s on s.hash = ${await sha256(token)}
    join users u on u.id = s.user_id and u.state = 'active'`,
    ],
    call.cost,
  );
  if (!row) throw unauthorized();
  checkScope(row, call.request);
  call.caller = row;
  return row;
}
