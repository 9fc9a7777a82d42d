// Reads a table in pages of about the same size, so that other requests are answered in between.
import { literal, quoted } from "./literals.mjs";
import { received, selected } from "./schema.mjs";

/** The size of a page in bytes. A single row may be longer. */
const PAGE = 2_000_000;

/** The least and the most rows examined to find the end of a page. */
const FEWEST = 20;
const MOST = 5_000;

/** Yields pages: arrays of `{ key, row }`, the values of the table's key and of its columns. */
export async function* pagesOf(database, table, extend) {
  const keyColumns = table.key.map((name) => table.columns.find((column) => column.name === name) ?? { name, text: false });
  const order = table.key.map((name) => `t.${quoted(name)}`).join(", ");
  // lengths are stored in a row's head, so reading them does not read the texts
  const bytes = table.columns.map(({ name, text }) => (text ? `coalesce(octet_length(t.${quoted(name)}), 0)` : "20")).join(" + ");
  const columns = [...keyColumns, ...table.columns].map((column, n) => `${selected(column)} AS c${n}`).join(", ");
  /** @type {any[] | null} */
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

/** As hexadecimal bytes, so that the content of a text cannot break the query. */
export const keyLiteral = (value) =>
  typeof value === "string" ? `CAST(X'${Buffer.from(value).toString("hex")}' AS TEXT)` : literal(value);
