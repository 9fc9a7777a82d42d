// Fills a prepared local state by SQL for the changes of measure.mjs. Each has its own project or group.
import { database } from "../../scripts/workerd.mjs";

const now = 1_700_000_000_000;
const numbers = (most) => `with recursive n(n) as (select 1 union all select n + 1 from n where n < ${most})`;
export const sha = (number) => number.toString(16).padStart(40, "0");

/** Ids of projects, each in root's namespace under its name. */
export const projects = { issues: 1, notes: 2, target: 3, commits: 4, deployments: 5 };
export const MANY = 10_000;
export const group = 1000;
/** Projects of the group: the most with which it gets another name. Ten of them have 1,000 tokens each. */
export const GROUPED = 5000;

/** `commits` in one line without a ref; `issues` with one label and one milestone, and as many to-do items. */
export function fill(state, { commits, issues }) {
  const db = database(state, { enableForeignKeyConstraints: false });
  db.exec("pragma synchronous = off; pragma cache_size = -400000; pragma temp_store = memory; begin");
  for (const [name, id] of Object.entries(projects)) {
    db.exec(`
      insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
      values (${id}, 1, 1, '${name}', '${name}', 'root/${name}', 'root/${name}', 'Administrator / ${name}', 0, ${now}, ${now});
      insert into issue_counts (project_id) values (${id});
      insert into labels (id, project_id, title, color, created_at) values (${id}, ${id}, 'bug', '#428BCA', ${now});
      insert into milestones (id, project_id, iid, title, created_at, updated_at) values (${id}, ${id}, 1, 'v1', ${now}, ${now})`);
  }
  const issue = (project, most) => `
    ${numbers(most)} insert into issues (project_id, iid, author_id, milestone_id, title, created_at, updated_at)
    select ${project}, n, 1, ${project}, 'Something is wrong', ${now} + n, ${now} + n from n;
    insert into issue_labels (issue_id, label_id, section, created_at) select id, ${project}, section, created_at from issues where project_id = ${project}`;
  db.exec(`
    ${issue(projects.notes, 2)};
    ${numbers(MANY)} insert into users (id, username, name, email, email_key, created_at)
    select 20000000 + n, 'user' || n, 'User ' || n, n || '@example.org', n || '@example.org', ${now} from n;
    ${numbers(MANY)} insert into namespaces (id, kind, path, path_key) select 20000000 + n, 'user', 'user' || n, 'user' || n from n;
    ${numbers(MANY)} insert into notes (project_id, issue_id, author_id, body, created_at, updated_at)
    select ${projects.notes}, i.id, 20000000 + n, 'One of many', ${now}, ${now} from n cross join issues i where i.project_id = ${projects.notes};
    insert into participants (issue_id, user_id, note_id) select issue_id, author_id, id from notes;
    insert into todos (user_id, author_id, project_id, issue_id, note_id, action, created_at, updated_at)
    select author_id, 1, project_id, issue_id, id, 'mentioned', ${now}, ${now} from notes;
    insert into subscriptions (issue_id, user_id, subscribed) select issue_id, author_id, 1 from notes;
    ${issue(projects.issues, issues)};
    insert into todos (user_id, author_id, project_id, issue_id, action, created_at, updated_at)
    select 1, 1, project_id, id, 'assigned', ${now}, ${now} from issues where project_id = ${projects.issues};

    insert into namespaces (id, kind, path, path_key) values (${group}, 'group', 'crowd', 'crowd');
    insert into groups (id, name, path, visibility, created_at) values (${group}, 'crowd', 'crowd', 0, ${now});
    ${numbers(GROUPED)} insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
    select ${group} + n, ${group}, 1, 'p' || n, 'p' || n, 'crowd/p' || n, 'crowd/p' || n, 'crowd / p' || n, 0, ${now}, ${now} from n;
    insert into issue_counts (project_id) select id from projects where namespace_id = ${group};
    ${numbers(MANY)} insert into namespaces (id, kind, path, path_key) select -1000000 - n, 'user', 'bot' || n, 'bot' || n from n;
    ${numbers(MANY)} insert into users (id, username, name, email, email_key, created_at)
    select -1000000 - n, 'bot' || n, 'Bot', n || '@bot', n || '@bot', ${now} from n;
    ${numbers(MANY)} insert into tokens (hash, id, user_id, kind, project_id, bot_id, scopes, access, name, created_at)
    select 'hash' || n, 1000 + n, 1, 'project', ${group} + 1 + (n - 1) / 1000, -1000000 - n, 4, 30, 'ci', ${now} from n;

    insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name, committer_email, committed_at,
      committer_zone, message, additions, deletions, parent_shas) values (1, ${projects.deployments}, '${sha(1)}', 'A', 'a@example.com', 1, 0, 'A', 'a@example.com', 1, 0, 'm', 0, 0, '[]');
    insert into statuses (id, project_id, commit_id, ref, name, user_id, state, created_at) values (1, ${projects.deployments}, 1, 'master', 'job', 1, 'success', ${now});
    insert into environments (id, project_id, number, name, created_at, state) values (1, ${projects.deployments}, 1, 'live', ${now}, 'stopped');
    ${numbers(9000)} insert into deployments (project_id, iid, environment_id, commit_id, ref, user_id, changed_by, name, state, created_at)
    select ${projects.deployments}, n, 1, 1, 'master', 1, 1, 'live', 'success', ${now} from n;

    ${numbers(commits)} insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name,
      committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas)
    select n + 1, ${projects.commits}, printf('%040x', n), 'Ann', 'ann@example.com', 1400000000 + n * 60, 0, 'Ann', 'ann@example.com',
      1400000000 + n * 60, 0, 'Change ' || n, 1, 0, iif(n = 1, '[]', json_array(printf('%040x', n - 1))) from n;
    ${numbers(commits - 1)} insert into parents (child_id, position, parent_id, parent_committed_at) select n + 2, 0, n + 1, 1400000000 + n * 60 from n;
    update groups set projects_count = ${GROUPED} where id = ${group};
    update users set projects_count = ${Object.keys(projects).length} where id = 1;
    commit; pragma wal_checkpoint(truncate)`);
  db.close();
}
