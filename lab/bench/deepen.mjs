// Deepens the measured project: adds copies of its issues, older than all others, until there are 20,100. It writes SQL
// into the state of a stopped server.
//
//   node lab/bench/deepen.mjs --state DIR
import { parseArgs } from "node:util";
import { database } from "../../scripts/workerd.mjs";

const { values: given } = parseArgs({ options: { state: { type: "string" } } });
const db = database(given.state);
const columns = (table) =>
  db
    .prepare("select name from pragma_table_info(?)")
    .all(table)
    .map(({ name }) => name);
const { first, last, issues } = db.prepare("select min(id) as first, max(id) as last, count(*) as issues from issues").get();
const copies = Math.ceil(20_100 / issues) - 1;

/** The values of a copy's row; `changed` has the different ones. */
function copy(table, changed, condition) {
  const names = columns(table);
  const values = names.map((name) => changed[name] ?? name);
  db.exec(`insert into ${table} (${names.join(", ")}) select ${values.join(", ")} from ${table} where ${condition}`);
}

db.exec("begin");
for (let n = 1; n <= copies; n++) {
  const [further, earlier] = [`+ ${n * (last - first + 1)}`, `- ${n * 86_400_000}`];
  const older = { created_at: `created_at ${earlier}`, updated_at: `updated_at ${earlier}` };
  copy("issues", { id: `id ${further}`, iid: `iid ${further}`, ...older }, `id <= ${last}`);
  copy("issue_labels", { issue_id: `issue_id ${further}`, ...older }, `issue_id <= ${last}`);
}
db.exec("update issue_counts set last_iid = coalesce((select max(iid) from issues where project_id = issue_counts.project_id), 0)");
db.exec("commit; pragma wal_checkpoint(truncate)");
db.close();
