// Locks a folder of local state for one command:
//
//   node scripts/lock.mjs STATE PID     for the process PID, until that ends
//
// The lock is a file with the number of that process. It is free if that process has ended. Child processes of the
// holder recognise the lock by the variable STATE_HOLDER.
import { accessSync, constants, mkdirSync, readFileSync, statfsSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The free bytes needed: a new database, and workerd's own files. */
const FREE = 64 << 20;

const MEANING = {
  ENOTDIR: "is not a folder",
  EEXIST: "is not a folder",
  EACCES: "is not a writable folder",
  EROFS: "is not a writable folder",
  EPERM: "is not a writable folder",
  ENOSPC: "is on a disk with no space left",
};

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** The process that holds the lock; 0 if none is alive. */
function holderOf(file) {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    return Number.isSafeInteger(pid) && pid > 0 && isAlive(pid) ? pid : 0;
  } catch {
    return 0;
  }
}

/** Locks the state for the process `pid`. Returns a message if that fails. `mine`: the process of a parent, whose lock is shared. */
export function hold(state, pid, mine = Number(process.env.STATE_HOLDER)) {
  const file = join(state, "in-use");
  try {
    mkdirSync(state, { recursive: true });
    accessSync(state, constants.W_OK);
    const { bavail, bsize } = statfsSync(state);
    if (bavail * bsize < FREE)
      return `no space left: the disk of ${state} has ${Math.floor((bavail * bsize) / (1 << 20))} MiB free, and needs ${FREE >> 20}`;
    for (let tries = 0; tries < 3; tries++) {
      const holder = holderOf(file);
      if (holder && (holder === mine || holder === pid)) return;
      if (holder) return `${state} is in use by process ${holder}; choose another folder (STATE=..), or end that process`;
      try {
        unlinkSync(file);
      } catch {}
      try {
        writeFileSync(file, String(pid), { flag: "wx" });
      } catch (error) {
        if (error.code !== "EEXIST") throw error;
      }
    }
    return holderOf(file) === pid ? undefined : `${state} is in use by another process`;
  } catch (error) {
    if (!MEANING[error.code]) throw error;
    return `${state} ${MEANING[error.code]}`;
  }
}

/** Unlocks the state if that process holds it. */
export function release(state, pid) {
  const file = join(state, "in-use");
  try {
    if (Number(readFileSync(file, "utf8")) === pid) unlinkSync(file);
  } catch {}
}

if (process.argv[1] === import.meta.filename) {
  const [, , state, pid] = process.argv;
  const refusal = hold(state, Number(pid));
  if (refusal) {
    console.error(`error: STATE: ${refusal}`);
    process.exit(1);
  }
}
