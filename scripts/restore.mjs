// Brings a backup into an empty database, file by file:
//
//   node scripts/restore.mjs FOLDER [--local] [--state DIR] [--database NAME]
//
// The deployed database, or with --local that of a folder of state (--state, else STATE, else .wrangler/state). A restore
// that was stopped goes on where it stood.
import { main } from "./database/command.mjs";
import { load } from "./database/load.mjs";

await main("restore", async (database, folder, options) => {
  console.log(`==> restoring ${folder} into ${database.title}`);
  const { made, rows } = await load(database, folder, options);
  return `${Object.values(rows).reduce((total, one) => total + one, 0)} rows are back, as they were at ${made}`;
});
