// Imports a backup into an empty database, file by file:
//
//   node scripts/restore.mjs FOLDER [--local] [--state DIR] [--database NAME]
//
// The database is the deployed one, or with --local that of a folder of state (--state, else STATE, else
// .wrangler/state). A stopped restore continues where it stopped. A backup has the schema of its database, so one that
// other migrations made is refused: this version could not use it. The files of issues and packages are put into the bucket;
// FILES=0 leaves it alone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { main } from "./database/command.mjs";
import { countOf, putFiles } from "./database/files.mjs";
import { load, ownRows } from "./database/load.mjs";
import { Parts } from "./database/parts.mjs";
import { filesIn, standing } from "./migrations.mjs";
import { appliedIn } from "./state.mjs";

const SHARED = `It reads the diffs in R2 that its original put, so keep the original's bucket
  (docs/backup.md, "Two copies and one bucket"). Is that lost? Then run edgeforge-mirror sync --recheck in each repository`;

/** Puts the files of issues and packages into the bucket. Returns a line about them, or none. */
async function restoreFiles(database, folder, { bucket, ...options }) {
  const opened = process.env.FILES === "0" ? null : await bucket();
  if (!opened) {
    const { files } = await countOf(database);
    return files ? [`${files} files of issues and packages were not put into the bucket`] : [];
  }
  try {
    const { files, kept = 0, put = 0, missing = 0 } = await putFiles(database, opened, folder, options);
    const found = `${put} files of issues and packages came back, ${kept} were in the bucket`;
    return files ? [missing ? `${found}, ${missing} are missing there and in the backup` : found] : [];
  } finally {
    await opened.close();
  }
}

/** The migrations of a backup's database. They are in its last file; its first one creates their table. */
function migrationsOf(folder) {
  const { files } = Parts.manifest(folder);
  const opened = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
  for (const { name } of [files[0], files.at(-1)]) opened.exec(readFileSync(join(folder, name), "utf8"));
  return appliedIn(opened);
}

const HELP = `Imports a backup into an empty database, file by file. A stopped restore continues where it stopped.

  --local          into the database of make dev, instead of the deployed one
  --state DIR      into that of another folder of state (STATE, or .wrangler/state)
  --database NAME  into another deployed database than that of wrangler.toml

FILES=0 leaves the bucket alone. docs/backup.md says more.`;

await main("restore", HELP, async (database, folder, options) => {
  if (standing(filesIn("migrations"), migrationsOf(folder)).isOther) {
    throw new Error(
      `${folder} is of a database that other migrations made, such as those of version 0.1: restore it with the version that made it`,
    );
  }
  console.log(`==> restoring ${folder} into ${database.title}`);
  let files = [];
  // before the last import, so that a restore that is stopped here continues with them
  const ending = async (opened) => {
    files = await restoreFiles(opened, folder, options);
    return await ownRows(opened);
  };
  const { made, rows } = await load(database, folder, { ...options, ending });
  const [[{ shares }]] = await database.query(["SELECT EXISTS (SELECT 1 FROM diffs WHERE object IS NOT NULL) AS shares"]);
  return [
    `${Object.values(rows).reduce((total, one) => total + one, 0)} rows are back, as they were at ${made}`,
    'Tokens that were revoked since then are valid again: see docs/backup.md, "End access again"',
    ...(shares ? [SHARED] : []),
    ...files,
  ].join("\n");
});
