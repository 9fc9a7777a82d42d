// What src/worker/request.rs reads of a request.

/** The headers that the service reads. */
const READ = [
  "private-token",
  "job-token",
  "deploy-token",
  "authorization",
  "sudo",
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

/** The next bytes of a body: undefined at the end, null if nothing came within `patience` milliseconds. */
export const next = async (reader, patience) => {
  const read = await within(patience, reader.read());
  return read && read.value;
};

/** A body, null if it did not come within `patience` milliseconds. */
export const whole = (request, patience) => within(patience, request.arrayBuffer());
