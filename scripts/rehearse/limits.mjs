// Production's limits, as Cloudflare documents them (November 2026), or as measured on D1 where the documents are
// silent.
// https://developers.cloudflare.com/d1/platform/limits/, .../kv/platform/limits/, .../workers/platform/limits/
export const MIB = 1024 * 1024;

export const limits = {
  /**
   * The limits of one statement of D1. workerd itself limits terms of a compound select, depth of an expression,
   * patterns, functions and pragmas. The suite checks the number of table cursors on SQLite's newest version.
   */
  binds: 100,
  sqlBytes: 100_000,
  valueBytes: 2_000_000,
  /** The limits of one request to the Worker, over all its batches. */
  statements: 1_000,
  /** The limit of one query or batch. */
  querySeconds: 30,

  kvValueBytes: 25 * MIB,
  kvKeyBytes: 512,
  kvBulkBytes: 100 * MIB,
  kvBulkPairs: 10_000,

  assetBytes: 25 * MIB,
  assetFiles: 20_000,

  /** The size of the uploaded Worker, compressed: on the free plan, and on any plan. */
  workerBytesFree: 3 * MIB,
  workerBytes: 10 * MIB,
};
