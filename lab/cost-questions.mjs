// The queries that lab/cost.mjs asks of each list.
import { document as v3 } from "../openapi/index.mjs";
import { document as v4 } from "../openapi/v4/index.mjs";
import { lists as ofV3 } from "./cost-v3.mjs";
import { lists as ofV4 } from "./cost-v4.mjs";
import { wordsOf } from "./described.mjs";

/**
 * The description and the table of each API. The table has for each list of the description:
 *
 * - `at`: its paths in the worlds, if they are not the description's with the values of PLACES;
 * - `as`: the caller; `olga` by default;
 * - `elsewhere`: its rows are objects, which these worlds do not have; lab/hostile measures it;
 * - `free`: the values of its parameters. Enumerations and booleans come from the description;
 * - `far`: the keys of a cursor far in. By default the second page is measured.
 */
export const APIS = { v3: { document: v3, lists: ofV3 }, v4: { document: v4, lists: ofV4 } };

/** Up to this number of queries a list is measured in every combination of its filters, above it in every pair. */
const MOST_COMBINED = 700;

/** All ways to choose one of each. */
const product = (choices) =>
  Object.entries(choices).reduce((ways, [name, values]) => ways.flatMap((way) => values.map((value) => ({ ...way, [name]: value }))), [{}]);

/** All ways to choose one of each of at most two, and the first of the others. */
function pairs(choices) {
  const others = Object.entries(choices).flatMap(([name, [, ...values]]) => values.map((value) => [name, value]));
  const first = Object.fromEntries(Object.entries(choices).map(([name, [value]]) => [name, value]));
  const chosen = [first, ...others.map(([name, value]) => ({ ...first, [name]: value }))];
  others.forEach(([name, value], at) => {
    for (const [further, other] of others.slice(at + 1)) if (further !== name) chosen.push({ ...first, [name]: value, [further]: other });
  });
  return chosen;
}

/** Every query of a list. The order and its direction are one choice. */
export function questions(described, parameters, list) {
  const choices = { ...list.free };
  const order = {};
  for (const { name, in: place, schema } of parameters) {
    if (place !== "query" || name in choices || ["page", "per_page", "cursor", "pagination"].includes(name)) continue;
    const known = wordsOf(schema);
    if (!known) throw new Error(`${described.operationId}: ${name} has no values: add them to \`free\` in its table`);
    (["order_by", "sort"].includes(name) ? order : choices)[name] =
      schema.default === undefined ? [undefined, ...known] : [schema.default, ...known.filter((word) => word !== schema.default)];
  }
  choices.order = product(order).map((way) => JSON.stringify(way));
  const count = Object.values(choices).reduce((ways, values) => ways * values.length, 1);
  const chosen = count <= MOST_COMBINED ? product(choices) : pairs(choices);
  return chosen.map(({ order: way, ...others }) => ({ ...others, ...JSON.parse(way) }));
}
