/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const STEPS = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const words = new Intl.RelativeTimeFormat("en");
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "long" });
const days = new Intl.DateTimeFormat("en", { dateStyle: "full" });
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

/** For example "3 hours ago". */
export function ago(iso, now = Date.now()) {
  const seconds = (Number(new Date(iso)) - now) / 1000;
  const [unit, length] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? /** @type {const} */ (["second", 1]);
  return unit === "second" ? "just now" : words.format(Math.trunc(seconds / length), unit);
}

export const Time = ({ at }) =>
  at ? (
    <time datetime={at} title={exact.format(new Date(at))}>
      {ago(at)}
    </time>
  ) : null;

/** The day of a time where the reader is, for example "Sunday, November 22, 2026". */
export const dayOf = (iso) => days.format(new Date(iso));

/** For example "Nov 22, 2026". */
export const Day = ({ at }) => <time datetime={at}>{day.format(new Date(`${at}T00:00:00Z`))}</time>;

/** For example "1 min 5 s". */
export function span(from, until) {
  const seconds = Math.max(0, Math.round((Number(new Date(until)) - Number(new Date(from))) / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** An open issue whose day has passed, in UTC as in the API. */
export const isOverdue = ({ state, due_date }) =>
  state === "opened" && Boolean(due_date) && due_date < new Date().toISOString().slice(0, 10);
