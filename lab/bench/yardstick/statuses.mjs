// POST /projects/:id/statuses/:sha
import { DEVELOPER, enter, project, rules } from "./access.mjs";
import { named } from "./commits.mjs";
import { notFound, Refusal } from "./http.mjs";
import { Faults } from "./params.mjs";
import { self, status } from "./shapes.mjs";
import { batch, raw, sql } from "./sql.mjs";

const STATES = ["pending", "running", "success", "failed", "canceled", "skipped"];
const FINISHED = ["success", "failed", "canceled"];

function read(params) {
  const faults = new Faults();
  const state = params.text("state");
  if (!state) faults.missing("state");
  const coverage = params.number("coverage", faults, /^[-+]?\d+(\.\d+)?$/);
  faults.refuseRecord();
  return {
    state: state === "skipped" ? "canceled" : state,
    ref: params.text("ref"),
    name: params.text("name") ?? params.text("context") ?? "default",
    target_url: params.text("target_url"),
    description: params.text("description"),
    coverage,
  };
}

/** The errors of the values. They are returned only if the commit exists. */
function faultOf({ state, ref, target_url, description }) {
  if (!STATES.includes(state)) return new Refusal(400, { message: `invalid state: it is none of ${STATES.join(", ")}` });
  const faults = new Faults();
  faults.checkLength("ref", ref, 255);
  faults.checkLength("description", description, 16_384);
  faults.checkLength("target_url", target_url, 16_384);
  if (target_url && !/^https?:\/\/[^\s/]/i.test(target_url)) faults.add("target_url", "must be a valid URL");
  try {
    faults.refuseRecord();
  } catch (refusal) {
    return refusal;
  }
}

/** The branch of a commit's status: the one it was named by, else the commit's own. */
const branchOf = (sha) => sql`coalesce(
  (select substr(r.name, 12) from refs r where r.project_id = c.project_id and r.commit_id = c.id
    and r.name = ${`refs/heads/${sha.replace(/^refs\/heads\//, "")}`}), c.branch, '')`;

/** Changes the state of the unfinished status of this commit, ref, name and user, or adds one. A running one does not become pending. */
function post(me, sha, { state, ref, name, target_url, description, coverage }, now) {
  const [started, finished] = [state === "running" ? now : null, FINISHED.includes(state) ? now : null];
  return sql`
    with me as (${me}), target as (
      select c.project_id, c.id as commit_id, ${ref ? sql`${ref}` : branchOf(sha)} as ref, ${name} as name, me.user_id
      from me join commits c on c.id = ${named(sha, "me")}
      where me.level >= ${raw(DEVELOPER)} and me.scope = 'api')
    insert into statuses (id, project_id, commit_id, ref, name, user_id, state, target_url, description, coverage,
      created_at, started_at, finished_at)
    select open.id, t.project_id, t.commit_id, t.ref, t.name, t.user_id, ${state}, ${target_url}, ${description}, ${coverage},
      ${now}, ${started}, ${finished}
    from target t left join statuses open on open.commit_id = t.commit_id and open.ref = t.ref and open.name = t.name
      and open.user_id = t.user_id and open.state in ('pending', 'running')
    where open.id is null or open.state = 'pending' or ${state} <> 'pending'
    on conflict (id) do update set state = excluded.state,
      target_url = coalesce(excluded.target_url, target_url), description = coalesce(excluded.description, description),
      coverage = coalesce(excluded.coverage, coverage),
      started_at = coalesce(started_at, excluded.started_at), finished_at = excluded.finished_at
    returning *, (select c.sha from commits c where c.id = commit_id) as sha`;
}

export async function postStatus(call, { id, sha }) {
  let draft;
  let fault;
  const { me, answers } = await enter(call, id, rules.postStatus, (me) => {
    draft = read(call.params);
    fault = faultOf(draft);
    return fault ? [] : [post(me, sha, draft, call.now)];
  });
  const row = answers[0]?.[0];
  if (row) return { status: 201, body: status(row, self(me, call.linksOf(me))) };
  const known = sql`with here as (${project(id)}) select 1 from here join commits c on c.id = ${named(sha)}`;
  const [[found]] = await batch(call.env.DB, [known], call.cost);
  if (!found) throw notFound("Commit Not Found");
  if (fault) throw fault;
  const message = 'Cannot transition status via :enqueue from :running (Reason(s): Status cannot transition via "enqueue")';
  throw new Refusal(400, { message });
}
