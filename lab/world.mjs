// Fills a prepared local state (scripts/prepare) by SQL in the file of the local D1: a million issues in a few minutes.
// The project `world/big` has all of them. The public group `crowd` has a tenth as many (at least 20,000) in 1,000
// projects, and each person is in as many of them. The group `herd` has a tenth as many projects as issues, a third of
// each visibility.
//
//   node lab/world.mjs --state DIR --issues N
//
// Every twenty consecutive issues have the same mix, so that a page costs the same at any place and in any world: 8
// opened, 1 confidential, 27 labels, 7 with a milestone, 4 with an assignee. Tokens: `token-of-` and the name.
//
// | who | in `world` | in `crowd` |
// |---|---|---|
// | `olga` | owner | owner |
// | `most` | reporter of the project, wrote three in five issues | |
// | `gus` | guest of the project, wrote ten confidential issues | guest |
// | `sly` | guest of the project, wrote half of the confidential issues | reporter of one project |
// | `eve` | | stranger |
// | `ada` | administrator | |
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { database } from "../scripts/workerd.mjs";

const { values: given } = parseArgs({ options: { state: { type: "string" }, issues: { type: "string" } } });
const count = Number(given.issues);
const db = database(given.state, { enableForeignKeyConstraints: false });

// bulk inserts are faster without these
const dropped = db
  .prepare(
    "select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null and tbl_name not like '\\_cf%' escape '\\'",
  )
  .all();
db.exec("pragma synchronous = off; pragma cache_size = -400000; pragma temp_store = memory; begin");
for (const { type, name } of dropped) db.exec(`drop ${type} "${name}"`);

const people = ["olga", "most", "gus", "sly", "eve", ...Array.from({ length: 17 }, (_, n) => `user${n}`)];
const idOf = (name) => (name === "ada" ? 99 : 100 + people.indexOf(name));
const anybody = idOf("user0");
const now = 1_700_000_000_000;
for (const name of ["ada", ...people]) {
  const hash = createHash("sha256").update(`token-of-${name}`).digest("hex");
  db.exec(`
    insert into namespaces (id, kind, path, path_key) values (${idOf(name)}, 'user', '${name}', '${name}');
    insert into users (id, username, name, email, email_key, created_at)
    values (${idOf(name)}, '${name}', '${name}', '${name}@example.com', '${name}@example.com', ${now});
    insert into tokens (hash, id, user_id, name, created_at)
    values ('${hash}', ${idOf(name)}, ${idOf(name)}, 'world', ${now})`);
}

db.exec(`update users set admin = 1 where id = ${idOf("ada")}`);

const access = { guest: 10, reporter: 20, owner: 50 };
/** A group with these members, and projects with this many labels and milestones each. */
function group({ id, path, visibility, members, projects, labels, milestones }) {
  db.exec(`
    insert into namespaces (id, kind, path, path_key) values (${id}, 'group', '${path}', '${path}');
    insert into groups (id, name, path, visibility, created_at) values (${id}, '${path}', '${path}', ${visibility}, ${now})`);
  for (const [name, level] of Object.entries(members)) {
    db.exec(`insert into group_members (user_id, group_id, access, created_at) values (${idOf(name)}, ${id}, ${level}, ${now})`);
  }
  for (const [project, name] of projects) {
    db.exec(`
      insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at,
        updated_at)
      values (${project}, ${id}, ${idOf("olga")}, '${name}', '${name}', '${path}/${name}', '${path}/${name}',
        '${path} / ${name}', ${visibility}, ${now}, ${now});
      insert into issue_counts (project_id) values (${project});
      with recursive n(n) as (select 1 union all select n + 1 from n where n < ${labels})
      insert into labels (id, project_id, title, color, created_at)
      select ${project} * 1000 + n, ${project}, printf('label-%02d', n), '#428BCA', ${now} from n;
      with recursive n(n) as (select 1 union all select n + 1 from n where n < ${milestones})
      insert into milestones (id, project_id, iid, title, created_at, updated_at)
      select ${project} * 1000 + n, ${project}, n, printf('v%d.0', n), ${now}, ${now} from n`);
  }
}
const [big, other, first, crowds] = [1000, 1001, 2000, 1000];
const crowd = Math.max(20_000, count / 10);
group({
  id: 200,
  path: "world",
  visibility: 0,
  members: { olga: access.owner },
  labels: 50,
  milestones: 100,
  projects: [
    [big, "big"],
    [other, "other"],
  ],
});
const herd = 400;
group({ id: herd, path: "herd", visibility: 20, members: { olga: access.owner }, labels: 0, milestones: 0, projects: [] });
const many = Array.from({ length: crowds }, (_, n) => [first + n, `project-${n}`]);
group({
  id: 300,
  path: "crowd",
  visibility: 20,
  members: { olga: access.owner, gus: access.guest },
  labels: 2,
  milestones: 1,
  projects: many,
});
const join = (name, project, level) =>
  db.exec(`insert into project_members (user_id, project_id, access, created_at, namespace_id)
    select ${idOf(name)}, id, ${level}, ${now}, namespace_id from projects where id = ${project}`);
