// Values as portable SQL: printable characters, one line, statements below D1's 100,000 bytes.
//
// A value is null, a string, or `{ literal }`, the result of SQLite's `quote()`. D1 returns these without loss.

/** The longest statement in bytes; D1's limit is 100,000. */
export const LONGEST = 90_000;

/**
 * The most values in a statement. workerd allows a statement 25,000 instructions. SQLite doubles its list of them and
 * reports that memory ran out when the next doubling passes that limit, at 21,504. A value takes five at most.
 * https://github.com/cloudflare/workerd/blob/main/src/workerd/util/sqlite.c++ (SQLITE_LIMIT_VDBE_OP)
 */
export const MOST_VALUES = 4_000;

/** The longest literal in bytes inside its row's statement. */
const SHORT = 16_000;

/** UTF-16 units in a piece of a longer text; each takes six bytes at most. */
const PIECE = 14_000;

/** The table with the pieces of a long value until its row is inserted. */
export const PIECES = "restore_pieces";

export const createPieces = `CREATE TABLE ${PIECES} (value INTEGER NOT NULL, n INTEGER NOT NULL, piece TEXT NOT NULL, PRIMARY KEY (value, n)) STRICT`;

export const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

// control characters, and those that some tools treat as a line's end or drop
const odd = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;
const unescaped = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A text as SQL. Other characters are escaped as in JSON, which SQLite decodes. */
export function textLiteral(text) {
  if (!odd.test(text)) return `'${text.replaceAll("'", "''")}'`;
  const json = JSON.stringify(text).replace(unescaped, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `'${json.replaceAll("'", "''")}'->>'$'`;
}

export function literal(value) {
  if (value === null) return "NULL";
  return typeof value === "string" ? textLiteral(value) : value.literal;
}

/** The literals of a long value. Concatenated as texts they are its bytes. */
function piecesOf(value) {
  const pieces = [];
  if (typeof value === "string") {
    for (let from = 0; from < value.length; ) {
      let to = Math.min(from + PIECE, value.length);
      // do not split a character of two units
      if (to < value.length && /[\uD800-\uDBFF]/.test(value[to - 1])) to -= 1;
      pieces.push(textLiteral(value.slice(from, to)));
      from = to;
    }
  } else {
    const digits = value.literal.slice(2, -1);
    for (let from = 0; from < digits.length; from += 4 * PIECE) pieces.push(`CAST(X'${digits.slice(from, from + 4 * PIECE)}' AS TEXT)`);
  }
  return pieces;
}

/** The statements that insert rows (arrays of values) into a table, in order. */
export async function* inserts(table, columns, rows) {
  const head = `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(",")}) VALUES `;
  let list = [];
  let bytes = 0;
  for await (const row of rows) {
    const values = row.map(literal);
    let tuple = `(${values.join(",")})`;
    const size = Buffer.byteLength(tuple);
    const whole = size <= SHORT || (size <= LONGEST - 2_000 && values.every((one) => Buffer.byteLength(one) <= SHORT));
    if (list.length && (!whole || bytes + size > LONGEST - 2_000 || (list.length + 1) * columns.length > MOST_VALUES)) {
      yield head + list.join(",");
      list = [];
      bytes = 0;
    }
    if (whole) {
      list.push(tuple);
      bytes += size + 1;
      continue;
    }
    // a row of very many columns may be too long even if no value is
    const rest = values.map((one) => Buffer.byteLength(one)).filter((length) => length <= SHORT);
    const limit = rest.reduce((sum, length) => sum + length, 0) > LONGEST - 2_000 ? 500 : SHORT;
    for (const [at, value] of values.entries()) {
      if (Buffer.byteLength(value) <= limit) continue;
      let n = 0;
      for (const piece of piecesOf(row[at])) yield `INSERT INTO ${PIECES} VALUES (${at},${n++},${piece})`;
      const joined = `(SELECT group_concat(piece,'') FROM (SELECT piece FROM ${PIECES} WHERE value=${at} ORDER BY n))`;
      values[at] = typeof row[at] === "string" ? joined : `CAST(${joined} AS BLOB)`;
    }
    tuple = `(${values.join(",")})`;
    yield head + tuple;
    yield `DELETE FROM ${PIECES}`;
  }
  if (list.length) yield head + list.join(",");
}
