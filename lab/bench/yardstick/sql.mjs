// Statements as template strings: a value becomes a bind, a part that is itself `sql` becomes text.
//
//   sql`select * from issues i where i.id = ${id} ${onlyOpened ? sql`and i.state = 'opened'` : sql``}`

class Sql {
  constructor(text, binds = []) {
    this.text = text;
    this.binds = binds;
  }
}

export function sql(texts, ...values) {
  const binds = [];
  let text = texts[0];
  values.forEach((value, n) => {
    if (value instanceof Sql) {
      text += value.text;
      binds.push(...value.binds);
    } else {
      text += "?";
      binds.push(value ?? null);
    }
    text += texts[n + 1];
  });
  return new Sql(text, binds);
}

/** Text for a column, a constant or the direction of an order. Never use it for a client's input. */
export const raw = (text) => new Sql(String(text));

/** Conditions, each with an `and` before it. */
export const and = (conditions) => conditions.reduce((text, one) => sql`${text} and ${one}`, sql``);

/** Runs statements in one transaction. Returns the rows of each, and adds their cost to `cost`. */
export async function batch(database, statements, cost) {
  const prepared = statements.map(({ text, binds }) => database.prepare(text).bind(...binds));
  const answers = await database.batch(prepared);
  cost.trips += 1;
  return answers.map(({ results, meta }) => {
    cost.read += meta.rows_read;
    cost.written += meta.rows_written;
    cost.millis += meta.duration;
    return results;
  });
}