for (const project of [big, other]) {
  for (const name of ["gus", "sly"]) join(name, project, access.guest);
  for (const name of ["most", ...people.slice(5)]) join(name, project, access.reporter);
}
join("sly", first + 7, access.reporter);

// pseudorandom, and the same every time
const mixed = (salt, of) => `((n * 2654435761 + ${salt} * 40503) >> 7) % ${of}`;
const labels = big * 1000;
db.exec(`
  create temp table composed (n integer primary key, project, iid, kind, milestone, author);
  with recursive n(n) as (select 1 union all select n + 1 from n where n < ${count})
  insert into composed select n, ${big}, n, n % 20,
    case when n % 20 in (1, 2, 5) then ${labels} + 1 when n % 20 in (8, 9, 11, 14) then ${labels} + 2 + ${mixed(3, 99)} end,
    case when n % 40 = 7 then ${idOf("sly")} when n <= 1000 and n % 100 = 27 then ${idOf("gus")}
      when n % 5 < 3 then ${idOf("most")} else ${anybody} + ${mixed(1, 17)} end
  from n;
  with recursive n(n) as (select 0 union all select n + 1 from n where n < ${crowd} - 1)
  insert into composed select 10000000 + n, ${first} + n % ${crowds}, n / ${crowds} + 1, (n + n / ${crowds}) % 20,
    case when (n + n / ${crowds}) % 20 in (1, 2, 5) then (${first} + n % ${crowds}) * 1000 + 1 end,
    ${anybody} + n % ${crowds} % 17
  from n;
  insert into issues (id, project_id, iid, author_id, assignee_id, milestone_id, title, description, state, confidential,
    due_date, created_at, updated_at)
  select n, project, iid, author, case when kind in (2, 6, 10, 15) then ${anybody} + ${mixed(2, 17)} end, milestone,
    'Something is wrong, number ' || n,
    'What happens, what should happen, and how to see it. ' || ${mixed(4, 1000003)},
    case when kind % 5 < 2 then 'opened' else 'closed' end, kind = 7, case when kind = 3 then '2017-01-31' end,
    1400000000000 + (n % 10000000) * 60000, 1400000000000 + (n % 10000000) * 60000 + ${mixed(5, 30)} * 60000
  from composed;
  update issue_counts set last_iid = (select coalesce(max(i.iid), 0) from issues i where i.project_id = issue_counts.project_id);

  -- three in ten issues have the first label
  insert or ignore into issue_labels (issue_id, label_id, section, created_at)
  select n, label, i.section, i.created_at from (
    select n, case when kind in (0, 3, 6, 9, 12, 15) then ${labels} + 1 else ${labels} + 2 + n % 16 end as label
    from composed where kind not in (5, 17) and project = ${big}
    union all select n, ${labels} + 18 + n % 16 from composed where kind in (1, 3, 8, 10, 15, 18) and project = ${big}
    union all select n, ${labels} + 34 + n % 17 from composed where kind in (3, 8) and project = ${big}
    union all select n, ${labels} + 2 from composed where kind = 12 and project = ${big}
    union all select n, project * 1000 + 1 from composed where kind in (0, 3, 6, 9, 12, 15, 2, 4) and project <> ${big}
    union all select n, project * 1000 + 2 from composed where kind not in (0, 3, 6, 9, 5, 17, 2, 4) and project <> ${big})
  cross join issues i on i.id = n order by n, label;

  insert into notes (project_id, issue_id, author_id, body, system, created_at, updated_at)
  select ${big}, id, ${anybody} + id % 17, 'I see it, too.', 0, created_at + 1000, created_at + 1000 from issues where id % 20 = 4 and project_id = ${big}
  union all select ${big}, id, ${idOf("most")}, 'It is being looked at.', 0, created_at + 2000, created_at + 2000 from issues
  where id % 20 = 4 and project_id = ${big}
  union all select ${big}, id, ${idOf("most")}, 'Status changed to closed', 1, created_at + 3000, created_at + 3000
  from issues where id % 20 = 13 and project_id = ${big} order by 2;
  insert or ignore into participants (issue_id, user_id, note_id) select issue_id, author_id, id from notes where not system;
  update issues set user_notes_count = 2 where id % 20 = 4 and project_id = ${big}`);

