// Copies a stopped server's state, and replaces our database by the yardstick's, with the same records. KV and R2 stay
// the same. This is the yardstick's only file that uses our tables.
//
//   node lab/bench/yardstick/copy.mjs --from STATE --to STATE
import { createHash } from "node:crypto";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { databaseFile } from "../../../scripts/workerd.mjs";

const { values: given } = parseArgs({ options: { from: { type: "string" }, to: { type: "string" } } });
cpSync(given.from, given.to, { recursive: true });
const file = databaseFile(given.to);
for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });

/** The source of each table of the yardstick, column by column. */
const rows = {
  settings: "select avatar_enabled, default_projects_limit from ours.settings",
  // users of project tokens have negative ids
  users: `select id, username, name, email, md5(lower(trim(email))) as avatar, state, admin, external, bio, location, skype, linkedin,
    twitter, website_url, projects_limit, projects_count, created_at from ours.users where id > 0`,
  tokens: `select hash, user_id, iif(scopes & 1, 'api', 'read_api') as scope, expires_at, revoked_at
    from ours.tokens where kind = 'personal'`,
  namespaces: "select id, iif(kind = 'user', id, null) as owner_id, path from ours.namespaces",
  group_members: "select user_id, group_id as namespace_id, access as level from ours.group_members",
  projects: `select p.id, p.namespace_id, p.full_path, p.visibility, p.issues_enabled, p.default_branch, p.deleted_at,
      coalesce(max(i.iid), 0) as last_iid,
      count(iif(i.state = 'opened' and i.deleted_at is null, 1, null)) as opened,
      count(iif(i.state = 'closed' and i.deleted_at is null, 1, null)) as closed
    from ours.projects p left join ours.issues i on i.project_id = p.id group by p.id`,
  project_members: "select user_id, project_id, access as level from ours.project_members",
  milestones: `select m.id, m.project_id, m.iid, m.title, m.description, m.state, m.due_date, m.created_at, m.updated_at,
      count(iif(i.state = 'opened', 1, null)) as opened, count(iif(i.state = 'closed', 1, null)) as closed
    from ours.milestones m left join ours.issues i on i.milestone_id = m.id and i.deleted_at is null group by m.id`,
  labels: `select l.id, l.project_id, l.title, l.color, l.created_at,
      count(iif(i.state = 'opened', 1, null)) as opened, count(iif(i.state = 'closed', 1, null)) as closed
    from ours.labels l left join ours.issue_labels il on il.label_id = l.id
    left join ours.issues i on i.id = il.issue_id and i.deleted_at is null group by l.id`,
  issues: `select id, project_id, iid, author_id, assignee_id, milestone_id, title, description, state, confidential, due_date,
    user_notes_count, created_at, updated_at, deleted_at from ours.issues`,
  issue_labels: "select issue_id, label_id from ours.issue_labels",
  participants: "select distinct issue_id, user_id from ours.participants",
  subscriptions: "select issue_id, user_id, subscribed from ours.subscriptions",
  todos: "select id, user_id, author_id, issue_id, action, state, created_at from ours.todos",
  commits: `select id, project_id, sha, author_name, author_email, committed_at, committer_zone, message, branch from ours.commits`,
  parents: "select child_id, position, parent_id from ours.parents",
  refs: `select project_id, name, commit_id, (with recursive reached (id) as (select r.commit_id
      union select p.parent_id from reached join ours.parents p on p.child_id = reached.id) select count(*) from reached) as commits
    from ours.refs r`,
  // a long one without an object is stored in chunks
  diffs: `select d.commit_id, iif(d.object is null, group_concat(d.text, '' order by d.part), null) as text,
      iif(d.object is null, null, (select store from ours.object_sweeps) || '/' || c.project_id || '/' || c.sha || '-' || d.object) as object_key,
      coalesce(d.bytes, sum(octet_length(d.text))) as bytes, coalesce(d.digest, sha256(group_concat(d.text, '' order by d.part))) as digest
    from ours.diffs d join ours.commits c on c.id = d.commit_id group by d.commit_id`,
  statuses: `select id, project_id, commit_id, ref, name, user_id, state, target_url, description, coverage, created_at, started_at,
    finished_at from ours.statuses`,
};

const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
db.function("md5", (text) => createHash("md5").update(String(text)).digest("hex"));
db.function("sha256", (text) => createHash("sha256").update(String(text)).digest("base64url"));
db.exec("pragma journal_mode = wal");
db.exec(readFileSync(join(import.meta.dirname, "schema.sql"), "utf8"));
db.prepare("attach ? as ours").run(databaseFile(given.from));
db.exec("begin");
for (const [table, select] of Object.entries(rows)) {
  const names = db
    .prepare(select)
    .columns()
    .map(({ name }) => name);
  db.exec(`insert into ${table} (${names.join(", ")}) ${select}`);
}
db.exec("commit; detach ours; pragma wal_checkpoint(truncate)");
db.close();
