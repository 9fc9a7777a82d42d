// The built Worker with repositories in a database of their own: the trial of docs/growing.md. The Worker knows nothing of
// it. What it sends to D1 as one batch is taken apart here: what touches no table of repositories goes to DB as ever; the
// rest goes to REPO_1, which has copies of the rows that the door asks. The door is asked of DB, too, and what REPO_1 says
// counts only where both say the same; else its copies are made anew, and it is asked again.
import Worker from "../../build/index.js";

const REPOSITORY = /\b(branch_counts|branch_queue|commit_comments|commits|deployments|diffs|environments|forgotten_commits|heads_of_statuses|mirrors|parents|refs|staged_swaps|status_counts|status_heads|statuses)\b/;
const WRITES = /\b(insert into|update|delete from)\b/;
/** Behind the first row of every statement, for the refusal. */
const END_OF_HEAD = " as v\n";
/** Binds of a head. */
const HEAD = 6;

const counted = { home: 0, repository: 0, steps: 0, refreshed: 0, millis: 0 };

/** What a statement is, by its text: looked at once. */
const kinds = new Map();
function kind(sql) {
  if (kinds.has(sql)) return kinds.get(sql);
  // a list has its head in the frame that bounds it
  const begin = sql.slice(0, 200).search(/with (caller|person) as/);
  const end = sql.indexOf(END_OF_HEAD);
  const head = begin < 0 || end < 0 ? null : sql.slice(begin, end + END_OF_HEAD.length);
  const own = (head ? sql.slice(end) : sql).replace(/'[^']*'/g, "''");
  const found = { head, apart: REPOSITORY.test(own), writes: WRITES.test(own) };
  kinds.set(sql, found);
  return found;
}

const spent = (outcomes) => {
  for (const { meta } of outcomes) counted.millis += meta.duration;
  return outcomes;
};
const home = (database, statements) => ((counted.home += 1), database.batch(statements).then(spent));
const away = (database, statements) => ((counted.repository += 1), database.batch(statements).then(spent));
const first = (outcomes) => outcomes[0]?.results[0]?.v;

/** The rows that the door asks, of one caller and one project: who has the token, and who made it. */
const DOOR = [
  ["users", "select u.* from tokens t join users u on u.id in (t.user_id, t.bot_id) where t.hash = ?1", "id", 0],
  ["projects", "select * from projects where id = ?1 or path_key = ?2", "id", 1],
  ["tokens", "select * from tokens where hash = ?1", "hash", 0],
  ["project_members", "select m.* from tokens t join project_members m on m.user_id = t.user_id where t.hash = ?1 and m.project_id = ?2", null, 2],
  ["group_members", "select m.* from tokens t join group_members m on m.user_id = t.user_id where t.hash = ?1 and m.group_id = ?2", null, 3],
];

/** Makes REPO_1's copies of those rows what DB has. */
async function refresh(db, repo, statement) {
  counted.refreshed += 1;
  const [, hash, , , place] = statement.params;
  const [id, path] = JSON.parse(place);
  const project = await db.prepare("select id, namespace_id from projects where id = ?1 or path_key = ?2").bind(id, path).first();
  const user = await db.prepare("select user_id from tokens where hash = ?1").bind(hash).first();
  const binds = [[hash], [id, path], [hash, project?.id ?? 0], [hash, project?.namespace_id ?? 0]];
  const found = await home(db, DOOR.map(([, sql, , at]) => db.prepare(sql).bind(...binds[at])));
  const steps = [
    repo.prepare("delete from project_members where user_id = ?1 and project_id = ?2").bind(user?.user_id ?? 0, project?.id ?? 0),
    repo.prepare("delete from group_members where user_id = ?1 and group_id = ?2").bind(user?.user_id ?? 0, project?.namespace_id ?? 0),
  ];
  found.forEach(({ results }, at) => {
    const [table, , key] = DOOR[at];
    for (const row of results) {
      const columns = Object.keys(row);
      const places = columns.map((_, number) => `?${number + 1}`);
      const kept = columns.filter((column) => column !== key).map((column) => `${column} = excluded.${column}`);
      const clash = key ? ` on conflict (${key}) do update set ${kept}` : "";
      steps.push(repo.prepare(`insert into ${table} (${columns}) values (${places})${clash}`).bind(...Object.values(row)));
    }
  });
  await away(repo, steps);
}

/** A door by itself; its binds are the first of any statement's. */
const door = (database, { statement, params }) => database.prepare(kind(statement).head).bind(...params.slice(0, HEAD));

async function apart(db, repo, statements) {
  const asked = statements.find(({ statement }) => kind(statement).head);
  // what follows a door that was passed
  if (!asked) return away(repo, statements);
  const writes = statements.some(({ statement }) => kind(statement).writes);
  for (let attempt = 0; attempt < 2; attempt++) {
    counted.steps += 1;
    // a write waits for the doors, a read does not
    const there = writes ? [door(repo, asked)] : statements;
    const [here, said] = await Promise.all([home(db, [door(db, asked)]), away(repo, there)]);
    if (first(here) === first(said)) {
      if (!writes) return said;
      counted.steps += 1;
      return away(repo, statements);
    }
    if (attempt === 0) await refresh(db, repo, asked);
  }
  throw new Error("D1_ERROR: the copies of the door's rows do not become the same");
}

function taken(db, repo) {
  return new Proxy(db, {
    get(target, name) {
      if (name !== "batch") {
        const member = Reflect.get(target, name, target);
        return typeof member === "function" && name !== "constructor" ? member.bind(target) : member;
      }
      return (statements) => {
        if (statements.some(({ statement }) => kind(statement).apart)) return apart(target, repo, statements);
        counted.steps += 1;
        return home(target, statements);
      };
    },
  });
}

export default {
  fetch(request, env) {
    if (new URL(request.url).pathname === "/counted") {
      const told = Response.json(counted);
      Object.assign(counted, { home: 0, repository: 0, steps: 0, refreshed: 0, millis: 0 });
      return told;
    }
    return Worker.fetch(request, { ...env, DB: env.APART === "1" ? taken(env.DB, env.REPO_1) : counting(env.DB) });
  },
};

/** One database, counted in the same way. */
function counting(db) {
  return new Proxy(db, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (name === "batch") return (statements) => ((counted.steps += 1), home(target, statements));
      return typeof member === "function" && name !== "constructor" ? member.bind(target) : member;
    },
  });
}
