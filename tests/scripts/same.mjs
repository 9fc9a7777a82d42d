// Compares the databases of two folders of local state, row by row: node tests/scripts/same.mjs STATE STATE
import { database } from "../../scripts/workerd.mjs";
import { contentsOf, differences } from "./sqlite.mjs";

const [one, other] = process.argv.slice(2).map((state) => contentsOf(database(state, { readOnly: true })));
const found = differences(one, other);
for (const line of found.slice(0, 20)) console.log(line);
const filled = Object.values(one.rows).filter((rows) => rows.length);
console.log(`${filled.flat().length} rows of ${filled.length} tables compared, ${found.length} differences`);
process.exitCode = found.length || !filled.length ? 1 : 0;
