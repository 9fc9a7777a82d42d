// The calls of D1 for src/worker/database.rs. A batch is one call out of wasm and one string back.

/** The prepared statements, by the keys of database.rs. */
const prepared = new Map();

/** A row with only the column `row` or `v` is already JSON; another row becomes the JSON object of its columns. */
const rows = (results) => {
  if (!results?.length) return [];
  const names = Object.keys(results[0]);
  const only = names.length === 1 && (names[0] === "row" || names[0] === "v") ? names[0] : undefined;
  return results.map((row) => (only ? (row[only] ?? "null") : JSON.stringify(row)));
};

const answer = ({ results, meta }) =>
  [`${meta.duration ?? 0} ${meta.rows_read ?? 0} ${meta.rows_written ?? 0}`, ...rows(results)].join("\0");

/** `statements`: JSON [[key, text, binds], ..]. The text is null if the key was sent before. */
export const batch = (database, constraint, statements) => {
  const place = constraint === undefined ? database : database.withSession(constraint);
  const bound = JSON.parse(statements).map(([key, text, binds]) => {
    // a text that is sent replaces what its key named: after a restart of wasm it may be another one
    const statement = text === null ? prepared.get(key) : database.prepare(text);
    if (key !== null) prepared.set(key, statement);
    return statement.bind(...binds);
  });
  return place.batch(bound).then((outcomes) => [place.getBookmark?.() ?? "", ...outcomes.map(answer)].join("\x01"));
};
