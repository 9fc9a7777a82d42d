// What production allows, as Cloudflare documents it (November 2026) and as D1 was measured to do where it does not.
// https://developers.cloudflare.com/d1/platform/limits/, .../kv/platform/limits/, .../workers/platform/limits/
export const MIB = 1024 * 1024;

export const limits = {
  /**
   * Of one statement of D1. Terms of a compound select, depth of an expression, patterns, functions and pragmas are refused by workerd itself; how
   * many table cursors stock SQLite takes is asserted by the suite, on SQLite's own newest version.
   */
  binds: 100,
  sqlBytes: 100_000,
  valueBytes: 2_000_000,
  /** Of one request that the Worker answers, all its batches together. */
  statements: 1_000,
  /** Of one query or batch. */
  querySeconds: 30,

  kvValueBytes: 25 * MIB,
  kvKeyBytes: 512,
  kvBulkBytes: 100 * MIB,
  kvBulkPairs: 10_000,

  assetBytes: 25 * MIB,
  assetFiles: 20_000,

  /** The uploaded Worker, compressed: what the free plan takes, and what any plan takes. */
  workerBytesFree: 3 * MIB,
  workerBytes: 10 * MIB,
};
