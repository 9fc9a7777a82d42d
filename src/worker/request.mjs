// Reads a request for src/worker/request.rs.

/** The headers that the service reads. */
const READ = [
  "private-token",
  "job-token",
  "deploy-token",
  "authorization",
  "sudo",
  "cookie",
  "origin",
  "sec-fetch-site",
  "x-edgeforge-page",
  "sec-fetch-dest",
  "sec-purpose",
  "cf-access-jwt-assertion",
  "user-agent",
  "content-type",
  "content-length",
  "content-encoding",
  "if-match",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "idempotency-key",
  "range",
  "access-control-request-headers",
  "x-d1-bookmark",
  "x-edgeforge-silent",
  "x-gitlab-event-uuid",
  "cf-connecting-ip",
];

export const head = ({ method, url, headers }) =>
  JSON.stringify({ method, url, headers: READ.map((name) => [name, headers.get(name)]).filter(([, value]) => value !== null) });

/** The outcome of `reading`, null if it takes longer than `patience` milliseconds. */
const within = async (patience, reading) => {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, patience, null);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * The next bytes of a reader, undefined at the end, or the whole body of a request: null if they did not come within
 * `patience` milliseconds. One function for both, because wasm-bindgen imports the module once for each function
 * without a text.
 */
export const next = async (from, patience) => {
  if (from instanceof Request) return within(patience, from.arrayBuffer());
  const read = await within(patience, from.read());
  return read === null ? null : read.value;
};
