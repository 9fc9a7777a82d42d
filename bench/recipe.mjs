// From the batches that bench/record.mjs noted of one request: the statements for the yardstick, each bind with the place
// that the yardstick takes it from.

/** Where the yardstick is to take a bind from: the request, an earlier trip's rows, the clock, or nowhere. */
function source(value, known) {
  if (typeof value === "number" && Math.abs(value - Date.now()) < 60_000) return { from: "now" };
  const name = value === null ? undefined : Object.keys(known).find((name) => known[name] === value);
  if (name) return { from: name };
  if (typeof value === "string" && ["hash", "sha", "name"].some((name) => name in known && value.includes(known[name])))
    throw new Error(`a bind the yardstick cannot make: ${value}`);
  return { value };
}

/** `{"place": {"id": 1}}` as `{"row0.place.id": 1}`. */
function flat(value, path) {
  if (value === null || typeof value !== "object") return { [path]: value };
  return Object.assign({}, ...Object.entries(value).map(([key, inner]) => flat(inner, `${path}.${key}`)));
}

/** `known`: names and values of what the request varies. */
export function recipe(trips, known) {
  return trips.map(({ statements, rows }) => {
    const batch = statements.map(({ sql, binds }) => ({ sql, binds: binds.map((value) => source(value, known)) }));
    // the next trip may be bound to what this one found out
    rows[0].forEach((row, n) => Object.assign(known, flat(JSON.parse(row), `row${n}`)));
    return batch;
  });
}
