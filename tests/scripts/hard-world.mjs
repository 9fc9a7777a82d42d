// A database that is hard to copy: the project's schema, unusual tables, and texts that break readers of SQL.
import { Sqlite } from "./sqlite.mjs";

/** Pseudorandom numbers below a limit, the same in every run. */
export function random(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

// without NUL: node:sqlite ends a text there
const scraps = [
  ..."\n\r\t'\";\\`[$ a0é🎉",
  "\u0001\u001f\u007f\u0085\u2028\u202e\ufeff\uffff",
  ..."\\n|\r\n|''|;\n|--|/*|END;|%s|?1|:a|replace(|char(10)|x'00'|NULL".split("|"),
];

export function text(next, length) {
  let made = "";
  while (made.length < length) made += scraps[next(scraps.length)];
  return made;
}

/** Tables with unusual keys, types and references. */
export const awkward = `
create table counted (n integer not null) strict;
insert into counted values (0);
create table hard (id integer primary key, t text, b blob, r real, n integer, with_default text not null default 'it''s; "so"') strict;
create table keyed (a text not null, b integer not null, v text, primary key (a, b)) strict, without rowid;
create table named (name text primary key, v text) strict;
create table bare (v text) strict;
create table tree (id integer primary key, parent integer references tree (id)) strict;
create table hen (id integer primary key, egg integer references egg (id)) strict;
create table egg (id integer primary key, hen integer not null references hen (id)) strict;
create table numbered (id integer primary key autoincrement, v text) strict;
create trigger count_more after insert on hard BEGIN update counted set n = n + 1; END;
create trigger count_less after delete on hard BEGIN update counted set n = n - 1; END;
create view hard_view as select id from hard;`;

/** A random change of one row: `writer(file, next)()`. */
function writer(file, next) {
  const prepared = new Map();
  const run = (sql, ...values) => {
    if (!prepared.has(sql)) prepared.set(sql, file.prepare(sql));
    return prepared.get(sql).run(...values);
  };
  const value = () => (next(20) === 0 ? null : text(next, next(100) === 0 ? 60_000 : next(120)));
  const long = () => BigInt(next(2 ** 31)) * 4_294_967_295n;
  let people = 0;
  const additions = [
    () => run("insert into hard (t, b, r, n) values (?, ?, ?, ?)", value(), Buffer.from(text(next, next(40))), next(1000) / 7, long()),
    () => run("insert or replace into keyed values (?, ?, ?)", text(next, next(3)), next(50), value()),
    () => run("insert or ignore into named values (?, ?)", text(next, 8), value()),
    () => run("insert into bare values (?)", value()),
    () => run("insert into tree (parent) values ((select max(id) from tree))"),
    () => run("insert into hen (egg) values ((select max(id) from egg))"),
    () => run("insert into egg (hen) select max(id) from hen having max(id) is not null"),
    () => run("insert into numbered (v) values (?)", value()),
    () => {
      people += 1;
      const [id, name] = [100 + people, `user${people}`];
      run("insert into namespaces (id, kind, path, path_key) values (?, 'user', ?, ?)", id, name, name);
      run(
        "insert into users (id, username, name, email, email_key, bio, created_at) values (?, ?, ?, ?, ?, ?, 1)",
        id,
        name,
        text(next, 9),
        name,
        name,
        value(),
      );
    },
    () => {
      // the user of a project's token
      people += 1;
      const [id, name] = [-100 - people, `bot${people}`];
      run("insert into namespaces (id, kind, path, path_key) values (?, 'user', ?, ?)", id, name, name);
      run(
        "insert into users (id, username, name, email, email_key, created_at) values (?, ?, ?, ?, ?, 1)",
        id,
        name,
        text(next, 9),
        name,
        name,
      );
      run(
        "insert into tokens (hash, id, user_id, scopes, name, created_at, revoked_at) values (?, ?, 1, 2, ?, 1, 1)",
        name,
        people,
        text(next, 9),
      );
    },
  ];
  const changes = [
    () => run("update hard set t = ?, n = n / 2 where id = (select min(id) + ? from hard)", value(), next(500)),
    () => run("delete from hard where id = (select min(id) + ? from hard)", next(500)),
    () => run("update tree set parent = (select max(id) from tree) where id = ?", 1 + next(50)),
    () => run("update or ignore keyed set b = b + 1, v = ? where b = ?", value(), next(50)),
    () => run("delete from keyed where b = ?", next(50)),
    () => run("delete from numbered where id = (select max(id) from numbered)"),
    () => run("update or ignore named set name = name || 'x' where v is null"),
    () => run("delete from bare where rowid = (select max(rowid) from bare)"),
    () => run("update users set bio = ? where id = (select max(id) from users)", value()),
  ];
  return () => (next(5) === 0 ? changes[next(changes.length)]() : additions[next(additions.length)]());
}

/** `{ database, write, next }`, after this many changes. */
export function world(happened) {
  const database = Sqlite.migrated();
  database.file.exec(awkward);
  const next = random(7);
  const write = writer(database.file, next);
  database.file.exec("begin");
  for (let n = 0; n < happened; n++) write();
  database.file.exec("commit");
  return { database, write, next };
}
