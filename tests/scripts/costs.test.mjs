// lab/hostile/costs.txt: what each GET route cost at most in worlds that were made to be dear.
import assert from "node:assert/strict";
import { test } from "node:test";
import { APIS, questions } from "../../lab/cost-questions.mjs";
import { parametersOf } from "../../lab/described.mjs";
import { IS_A_FILE, MEASURES, MOST } from "../../lab/hostile/bounds.mjs";
import { kept, markOf } from "../../lab/hostile/costs.mjs";
import { document as v3 } from "../../openapi/index.mjs";
import { document as v4 } from "../../openapi/v4/index.mjs";

const costs = kept();
const isMeasured = ({ cells, mark }) => [...cells, mark].some((text) => text !== "-");
const again = "measure again with make -C lab hostile ONLY=routes, or write - in each column until the lab has measured it";

test("every GET route has its costs, or - until they are measured", () => {
  const read = ([api, { paths }]) =>
    Object.keys(paths)
      .filter((path) => paths[path].get)
      .map((path) => `${api} ${path}`);
  const routes = Object.entries({ v3, v4 }).flatMap(read);
  assert.deepEqual(
    routes.filter((route) => !costs.has(route)),
    [],
    again,
  );
  assert.deepEqual(
    [...costs.keys()].filter((route) => !routes.includes(route)),
    [],
    again,
  );
});

test("the figures of a route are the lab's, and not typed", () => {
  const isTyped = ([route, cost]) => isMeasured(cost) && markOf(route, cost.cells) !== cost.mark;
  assert.deepEqual([...costs].filter(isTyped), [], again);
  // a figure of another route, too
  const [[route, cost], [other]] = costs;
  assert.ok(isTyped([other, cost]) && isTyped([route, { ...cost, cells: cost.cells.with(1, "7") }]));
});

test("every filter of a list has values for make -C lab cost", () => {
  const missing = [];
  for (const { document, lists } of Object.values(APIS)) {
    for (const { get: described } of Object.values(document.paths)) {
      const list = lists[described?.operationId];
      const parameters = described ? parametersOf(document, described) : [];
      if (!list || !parameters.some(({ name }) => name === "per_page")) continue;
      try {
        questions(described, parameters, list);
      } catch (error) {
        missing.push(`${described.operationId}: ${error.message}`);
      }
    }
  }
  assert.deepEqual(missing, []);
});

test("no GET route costs more than the bounds", () => {
  const isBound = (route, measure) => measure !== "bytes" || !IS_A_FILE.test(route);
  const figuresOf = (cells) => cells.map((text) => Number(text.replaceAll(",", "")));
  const measured = [...costs].filter(([, cost]) => isMeasured(cost)).map(([route, { cells }]) => [route, figuresOf(cells)]);
  assert.ok(measured.length > 200, `${measured.length} routes`);
  const dear = measured.filter(([route, figures]) =>
    figures.some((figure, index) => isBound(route, MEASURES[index]) && !(figure <= MOST[MEASURES[index]])),
  );
  assert.deepEqual(dear, []);
});
