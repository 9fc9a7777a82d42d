// Who may do what in a database, and how to end again the access that going back to an older state revives.
//
// The states are compared row by row, because a removed member or a blocked user leaves no time behind, and retention
// deletes revoked tokens.
import { textLiteral } from "./literals.mjs";
import { pagesOf } from "./pages.mjs";

/** Columns of texts; all others have numbers. */
const TEXTS = ["hash", "state"];

const TABLES = {
  tokens: { key: ["hash"], columns: ["hash", "created_at", "revoked_at"] },
  users: { key: ["id"], columns: ["id", "state", "admin", "external", "created_at"] },
  groups: { key: ["id"], columns: ["id", "visibility", "created_at"] },
  projects: { key: ["id"], columns: ["id", "visibility", "created_at", "deleted_at"] },
  group_members: { key: ["user_id", "group_id"], columns: ["user_id", "group_id", "access", "created_at"] },
  project_members: { key: ["user_id", "project_id"], columns: ["user_id", "project_id", "access", "created_at"] },
};

const LISTED = 500;

/**
 * The access in a database: the rows of each table of TABLES. Revoked tokens and deleted projects are left out.
 * @param {any} database
 * @param {{ signal?: AbortSignal }} [options]
 */
export async function accessIn(database, { signal } = {}) {
  const access = { made: Date.now() };
  for (const [name, { key, columns }] of Object.entries(TABLES)) {
    const table = { name, key, columns: columns.map((column) => ({ name: column, text: TEXTS.includes(column) })) };
    const rows = [];
    for await (const page of pagesOf(database, table, async () => signal?.throwIfAborted())) {
      for (const { row } of page) rows.push(Object.fromEntries(columns.map((column, at) => [column, plain(row[at])])));
    }
    access[name] = rows.filter((row) => !row.revoked_at && !row.deleted_at);
  }
  return access;
}

const plain = (value) => (value === null || typeof value === "string" ? value : Number(value.literal));

/**
 * The access that `now`, the state that came back, has beyond `note`, the access before going back. Rows that were made
 * after `time` are left alone. A null note means that nothing is known: every token ends.
 *
 * A member of a group or project that is not in the note stays: it was deleted as a whole.
 */
export function ended(note, now, time) {
  const old = (name) => now[name].filter((row) => row.created_at <= time);
  const keyOf = (name) => (row) => TABLES[name].key.map((column) => row[column]).join();
  /** Old rows with the row of the note, which is undefined if there is none. */
  const pairs = (name) => {
    const noted = new Map((note?.[name] ?? []).map((row) => [keyOf(name)(row), row]));
    return old(name).map((row) => [row, noted.get(keyOf(name)(row))]);
  };
  const tokens = pairs("tokens")
    .filter(([, then]) => !then)
    .map(([{ hash }]) => hash);
  if (!note) return { tokens };
  const users = pairs("users").filter(([, then]) => then);
  const lessVisible = (name) =>
    pairs(name)
      .filter(([row, then]) => then && row.visibility > then.visibility)
      .map(([{ id }, then]) => [id, then.visibility]);
  const members = (name, places, place) => {
    const kept = new Set(places.map(({ id }) => id));
    const found = pairs(name).filter(([row]) => kept.has(row[place]));
    return {
      removed: found.filter(([, then]) => !then).map(([row]) => [row.user_id, row[place]]),
      lowered: found.filter(([row, then]) => then && row.access > then.access).map(([row, then]) => [row.user_id, row[place], then.access]),
    };
  };
  return {
    tokens,
    blocked: users.filter(([row, then]) => row.state === "active" && then.state !== "active").map(([{ id }, then]) => [id, then.state]),
    demoted: users.filter(([row, then]) => row.admin && !then.admin).map(([{ id }]) => id),
    external: users.filter(([row, then]) => !row.external && then.external).map(([{ id }]) => id),
    group_members: members("group_members", note.groups, "group_id"),
    project_members: members("project_members", note.projects, "project_id"),
    projects: lessVisible("projects"),
    groups: lessVisible("groups"),
  };
}

/**
 * Ends this access, in statements that may be repeated. Returns the number of changed rows by what happened to them.
 * @param {any} database
 * @param {any} ends
 * @param {any} at
 * @param {{ signal?: AbortSignal }} [options]
 */
export async function endAgain(database, ends, at, { signal } = {}) {
  const counts = {};
  const run = async (what, items = [], ...statements) => {
    counts[what] ??= 0;
    for (let from = 0; from < items.length; from += LISTED) {
      signal?.throwIfAborted();
      const list = `json_each(${textLiteral(JSON.stringify(items.slice(from, from + LISTED)))})`;
      const results = await database.query(statements.map((statement) => `${statement.replaceAll("LIST", list)} RETURNING 1`));
      counts[what] += results.at(-1).length;
    }
  };
  const pair = (...names) => `(SELECT ${names.map((name, n) => `value->>${n} AS ${name}`).join(", ")} FROM LIST) l`;
  await run(
    "tokens revoked",
    ends.tokens,
    `UPDATE tokens SET revoked_at = ${at} WHERE revoked_at IS NULL AND hash IN (SELECT value FROM LIST)`,
  );
  await run(
    "users blocked",
    ends.blocked,
    `UPDATE users SET state = l.state FROM ${pair("id", "state")} WHERE users.id = l.id AND users.state = 'active'`,
  );
  await run("administrators no longer", ends.demoted, "UPDATE users SET admin = 0 WHERE admin AND id IN (SELECT value FROM LIST)");
  await run("users made external", ends.external, "UPDATE users SET external = 1 WHERE NOT external AND id IN (SELECT value FROM LIST)");
  for (const [table, place] of [
    ["group_members", "group_id"],
    ["project_members", "project_id"],
  ]) {
    const { removed, lowered } = ends[table] ?? {};
    await run("memberships removed", removed, `DELETE FROM ${table} WHERE (user_id, ${place}) IN (SELECT value->>0, value->>1 FROM LIST)`);
    await run(
      "memberships lowered",
      lowered,
      `UPDATE ${table} SET access = l.access FROM ${pair("user_id", "place_id", "access")}
      WHERE ${table}.user_id = l.user_id AND ${table}.${place} = l.place_id AND ${table}.access > l.access`,
    );
  }
  await run(
    "projects made less visible",
    ends.projects,
    `UPDATE projects SET visibility = l.visibility FROM ${pair("id", "visibility")}
    WHERE projects.id = l.id AND projects.visibility > l.visibility`,
  );
  // a group is at least as visible as its projects, also those that were deleted when the note was made
  await run(
    "groups made less visible",
    ends.groups,
    `UPDATE projects SET visibility = l.visibility FROM ${pair("id", "visibility")} WHERE projects.namespace_id = l.id AND projects.visibility > l.visibility`,
    `UPDATE groups SET visibility = l.visibility FROM ${pair("id", "visibility")} WHERE groups.id = l.id AND groups.visibility > l.visibility`,
  );
  return counts;
}
