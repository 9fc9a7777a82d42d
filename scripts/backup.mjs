// Writes a database into a folder of SQL files. scripts/restore.mjs restores it byte for byte:
//
//   node scripts/backup.mjs FOLDER [--local] [--state DIR] [--database NAME]
//
// The database is the deployed one, or with --local that of a folder of state (--state, else STATE, else
// .wrangler/state). It is read page by page and stays in service. The copy is its content when the reading ended. The files
// of issues and packages in its bucket are copied, too; FILES=0 leaves them out.
import { existsSync } from "node:fs";
import { main } from "./database/command.mjs";
import { dump } from "./database/dump.mjs";
import { copyFiles, countOf } from "./database/files.mjs";

const FILES = "files of issues and packages";

/** Copies them into the folder of the backup. Returns a field of its manifest. */
async function withFiles(database, folder, { bucket, ...options }) {
  if (process.env.FILES === "0") return { objects: { ...(await countOf(database)), left_out: true } };
  const opened = await bucket();
  if (!opened) return {};
  try {
    return { objects: await copyFiles(database, opened, folder, options) };
  } finally {
    await opened.close();
  }
}

/** A line about the field. */
function told({ files, bytes, left_out, lost = 0 }) {
  if (left_out) return `FILES=0: the ${files} ${FILES} are not in it`;
  const copied = `${files - lost} ${FILES}, ${bytes} bytes`;
  return lost ? `${copied}; ${lost} are not in the bucket, or are damaged there` : copied;
}

const HELP = `Writes a database into the new folder. It stays in service meanwhile.

  --local          the database of make dev, instead of the deployed one
  --state DIR      that in another folder of state (STATE, or .wrangler/state)
  --database NAME  another deployed database than that of wrangler.toml

FILES=0 leaves out the files of issues and packages. docs/backup.md says more.`;

await main("backup", HELP, async (database, folder, options) => {
  if (existsSync(folder)) throw new Error(`${folder} exists already: name a new folder`);
  console.log(`==> reading ${database.title}, which stays in service`);
  const more = (partial) => withFiles(database, partial, options);
  const { rows, files, objects } = await dump(database, folder, { ...options, more });
  const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
  const bytes = sum(files.map((file) => file.bytes));
  const held = `${folder} holds ${sum(Object.values(rows))} rows of ${Object.keys(rows).length} tables in ${files.length} files, ${bytes} bytes`;
  return objects?.files ? `${held}\n${told(objects)}` : held;
});
