// The worlds of `make -C lab search`, what is searched for in them, and what a plain reading finds.
import { database } from "../../scripts/workerd.mjs";
import { dice } from "../contents/world.mjs";

const roll = dice(7);
const LETTERS = ["abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмнопрстуф", "日本語問題検索世界中国文字東京", "ابتثجحخدذرزسشصض", "éüößñçåø"];
const letters = (script, length) => Array.from({ length }, () => [...LETTERS[script]][roll([...LETTERS[script]].length)]).join("");
const WORDS = Array.from({ length: 8000 }, (_, at) => letters(at % 12 < 8 ? 0 : (at % 12) - 7, 2 + roll(9)));
/** Few words are common and most are rare, as in a language. */
const word = () => WORDS[Math.floor((roll(1000) / 1000) ** 4 * WORDS.length)];
const text = (length) => Array.from({ length }, word).join(roll(9) ? " " : "🦀, ");

/** Issues in projects, 10,000 milestones, and no index of words, as of a database that had none. */
export function fill(state, issues, projects) {
  const file = database(state);
  const [{ id: author }] = file.prepare("select id from users order by id limit 1").all();
  file.exec("begin");
  file.exec(`with recursive n(n) as (select 1 union all select n + 1 from n where n < ${projects})
    insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
    select 1000 + n, ${author}, ${author}, 'p' || n, 'p' || n, 'root/p' || n, 'root/p' || n, 'p', 20, 0, 0 from n;
    insert or ignore into issue_counts (project_id) select id from projects; insert or ignore into storage (project_id) select id from projects`);
  const add = file.prepare(`insert into issues (project_id, iid, author_id, title, description, confidential, created_at, updated_at)
    values (?, ?, ${author}, ?, ?, ?, ?, ?)`);
  const place = (at) => [1001 + (at % projects), 1 + Math.floor(at / projects)];
  for (let at = 0; at < issues; at++) add.run(...place(at), text(6), text(20 + roll(30)), roll(10) ? 0 : 1, at, at);
  const plan = file.prepare(
    "insert into milestones (project_id, iid, title, description, created_at, updated_at) values (?, ?, ?, ?, 0, 0)",
  );
  for (let at = 0; at < 10_000; at++) plan.run(...place(at), `${text(3)} ${at}`, text(20));
  file.exec("delete from unindexed_issues; update issue_index set below = (select max(id) + 1 from issues); commit");
  file.close();
}

/** What a file has that is searched for, the newest first. */
export function texts(state) {
  const file = database(state);
  const issues = file
    .prepare(
      "select i.id, t.title, t.description from issues i join issue_texts t using (id) where i.deleted_at is null order by i.created_at desc, i.id desc",
    )
    .all();
  const milestones = file.prepare("select id, title, description from milestones order by id desc").all();
  file.close();
  return { issues, milestones };
}

/** The ids that a plain reading finds: each word begins a word, or stands anywhere if it has letters that are not Latin. */
export function plainly(rows, search) {
  const words = search
    .toLowerCase()
    .split(/[^\p{Alphabetic}\p{N}]+/u)
    .filter(Boolean);
  if (!words.length) return [];
  const isLatin = (one) => [...one].every((letter) => letter <= "\u02c1");
  const pattern = (one) => new RegExp(isLatin(one) ? `(^|[^0-9a-zªµºÀ-ÖØ-öø-\u02c1])${one}` : one, "u");
  const patterns = words.map(pattern);
  const finds = (texts) => patterns.every((one) => texts.some((text) => one.test(text)));
  return rows.filter((row) => finds([row.title.toLowerCase(), (row.description ?? "").toLowerCase()])).map((row) => row.id);
}

export function queries(rows) {
  const some = () => rows[roll(rows.length)];
  const one = (row) => row.title.split(/[ ,🦀]+/u)[roll(5)] ?? "x";
  return [
    ..."aeiz1日аب".split(""),
    ...Array.from({ length: 40 }, () => one(some())),
    ...Array.from({ length: 30 }, () => one(some()).slice(0, 3)),
    ...Array.from({ length: 40 }, () => ((row) => `${one(row)} ${one(row)}`)(some())),
    ...Array.from({ length: 20 }, () => some().title),
    ...Array.from({ length: 20 }, () => `${one(some())} ${one(some())}`),
    ...Array.from({ length: 22 }, () => letters(roll(5), 12)),
    "🦀",
    '"',
    "a OR b",
    "NEAR(a b)",
    "title:a",
    "a*",
    "^a",
    "-a",
    "'; drop",
    "{title}",
    "a".repeat(200),
    "日".repeat(60),
    "a b c d e f g h i j",
    "%",
    "_",
    "\\",
    "#",
    "(",
    "a AND",
    "é",
    "É",
    "ß",
    "İ",
  ];
}
