// Imports a backup into an empty database, file by file:
//
//   node scripts/restore.mjs FOLDER [--local] [--state DIR] [--database NAME]
//
// The database is the deployed one, or with --local that of a folder of state (--state, else STATE, else
// .wrangler/state). A stopped restore continues where it stopped. A backup of the former migrations is converted to
// this version's schema.
import { rmSync } from "node:fs";
import { main } from "./database/command.mjs";
import { renewed } from "./database/former.mjs";
import { load, ownStore } from "./database/load.mjs";

const SHARED = `It reads the diffs in R2 that its original put, so keep the original's bucket
  (docs/backup.md, "Two copies and one bucket")`;

const say = (text) => console.log(`==> ${text}`);

await main("restore", async (database, folder, options) => {
  const from = await renewed(folder, { ...options, say });
  try {
    say(`restoring ${folder} into ${database.title}`);
    const { made, rows } = await load(database, from, { ...options, ending: ownStore });
    const [[{ shares }]] = await database.query(["SELECT EXISTS (SELECT 1 FROM diffs WHERE object IS NOT NULL) AS shares"]);
    return [
      `${Object.values(rows).reduce((total, one) => total + one, 0)} rows are back, as they were at ${made}`,
      'Tokens that were revoked since then are valid again: see docs/backup.md, "End access again"',
      ...(shares ? [SHARED] : []),
    ].join("\n");
  } finally {
    if (from !== folder) rmSync(from, { recursive: true, force: true });
  }
});
