// Writes a database into a folder of SQL files. scripts/restore.mjs restores it byte for byte:
//
//   node scripts/backup.mjs FOLDER [--local] [--state DIR] [--database NAME]
//
// The database is the deployed one, or with --local that of a folder of state (--state, else STATE, else
// .wrangler/state). It is read page by page and stays in service. The copy is its content when the reading ended.
import { existsSync } from "node:fs";
import { main } from "./database/command.mjs";
import { dump } from "./database/dump.mjs";

await main("backup", async (database, folder, options) => {
  if (existsSync(folder)) throw new Error(`${folder} exists already: name a new folder`);
  console.log(`==> reading ${database.title}, which stays in service`);
  const { rows, files } = await dump(database, folder, options);
  const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
  const bytes = sum(files.map((file) => file.bytes));
  return `${folder} holds ${sum(Object.values(rows))} rows of ${Object.keys(rows).length} tables in ${files.length} files, ${bytes} bytes`;
});
