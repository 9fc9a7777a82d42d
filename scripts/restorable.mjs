// Rewrites what `wrangler d1 export` wrote so that D1 takes it back:
//
//   node scripts/restorable.mjs EXPORTED.sql RESTORABLE.sql
//
// An export fills each table right after it is created, and a row cannot be inserted before the tables that it refers
// to exist; and it writes a row as one statement however long, where D1 takes 100,000 bytes. Here all tables come
// first, and a long text is inserted in pieces. Indexes and triggers come last in both, so that nothing is counted twice.
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { pathToFileURL } from "node:url";

/** UTF-16 units of one piece; each takes three bytes at most. */
const PIECE = 20_000;

/** Bytes of a statement that may pass as it is. */
const SHORT = 90_000;

/** A file's lines, their ends kept; a carriage return is a character like any other. */
function* linesOf(file) {
  const source = openSync(file, "r");
  try {
    const decoder = new StringDecoder("utf8");
    const buffer = Buffer.alloc(1 << 20);
    let rest = "";
    for (let length; (length = readSync(source, buffer)) > 0; ) {
      const lines = (rest + decoder.write(buffer.subarray(0, length))).split("\n");
      rest = lines.pop();
      for (const line of lines) yield `${line}\n`;
    }
    rest += decoder.end();
    if (rest) yield `${rest}\n`;
  } finally {
    closeSync(source);
  }
}

/** The statements up to the first index, trigger or view; then the remaining lines one by one, as { tail }. */
function* statementsOf(file) {
  let lines = [];
  let quote = "";
  let tail = false;
  for (const line of linesOf(file)) {
    tail ||= lines.length === 0 && /^CREATE (UNIQUE |TEMP )?(INDEX|TRIGGER|VIEW)\b/i.test(line);
    if (tail) {
      yield { tail: line };
      continue;
    }
    lines.push(line);
    let code = "";
    for (const [part] of line.matchAll(/'|"|--|[^'"-]+|-/g)) {
      if (quote) quote = part === quote ? "" : quote;
      else if (part === "--") break;
      else if (part === "'" || part === '"') quote = part;
      else code = part;
    }
    if (!quote && code.trimEnd().endsWith(";")) {
      yield { statement: lines.join("") };
      lines = [];
    }
  }
  if (lines.join("").trim()) throw new Error("the export ends within a statement");
}

/** What stands between the parentheses of VALUES(..), apart. */
function valuesOf(text) {
  const values = [];
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === "'") {
      do at = text.indexOf("'", at + 1) + 1;
      while (text[at] === "'");
    }
    if (at >= text.length || text[at] === ",") {
      values.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return values;
}

/** A literal's text in pieces that are literals themselves. */
function piecesOf(literal) {
  const text = literal.slice(1, -1).replaceAll("''", "'");
  const pieces = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE, text.length);
    // a character of two units stays whole
    if (to < text.length && /[\uD800-\uDBFF]/.test(text[to - 1])) to += 1;
    pieces.push(`'${text.slice(from, to).replaceAll("'", "''")}'`);
    from = to;
  }
  return pieces;
}

/** An insert, and updates that append what is too long for it to the row, which its whole numbers tell apart. */
export function inPieces(insert) {
  const parts = /^(INSERT INTO ("\w+") \(([^)]*)\) VALUES\()(.*)\);\s*$/s.exec(insert);
  if (!parts) throw new Error(`a statement too long for D1: ${insert.slice(0, 80)}..`);
  const [, head, table, names, list] = parts;
  const columns = names.split(",");
  const values = valuesOf(list);
  const key = columns.filter((_, at) => /^-?\d+$/.test(values[at])).map((column) => `${column} = ${values[columns.indexOf(column)]}`);
  if (values.length !== columns.length || key.length === 0) throw new Error(`a row of ${table} cannot be taken apart`);
  const updates = [];
  columns.forEach((column, at) => {
    if (values[at].length <= PIECE || values[at][0] !== "'") return;
    const [first, ...others] = piecesOf(values[at]);
    values[at] = first;
    for (const piece of others) updates.push(`UPDATE ${table} SET ${column} = ${column} || ${piece} WHERE ${key.join(" AND ")};\n`);
  });
  return [`${head}${values.join(",")});\n`, ...updates];
}

/** The statements of an export in an order and of a length that D1 takes. */
export function* restorable(file) {
  const isTable = (statement) => /^(CREATE TABLE|PRAGMA)\b/i.test(statement);
  for (const { statement } of statementsOf(file)) if (statement && isTable(statement)) yield statement;
  for (const { statement, tail } of statementsOf(file)) {
    if (tail) yield tail;
    else if (isTable(statement)) continue;
    else if (Buffer.byteLength(statement) <= SHORT) yield statement;
    else yield* inPieces(statement);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [from, to] = process.argv.slice(2);
  const target = openSync(to, "w", 0o600);
  for (const text of restorable(from)) writeSync(target, text);
  closeSync(target);
}
