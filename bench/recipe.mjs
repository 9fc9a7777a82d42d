// From the batches that bench/record.mjs noted of one request: the statements for the yardstick, each bind with the place
// that the yardstick takes it from.

/** Where the yardstick is to take a bind from: the request, the clock, or nowhere. */
function source(value, known) {
  if (typeof value === "number" && Math.abs(value - Date.now()) < 60_000) return { from: "now" };
  const name = value === null ? undefined : Object.keys(known).find((name) => known[name] === value);
  if (name) return { from: name };
  // an issue that is named by its id and not by its number
  if (known.issue && value === `[${known.issue},null]`) return { from: "pair" };
  if (typeof value === "string" && ["hash", "sha", "name"].some((name) => name in known && value.includes(known[name])))
    throw new Error(`a bind the yardstick cannot make: ${value}`);
  return { value };
}

/** `known`: names and values of what the request varies. */
export function recipe(trips, known) {
  return trips.map(({ statements }) =>
    statements.map(({ sql, binds }) => ({ sql, binds: binds.map((value) => source(value, known)) })),
  );
}