// the content of the other lists: in a world of a million issues 100,000 of each, and 10,000 statuses of one commit
const [long, wide] = [Math.max(300, count / 10), Math.max(300, count / 100)];
const numbers = (most) => `with recursive n(n) as (select 1 union all select n + 1 from n where n < ${most})`;
db.exec(`
  ${numbers(long)} insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at,
    updated_at)
  select 1000000 + n, ${herd}, ${idOf("olga")}, 'Beast ' || n, 'beast-' || n, 'herd/beast-' || n, 'herd/beast-' || n, 'herd / Beast ' || n,
    n % 3 * 10, ${now} + n, ${now} + n from n;
  ${numbers(long)} insert into issue_counts (project_id) select 1000000 + n from n;
  ${numbers(long)} insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name,
    committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas, branch)
  select n, ${big}, printf('%040x', n), 'Olga', 'olga@example.com', 1400000000 + n * 60, 0, 'Olga', 'olga@example.com',
    1400000000 + n * 60, 0, 'Change ' || n, 1, 0, iif(n = 1, '[]', json_array(printf('%040x', n - 1))), 'master' from n;
  ${numbers(long - 1)} insert into parents (child_id, position, parent_id, parent_committed_at)
  select n + 1, 0, n, 1400000000 + n * 60 from n;
  insert into branch_counts (project_id, branch, commits) values (${big}, 'master', ${long});
  insert into refs (project_id, name, commit_id) values (${big}, 'refs/heads/master', ${long});
  ${numbers(wide)} insert into refs (project_id, name, commit_id) select ${big}, printf('refs/heads/topic-%06d', n), n from n
  union all select ${big}, printf('refs/tags/v%06d', n), n from n;
  update projects set default_branch = 'master' where id = ${big};
  ${numbers(wide)} insert into statuses (id, project_id, commit_id, ref, name, user_id, state, created_at, finished_at)
  select n, ${big}, ${long}, iif(n % 10 = 0, '', 'master'), 'job ' || (n % 100 + n / 1000 * 100),
    ${idOf("olga")}, 'success', ${now}, ${now} from n;
  insert into status_heads (commit_id, ref, name, status_id, posted)
  select commit_id, ref, name, max(id), count(*) from statuses group by 1, 2, 3;
  insert into status_counts (commit_id, ref, posted, success, project_id, pipeline_id, iid, user_id, created_at, changed_at)
  select s.commit_id, s.ref, count(*), sum(s.id = h.status_id), ${big}, min(s.id), row_number() over (), ${idOf("olga")}, ${now}, ${now}
  from statuses s
    join status_heads h on h.commit_id = s.commit_id and h.ref = s.ref and h.name = s.name group by 1, 2;
  ${numbers(long)} insert into commit_comments (id, project_id, commit_id, author_id, note, created_at, updated_at)
  select n, ${big}, ${long}, ${idOf("most")}, 'Well', ${now}, ${now} from n;
  ${numbers(wide)} insert into environments (id, project_id, number, name, created_at) select n, ${big}, n, 'env ' || n, ${now} from n;
  ${numbers(wide)} insert into deployments (id, project_id, iid, environment_id, commit_id, ref, user_id, changed_by, name, state, created_at)
  select n, ${big}, n, n, ${long}, 'master', ${idOf("olga")}, ${idOf("olga")}, 'env ' || n, 'success', ${now} from n;
  ${numbers(long)} insert into notes (project_id, issue_id, author_id, body, created_at, updated_at)
  select ${big}, 900, ${idOf("most")}, 'One of many.', ${now}, ${now} from n;
  update issues set user_notes_count = user_notes_count + ${long} where id = 900;
  ${numbers(long)} insert into todos (user_id, author_id, project_id, issue_id, action, state, created_at, updated_at)
  select ${idOf("most")}, ${anybody} + n % 17, ${big}, 1 + n % ${count}, iif(n % 3 = 0, 'mentioned', 'assigned'),
    iif(n % 5 = 0, 'done', 'pending'), ${now}, ${now} from n;
  ${numbers(long)} insert into namespaces (id, kind, path, path_key) select 20000000 + n, 'user', 'member' || n, 'member' || n from n;
  ${numbers(long)} insert into users (id, username, name, email, email_key, created_at, state)
  select 20000000 + n, 'member' || n, 'Member ' || n, n || '@example.org', n || '@example.org', ${now}, iif(n % 10 = 0, 'blocked', 'active') from n;
  ${numbers(long)} insert into project_members (user_id, project_id, access, created_at, namespace_id)
  select 20000000 + n, id, 10, ${now}, namespace_id from n cross join projects where id = ${other};
  ${numbers(long)} insert into group_members (user_id, group_id, access, created_at) select 20000000 + n, 300, 10, ${now} from n;
  ${numbers(wide)} insert into namespaces (id, kind, path, path_key) select 40000000 + n, 'group', 'group' || n, 'group' || n from n;
  ${numbers(wide)} insert into groups (id, name, path, visibility, created_at) select 40000000 + n, 'Group ' || n, 'group' || n, n % 3 * 10, ${now} from n;
  ${numbers(wide)} insert into tokens (hash, id, user_id, name, created_at)
  select printf('%064x', n), 1000 + n, ${idOf("olga")}, 'token ' || n, ${now} from n;
  ${numbers(wide)} insert into tokens (hash, id, user_id, kind, scopes, project_id, name, created_at)
  select printf('%064x', 1000000 + n), 2000000 + n, ${idOf("olga")}, 'hook', 64, ${big}, 'hook ' || n, ${now} from n;
  update groups set projects_count = (select count(*) from projects p where p.namespace_id = groups.id)`);

const sections = ["opened", "closed", "opened_hidden", "closed_hidden"];
const sums = sections.map((name, section) => `sum(section = ${section}) as ${name}`).join(", ");
const sets = sections.map((name) => `${name} = c.${name}`).join(", ");
db.exec(`
  update issue_counts set ${sets} from (select project_id as id, ${sums} from issues group by 1) c where project_id = c.id;
  update labels set ${sets} from (select label_id, ${sums} from issue_labels group by 1) c where labels.id = c.label_id;
  update milestones set ${sets} from (select milestone_id, ${sums} from issues where milestone_id is not null group by 1) c
  where milestones.id = c.milestone_id`);
// triggers queue what is to be indexed
for (const [index, of] of [
  ["issue_index", "issues"],
  ["note_index", "notes"],
  ["commit_index", "commits"],
])
  db.exec(`update ${index} set below = (select coalesce(max(id), 0) + 1 from ${of})`);
for (const { sql } of dropped.sort((a, b) => a.type.localeCompare(b.type))) db.exec(sql);
db.exec("commit; pragma wal_checkpoint(truncate)");
db.close();
