// Writes a database into a folder of SQL files that an empty D1 takes back, every byte of it:
//
//   node scripts/backup.mjs FOLDER [--local] [--state DIR] [--database NAME]
//
// The deployed database, or with --local that of a folder of state (--state, else STATE, else .wrangler/state). It is read
// page by page and goes on answering and taking writes; the copy is the database of the moment at which the reading ended.
import { existsSync } from "node:fs";
import { main } from "./database/command.mjs";
import { dump } from "./database/dump.mjs";

await main("backup", async (database, folder, options) => {
  if (existsSync(folder)) throw new Error(`${folder} exists already; a backup takes a folder of its own`);
  console.log(`==> reading ${database.title}, which goes on answering`);
  const { rows, files } = await dump(database, folder, options);
  const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
  const bytes = sum(files.map((file) => file.bytes));
  return `${folder} holds ${sum(Object.values(rows))} rows of ${Object.keys(rows).length} tables in ${files.length} files, ${bytes} bytes`;
});
