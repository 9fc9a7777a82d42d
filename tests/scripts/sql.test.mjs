// SQL is readable: no line is longer than 120 characters, and a clause begins a line or a parenthesis, unless its
// statement or subselect fits on one line. A parser of SQL reads every statement, because a piece is a whole expression,
// table, condition or statement, and never a fragment of one.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "sql-parser-cst";

/** Where the rule holds. */
const FOLDERS = ["migrations", "src"];
const LONGEST = 120;

const TOKEN = /(--[^\n]*)|'(?:[^']|'')*'|"[^"]*"|\n[ \t]*\n|:?[A-Za-z_][\w.]*|[^\s]/g;
const CLAUSES = new Set(["select", "from", "where", "having", "limit", "values", "set", "returning", "union", "window"]);
const JOINS = new Set(["cross", "left", "inner", "join"]);

/**
 * A word or sign, and whether it is the first of its line.
 * @typedef {{ text: string, line: number, isFirst: boolean }} Token
 */

/**
 * @param {string} sql
 * @returns {Token[]}
 */
const tokensOf = (sql) => {
  let [at, line] = [0, 1];
  const found = [];
  for (const match of sql.matchAll(TOKEN)) {
    line += sql.slice(at, match.index).split("\n").length - 1;
    at = match.index;
    const start = sql.lastIndexOf("\n", at - 1) + 1;
    if (!match[1]) found.push({ text: match[0].toLowerCase(), line, isFirst: !sql.slice(start, at).trim() });
  }
  return found;
};

/** @param {Token[]} tokens */
const isClause = (tokens, i) => {
  const [before, text, after] = [-1, 0, 1].map((step) => tokens[i + step]?.text ?? "");
  if (text === "group" || text === "order") return after === "by";
  if (text === "on") return after === "conflict";
  if (text === "set") return before !== "update" && after !== "null" && after !== "default";
  if (text === "from") return before !== "delete" && before !== "distinct";
  if (text === "values") return before !== "default";
  if (JOINS.has(text)) return (text === "join" || after === "join" || after === "outer") && !JOINS.has(before) && after !== "(";
  return CLAUSES.has(text);
};

/** The lines with a clause that should begin a line of its own. */
const crowded = (sql) => {
  const tokens = tokensOf(sql);
  const found = [];
  const unit = () => ({ first: 0, last: 0, clauses: [] });
  const end = ({ first, last, clauses }) => {
    if (first !== last) found.push(...clauses.filter(({ isFirst }) => !isFirst).map(({ line }) => line));
  };
  const open = [unit()];
  tokens.forEach((token, i) => {
    const { text, line } = token;
    const isRoot = open.length === 1;
    // a trigger, a view and a table of WITH have statements of their own
    const begins = text === "select" && isRoot && tokens[i - 1]?.text === "as";
    if (isRoot && (text === ";" || text === "begin" || begins || !text.trim())) {
      end(open[0]);
      open[0] = unit();
    }
    if (text === ";" || text === "begin" || !text.trim()) return;
    if (text === ")" && open.length > 1) end(open.pop());
    const now = open[open.length - 1];
    now.first ||= line;
    now.last = line;
    if (isClause(tokens, i) && tokens[i - 1]?.text !== "(") now.clauses.push(token);
    if (text === "(") open.push({ ...unit(), first: line });
  });
  open.forEach(end);
  return [...new Set(found)].sort((a, b) => a - b);
};

const files = execFileSync("git", ["ls-files", ...FOLDERS.map((folder) => `${folder}/**.sql`)], { encoding: "utf8" })
  .split("\n")
  .filter(Boolean);
const sources = files.map((path) => ({ path, sql: readFileSync(path, "utf8") }));

test("no line of SQL is longer than 120 characters", () => {
  const long = sources.flatMap(({ path, sql }) =>
    sql.split("\n").flatMap((line, i) => (line.length > LONGEST ? [`${path}:${i + 1}`] : [])),
  );
  assert.ok(files.length);
  assert.deepEqual(long, []);
});

