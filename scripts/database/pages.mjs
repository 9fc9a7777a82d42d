// A table read page by page, each page one question of about as many bytes, so that others are answered in between.
import { literal, quoted } from "./literals.mjs";
import { received, selected } from "./schema.mjs";

/** Bytes of a page, beyond which it ends; one row may be longer. */
const PAGE = 2_000_000;

/** Rows looked at to find where a page ends: at least, at most. */
const FEWEST = 20;
const MOST = 5_000;

/** Yields pages: arrays of rows, each `{ key, row }` with the values of the table's key and of its columns. */
export async function* pagesOf(database, table, extend) {
  const keyColumns = table.key.map((name) => table.columns.find((column) => column.name === name) ?? { name, text: false });
  const order = table.key.map((name) => `t.${quoted(name)}`).join(", ");
  // lengths are in a row's head: asking for them does not read the texts
  const bytes = table.columns.map(({ name, text }) => (text ? `coalesce(octet_length(t.${quoted(name)}), 0)` : "20")).join(" + ");
  const columns = [...keyColumns, ...table.columns].map((column, n) => `${selected(column)} AS c${n}`).join(", ");
  let after = null;
  for (let many = 200; ; ) {
    await extend();
    const where = after ? `WHERE (${order}) > (${after.map(keyLiteral).join(", ")})` : "";
    const [rows] = await database.query([
      `WITH sizes AS MATERIALIZED (SELECT ${order}, ${bytes} AS bytes FROM ${quoted(table.name)} t ${where} ORDER BY ${order} LIMIT ${many})
      SELECT (SELECT count(*) FROM sizes) AS looked, ${columns} FROM ${quoted(table.name)} t ${where} ORDER BY ${order}
      LIMIT (SELECT max(1, count(*)) FROM (SELECT sum(bytes) OVER (ORDER BY ${keyColumns.map(({ name }) => quoted(name)).join(", ")} ROWS UNBOUNDED PRECEDING) AS total FROM sizes)
        WHERE total <= ${PAGE})`,
    ]);
    if (rows.length === 0) return;
    const page = rows.map((row) => ({
      key: keyColumns.map((column, n) => received(column, row[`c${n}`])),
      row: table.columns.map((column, n) => received(column, row[`c${keyColumns.length + n}`])),
    }));
    yield page;
    const { looked } = rows[0];
    if (rows.length === looked && looked < many) return;
    after = page.at(-1).key;
    many = Math.min(MOST, Math.max(FEWEST, 2 * rows.length));
  }
}

/** As bytes, so that no reader of the question trips over what a text holds. */
export const keyLiteral = (value) =>
  typeof value === "string" ? `CAST(X'${Buffer.from(value).toString("hex")}' AS TEXT)` : literal(value);
