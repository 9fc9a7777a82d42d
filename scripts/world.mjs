// Fills a prepared local state (scripts/prepare) with the project `world/big`, by SQL straight into the local D1's file:
// a million issues in a minute or two.
//
//   node scripts/world.mjs --state DIR --issues N
//
// Every twenty issues in a row are composed alike, so that a page costs the same wherever it lies and however large the
// world is: 8 opened, 1 confidential, 27 labels, 7 with a milestone, 4 with an assignee. `most` wrote three in five;
// `gus`, a guest, wrote ten confidential ones. Tokens: `token-of-` and the name.
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { database } from "./workerd.mjs";

const { values: given } = parseArgs({ options: { state: { type: "string" }, issues: { type: "string" } } });
const count = Number(given.issues);
const db = database(given.state, { enableForeignKeyConstraints: false });

// what bulk inserts are quicker without
const dropped = db
  .prepare("select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null and tbl_name not like '\\_cf%' escape '\\'")
  .all();
db.exec("pragma synchronous = off; pragma cache_size = -400000; pragma temp_store = memory; begin");
for (const { type, name } of dropped) db.exec(`drop ${type} "${name}"`);

const people = ["olga", "most", "gus", ...Array.from({ length: 17 }, (_, n) => `user${n}`)];
const idOf = (name) => 100 + people.indexOf(name);
const [group, big, other, now] = [200, 1000, 1001, 1_700_000_000_000];
for (const name of people) {
  const hash = createHash("sha256").update(`token-of-${name}`).digest("hex");
  db.exec(`
    insert into namespaces (id, kind, path, path_key) values (${idOf(name)}, 'user', '${name}', '${name}');
    insert into users (id, username, name, email, email_key, created_at)
    values (${idOf(name)}, '${name}', '${name}', '${name}@example.com', '${name}@example.com', ${now});
    insert into tokens (hash, id, user_id, name, created_at)
    values ('${hash}', ${idOf(name)}, ${idOf(name)}, 'world', ${now})`);
}
db.exec(`
  insert into namespaces (id, kind, path, path_key) values (${group}, 'group', 'world', 'world');
  insert into groups (id, name, path, visibility, created_at) values (${group}, 'world', 'world', 0, ${now});
  insert into group_members (user_id, group_id, access, created_at) values (${idOf("olga")}, ${group}, 50, ${now})`);
for (const [id, path] of [[big, "big"], [other, "other"]]) {
  db.exec(`
    insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at,
      updated_at)
    values (${id}, ${group}, ${idOf("olga")}, '${path}', '${path}', 'world/${path}', 'world/${path}', 'world / ${path}', 0,
      ${now}, ${now});
    insert into issue_counts (project_id) values (${id});
    insert into project_members (user_id, project_id, access, created_at)
    select id, ${id}, case username when 'gus' then 10 else 20 end, ${now} from users
    where id between 101 and 119;
    with recursive n(n) as (select 1 union all select n + 1 from n where n < 50)
    insert into labels (id, project_id, title, color, created_at)
    select ${id} * 1000 + n, ${id}, printf('label-%02d', n), '#428BCA', ${now} from n;
    with recursive n(n) as (select 1 union all select n + 1 from n where n < 100)
    insert into milestones (id, project_id, iid, title, created_at, updated_at)
    select ${id} * 1000 + n, ${id}, n, printf('v%d.0', n), ${now}, ${now} from n`);
}

// as random as a number can be made, and the same every time
const mixed = (salt, of) => `((n * 2654435761 + ${salt} * 40503) >> 7) % ${of}`;
const labels = big * 1000;
db.exec(`
  with recursive n(n) as (select 1 union all select n + 1 from n where n < ${count})
  insert into issues (id, project_id, iid, author_id, assignee_id, milestone_id, title, description, state, confidential,
    due_date, created_at, updated_at)
  select n, ${big}, n,
    case when n <= 1000 and n % 100 = 7 then ${idOf("gus")} when n % 5 < 3 then ${idOf("most")} else 103 + ${mixed(1, 17)} end,
    case when n % 20 in (2, 6, 10, 15) then 103 + ${mixed(2, 17)} end,
    case when n % 20 in (1, 2, 5) then ${labels} + 1 when n % 20 in (8, 9, 11, 14) then ${labels} + 2 + ${mixed(3, 99)} end,
    'Something is wrong, number ' || n,
    'What happens, what should happen, and how to see it. ' || ${mixed(4, 1000003)},
    case when n % 5 < 2 then 'opened' else 'closed' end, n % 20 = 7, case when n % 20 = 3 then '2017-01-31' end,
    1400000000000 + n * 60000, 1400000000000 + n * 60000 + ${mixed(5, 30)} * 60000
  from n;
  update issue_counts set last_iid = ${count} where project_id = ${big};

  -- the first label is one that three in ten bear
  insert or ignore into issue_labels (issue_id, label_id, state, confidential, created_at)
  select n, label, state, confidential, created_at from (
    select id as n, *, case when id % 20 in (0, 3, 6, 9, 12, 15) then ${labels} + 1 else ${labels} + 2 + id % 16 end as label
    from issues where id % 20 not in (5, 17)
    union all select id, *, ${labels} + 18 + id % 16 from issues where id % 20 in (1, 3, 5, 8, 10, 15, 18)
    union all select id, *, ${labels} + 34 + id % 17 from issues where id % 20 in (3, 8))
  order by n, label;

  insert into notes (project_id, issue_id, author_id, body, system, created_at, updated_at)
  select ${big}, id, 103 + id % 17, 'I see it, too.', 0, created_at + 1000, created_at + 1000 from issues where id % 20 = 4
  union all select ${big}, id, ${idOf("most")}, 'It is being looked at.', 0, created_at + 2000, created_at + 2000 from issues
  where id % 20 = 4
  union all select ${big}, id, ${idOf("most")}, 'Status changed to closed', 1, created_at + 3000, created_at + 3000
  from issues where id % 20 = 13 order by 2;
  insert or ignore into participants (issue_id, user_id, note_id) select issue_id, author_id, id from notes where not system;
  update issues set user_notes_count = 2 where id % 20 = 4;

  insert into issue_authors (author_id, project_id, opened, closed)
  select author_id, project_id, sum(state = 'opened'), sum(state = 'closed') from issues group by 1, 2`);

const states = { opened: "state = 'opened' and not", closed: "state = 'closed' and not", opened_hidden: "state = 'opened' and", closed_hidden: "state = 'closed' and" };
const sums = Object.entries(states).map(([name, test]) => `sum(${test} confidential) as ${name}`).join(", ");
const sets = Object.keys(states).map((name) => `${name} = c.${name}`).join(", ");
db.exec(`
  update issue_counts set ${sets} from (select project_id as id, ${sums} from issues group by 1) c where project_id = c.id;
  update labels set ${sets} from (select label_id, ${sums} from issue_labels group by 1) c where labels.id = c.label_id;
  update milestones set ${sets} from (select milestone_id, ${sums} from issues where milestone_id is not null group by 1) c
  where milestones.id = c.milestone_id`);
for (const { sql } of dropped.sort((a, b) => a.type.localeCompare(b.type))) db.exec(sql);
db.exec("commit; pragma wal_checkpoint(truncate)");
db.close();
