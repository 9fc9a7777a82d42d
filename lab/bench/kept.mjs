// Compares the yardstick's stored records with ours, after both got the same requests. Ours are a copy in the
// yardstick's tables. Times of writes differ, and are left out.
//
//   node lab/bench/kept.mjs --ours STATE --yardstick STATE
import { parseArgs } from "node:util";
import { database } from "../../scripts/workerd.mjs";

const { values: given } = parseArgs({ options: { ours: { type: "string" }, yardstick: { type: "string" } } });
const [ours, yardstick] = [given.ours, given.yardstick].map((state) => database(state, { readOnly: true }));

function rowsOf(opened, table) {
  const columns = opened
    .prepare("select name from pragma_table_info(?)")
    .all(table)
    .map(({ name }) => name);
  const kept = columns.filter((name) => !name.endsWith("_at"));
  return new Set(
    opened
      .prepare(`select json_array(${kept.join(", ")}) as row from ${table}`)
      .all()
      .map(({ row }) => row),
  );
}

let differing = 0;
const tables = yardstick.prepare("select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\'").all();
for (const { name } of tables) {
  const [a, b] = [ours, yardstick].map((opened) => rowsOf(opened, name));
  const [missing, extra] = [a.difference(b), b.difference(a)];
  if (!missing.size && !extra.size) continue;
  differing += 1;
  console.log(`${name} differs: ours ${[...missing].slice(0, 3).join(" ")}, the yardstick's ${[...extra].slice(0, 3).join(" ")}`);
}
console.log(`${tables.length} tables compared: ${differing ? `${differing} differ` : "all records the same"}`);
process.exit(differing ? 1 : 0);
