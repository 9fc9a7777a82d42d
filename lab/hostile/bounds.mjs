// What one answer may cost at most. Milliseconds and rows are the database's, work is the Worker's, as it estimates it, and
// `processor` the milliseconds of workerd, which is the Worker and the database. `grown`: memory that one request adds to an idle
// isolate. `streams`: memory of the process for many at once.
export const MOST = {
  ms: 150,
  rows: 200_000,
  bytes: 4_000_000,
  work: 1000,
  processor: 1000,
  grown: 64 << 20,
  wasm: 64 << 20,
  memory: 128 << 20,
  streams: 192 << 20,
};
/** An answer is as long as the file that was asked for, and the Worker streams it: it has no bound of bytes. */
export const IS_A_FILE = /\/repository\/(?:raw_blobs|blobs|files|raw|archive)\/|\/repository\/(?:files|archive)$|\/commits\/\{sha\}\/blob$/;
/** Requests at once of each route's dearest, while memory is watched. */
export const AT_ONCE = 8;
/** The median of another user's request meanwhile, beside the median alone. */
export const MOST_SLOWER = 3;
export const CALLERS = ["nobody", "outsider", "guest"];
export const MEASURES = ["ms", "rows", "bytes"];
/** Measures that are more while other programs run. */
export const TIMES = ["ms", "processor"];
