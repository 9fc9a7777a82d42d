// A database of the former migrations, with rows in all tables that the API fills, and texts that break readers of SQL.
import { readFileSync } from "node:fs";
import { FORMER } from "../../../scripts/migrations.mjs";
import { random, text } from "../hard-world.mjs";
import { Sqlite } from "../sqlite.mjs";

/** A text that a test puts a NUL into, which node:sqlite itself could not read back. */
export const MARK = "\u0001NUL";

const numbers = (most) => `with recursive n(n) as (select 1 union all select n + 1 from n where n < ${most})`;

export function formerWorld(issues) {
  const database = new Sqlite();
  const { file } = database;
  const next = random(11);
  file.function("prose", () => text(next, next(80)));
  file.function("roll", (limit) => next(Number(limit)));
  file.exec(
    "create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null)",
  );
  file.exec(readFileSync(new URL("schema.sql", import.meta.url), "utf8"));
  for (const name of FORMER) file.prepare("insert into d1_migrations (name, applied_at) values (?, '2026-11-20 12:00:00')").run(name);
  const now = 1_700_000_000_000;
  file.exec(`
    begin;
    ${numbers(9)} insert into namespaces (id, kind, path, path_key) select n + 1, 'user', 'User' || n, 'user' || n from n;
    ${numbers(9)} insert into users (id, username, name, email, email_key, bio, created_at)
      select n + 1, 'User' || n, prose(), n || '@example.org', n || '@example.org', iif(n = 1, '${MARK}', prose()), ${now} + n from n;
    insert into namespaces (id, kind, path, path_key) values (-1, 'user', 'bot', 'bot'), (50, 'group', 'team', 'team');
    insert into users (id, username, name, email, email_key, created_at) values (-1, 'bot', 'Bot', 'bot', 'bot', ${now});
    insert into groups (id, name, path, description, visibility, created_at) values (50, 'Team', 'team', prose(), 20, ${now});
    insert into group_members (user_id, group_id, access, created_at) select id, 50, 20, ${now} from users where id between 2 and 5;
    ${numbers(4)} insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, description, visibility, default_branch,
        created_at, updated_at)
      select n, iif(n < 3, 50, 1), 1, prose(), 'p' || n, 'x/p' || n, 'x/p' || n, prose(), prose(), 10, 'master', ${now}, ${now} from n;
    insert into issue_counts (project_id) select id from projects;
    insert into project_members (user_id, project_id, access, created_at) select id, 3, 30, ${now} from users where id > 5;
    insert into tokens (hash, id, user_id, kind, scopes, project_id, bot_id, access, name, created_at, expires_at, revoked_at) values
      ('a', 1, 2, 'personal', 2, null, null, null, prose(), ${now}, null, 7), ('b', 2, 1, 'project', 4, 1, -1, 30, prose(), ${now}, 9, null),
      ('c', 3, 1, 'hook', 64, 1, null, null, prose(), ${now}, null, null);
    ${numbers(20)} insert into labels (id, project_id, title, color, description, created_at)
      select n, n % 4 + 1, 'label ' || n || prose(), '#428BCA', prose(), ${now} from n;
    ${numbers(8)} insert into milestones (id, project_id, iid, title, description, due_date, start_date, created_at, updated_at)
      select n, n % 4 + 1, iif(n = 8, -1, n), 'm' || n || prose(), prose(), '2026-01-0' || n, '2025-01-01', ${now}, ${now} from n;

    ${numbers(issues)} insert into issues (id, project_id, iid, author_id, assignee_id, milestone_id, title, description, state, confidential, due_date,
        created_at, updated_at, closed_at, closed_by_id, discussion_locked, words)
      select n, n % 4 + 1, (n + 3) / 4, 1 + roll(9), iif(roll(3), 1 + roll(9), null), iif(roll(2), n % 4 + 4 * (n % 4 = 0), null),
        prose(), iif(roll(9), prose(), null), iif(n % 3, 'opened', 'closed'), roll(4) = 0, '2026-02-03', ${now} + n, ${now} + n + roll(9000),
        iif(n % 3, null, ${now}), null, iif(roll(2), roll(2), null), iif(roll(2), '{"t":["something"],"d":[]}', null)
      from n;
    insert or ignore into issue_labels (issue_id, label_id)
      select i.id, l.id from issues i join labels l on l.project_id = i.project_id where roll(5) < 2 and i.deleted_at is null;
    insert into notes (id, project_id, issue_id, author_id, body, system, created_at, updated_at)
      select i.id, i.project_id, i.id, 1 + roll(9), prose(), roll(4) = 0, ${now}, ${now} from issues i where roll(2);
    insert into participants (issue_id, user_id, note_id) select issue_id, author_id, id from notes where not system;
    insert into subscriptions (issue_id, user_id, subscribed) select id, 3, roll(2) from issues where roll(4) = 0;
    insert into todos (user_id, author_id, project_id, issue_id, note_id, action, state, created_at, updated_at)
      select 2, 1, project_id, issue_id, id, 'mentioned', iif(roll(2), 'done', 'pending'), ${now}, ${now} from notes;
    -- what people do to issues later
    update issues set state = iif(state = 'opened', 'closed', 'opened'), closed_at = iif(state = 'opened', ${now}, null) where roll(7) = 0;
    update issues set confidential = not confidential where roll(7) = 0;
    delete from issue_labels where roll(9) = 0;
    delete from todos where issue_id % 17 = 5;
    delete from participants where issue_id % 17 = 5;
    delete from subscriptions where issue_id % 17 = 5;
    delete from issue_labels where issue_id % 17 = 5;
    update issues set deleted_at = ${now}, user_notes_count = 0, system_notes_count = 0 where id % 17 = 5;
    delete from notes where issue_id % 17 = 5;
    insert into issue_remains (issue_id) values (5);
    update projects set deleted_at = ${now}, purged_at = ${now} where id = 4;
    insert into project_remains (project_id) values (4);

    ${numbers(60)} insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name, committer_email,
        committed_at, committer_zone, message, additions, deletions, parent_shas, branch)
      select n, 1, printf('%040x', n), prose(), 'a@example.com', -5, 60, 'A', 'a@example.com', 1400000000 + n % 7, 0, prose(), n, 0,
        iif(n = 1, '[]', json_array(printf('%040x', n - 1))), 'master' from n;
    ${numbers(59)} insert into parents (child_id, position, parent_id, parent_committed_at) select n + 1, 0, n, 1400000000 + n % 7 from n order by n;
    insert into refs (project_id, name, commit_id, message, tag_sha, commits, committed_at) values
      (1, 'refs/heads/master', 60, null, null, 60, 1400000004), (1, 'refs/tags/v1', 7, prose(), 'ff', null, 1400000000);
    insert into branch_counts (project_id, branch, commits) values (1, 'master', 60);
    insert into mirrors (project_id, version, scan_after, before_batch, bytes) values (1, 3, 'ab', 59, 0);
    update mirrors set bytes = 4321;
    insert into branch_queue (commit_id, project_id, committed_at) values (60, 1, 1400000004);
    insert into staged_swaps (project_id, portion, sync, changes) values (1, 0, 's', '[]');
    insert into forgotten_commits (commit_id, project_id) values (9, 1);
    insert into commit_comments (project_id, commit_id, author_id, note, path, line, line_type, created_at) values (1, 60, 2, prose(), 'a', 3, 'new', ${now});
    ${numbers(30)} insert into diffs (commit_id, part, text, object, bytes, digest) select n, 0, prose(), iif(n % 2, 'k', null), iif(n % 2, 5000, null), iif(n % 2, 'd', null) from n;

    ${numbers(80)} insert into statuses (id, project_id, commit_id, ref, name, stage, user_id, state, created_at, coverage)
      select n, 1, 1 + n % 5, iif(n % 3, 'master', ''), 'job ' || n % 4, iif(n % 2, 'test', 'external'), 1 + n % 3,
        iif(n % 7, 'success', 'failed'), ${now} + n, iif(n % 2, 12.5 + n / 7.0, null) from n;
    update statuses set state = 'canceled', skipped = 1 where id % 9 = 0;
    update statuses set stage = 'deploy' where id % 10 = 0;
    insert into environments (id, project_id, number, name, external_url, created_at, updated_at, state, tier, description) values
      (1, 1, 1, 'live', prose(), ${now}, ${now}, 'stopped', 'production', prose()), (2, 1, 2, 'gone', null, ${now}, ${now}, 'available', null, null);
    ${numbers(6)} insert into deployments (id, project_id, iid, environment_id, status_id, user_id, created_at) select n, 1, n, 1, n, 2, ${now} from n;
    delete from deployments where id = 3;
    delete from environments where id = 2;

    update settings set sign_in_text = prose(), domain_blacklist = '["example.net"]', domain_blacklist_enabled = 1;
    insert into idempotency_keys (user_id, key, digest, answer, created_at) values (1, 'k', 'd', '[1]', ${now});
    insert into hourly_writes (user_id, hour, writes, most) values (2, 472222, 5, 100);
    update sweeps set after = 12, upto = 70;
    update object_sweeps set after = 'x', moved = 3;
    commit`);
  // one issue moved to another project, with what both sides hold of it
  file.exec(`insert into notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)
    select i.project_id, i.id, 1, iif(i.id = 1, 'Moved to', 'Moved from'), 1, 'x/p#1', iif(i.id = 1, 3, 2), ${now}, ${now} from issues i where i.id in (1, 2);
    update issues set moved_to_id = 2 where id = 1`);
  return database;
}