test("a clause of SQL begins a line or a parenthesis, unless its statement fits on one", () => {
  const found = sources.flatMap(({ path, sql }) => crowded(sql).map((line) => `${path}:${line}`));
  assert.deepEqual(found, []);
});

test("a clause in the middle of a statement of several lines is found", () => {
  assert.deepEqual(crowded("select a from b where c"), []);
  assert.deepEqual(crowded("select a\nfrom b\nwhere c in (select d from e where f)"), []);
  assert.deepEqual(crowded("create view v as\nselect a from b;\n\nselect a, 'x\nfrom' as c from b"), [5]);
  assert.deepEqual(crowded("select a from b\nwhere c in (select d\n  from e limit 1)\norder by a"), [1, 3]);
  assert.deepEqual(crowded("select a\nfrom b cross join c on c.a = b.a\nleft join d on true"), [2]);
  assert.deepEqual(crowded("-- from here\nupdate a set b = 1\nwhere c is distinct from 1"), [2]);
  assert.deepEqual(crowded("insert into a (b) values (1)\non conflict do update set b = 2"), [1]);
});

/** The words of a list in several orders, as one of them. */
const WORDS = { way: "desc", beyond: "<" };

/** Where the brace at `from` ends. */
const braceEnd = (text, from) => {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    depth += Number(text[i] === "{") - Number(text[i] === "}");
    if (depth === 0) return i;
  }
  return text.length;
};

/**
 * The statement with a name in the place of each piece: the name of a column, a table or a condition, or a select where
 * a whole one stands.
 * @param {string} text
 */
const withNames = (text) => {
  let [out, at] = ["", 0];
  while (at < text.length) {
    if (text[at] !== "{") {
      out += text[at++];
      continue;
    }
    const end = braceEnd(text, at);
    const [name = ""] = text.slice(at + 1, end).match(/^\w+/) ?? [];
    const [before, after] = [out.trimEnd(), text.slice(end + 1).trimStart()];
    const isWhole =
      (before === "" && after.startsWith(";")) ||
      (/\bas( not)?( materialized)? \($/.test(before) && /^([),]|limit\b)/.test(after)) ||
      /\bunion( all)?$/.test(before) ||
      /^union\b/.test(after);
    out += WORDS[name] ?? (isWhole ? `select piece_${name}` : `piece_${name}`);
    at = end + 1;
  }
  // a word of other dialects
  return out.replace(/\bgroups\b/g, "groups_");
};

/** The statements of a file of the Worker: name and text. */
const statementsOf = (sql) =>
  sql
    .split(/^(?=-- (?:name|list|piece): )/m)
    .slice(1)
    .filter((block) => !block.startsWith("-- piece"))
    .map((block) => {
      const code = block.split("\n").filter((line) => !line.trim().startsWith("--"));
      return [block.split("\n")[0].slice("-- name: ".length), code.join("\n").trim()];
    });

/** Why a parser of SQL refuses the statement. */
const flaw = (text) => {
  try {
    parse(withNames(text), { dialect: "sqlite", paramTypes: [":name", "?nr"] });
    return "";
  } catch (error) {
    return String(error.message).split("\n")[0];
  }
};

test("a parser of SQL reads every statement, with a name for each piece", () => {
  const statements = sources
    .filter(({ path }) => path.startsWith("src/"))
    .flatMap(({ path, sql }) => statementsOf(sql).map(([name, text]) => ({ at: `${path} ${name}`, text })));
  assert.ok(statements.length > 600, `${statements.length} statements`);
  assert.deepEqual(
    statements.flatMap(({ at, text }) => (flaw(text) ? [`${at}: ${flaw(text)}`] : [])),
    [],
  );
});

test("a piece that is a fragment is refused", () => {
  for (const whole of ["select {a}, b from {c} where {d(x, {e})};", "with x as ({y}) select 1 from x;", "{z(1)};"])
    assert.equal(flaw(whole), "", whole);
  for (const part of ["select a from b c {where};", "with {c} select 1;", "{d}\nselect 1;"]) assert.notEqual(flaw(part), "", part);
});
