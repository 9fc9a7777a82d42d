// Changes of an issue. Only what differs is sent, with the state that it was made from, so that nobody undoes by accident
// what another person wrote.
import { ask, get } from "../api.mjs";

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The texts and choices of an issue. */
const fieldsOf = ({ title, description, labels, assignee, milestone, due_date, confidential }) => ({
  title,
  description: description ?? "",
  labels: labels.map((label) => label.name ?? label).sort(),
  assignee: assignee?.id ?? 0,
  milestone: milestone?.id ?? 0,
  due_date: due_date ?? "",
  confidential,
});

/** The state that a change is made from, which can be stored. */
export const stateOf = (issue) => ({ at: issue.updated_at, fields: fieldsOf(issue) });

const without = (some, others) => some.filter((one) => !others.includes(one));

const PARAMETERS = {
  assignee: (assignee_id) => ({ assignee_id }),
  milestone: (milestone_id) => ({ milestone_id }),
  // each label by itself, so that those of others stay
  labels: (labels, before) => ({ add_labels: without(labels, before), remove_labels: without(before, labels) }),
};
const parametersOf = (name, value, before) => PARAMETERS[name]?.(value, before) ?? { [name]: value };

const MOST_TRIES = 6;

/**
 * Saves `mine`, some fields of `stateOf`, which were made from `from`, a state or an issue. Returns `{ saved }`, the issue. If
 * somebody changed other fields meanwhile, it saves again; if the same, it writes nothing and returns `{ theirs, names }`: the
 * issue as it is, and those fields.
 */
export async function attempt(path, from, mine, tries = MOST_TRIES) {
  const { at, fields } = from.fields ? from : stateOf(from);
  const names = Object.keys(mine).filter((name) => !same(mine[name], fields[name]));
  const body = Object.assign({}, ...names.map((name) => parametersOf(name, mine[name], fields[name])));
  try {
    const { data } = names.length ? await ask("PUT", path, { body, since: at }) : await get(path);
    return { saved: data };
  } catch (error) {
    if (error.status !== 412 || !tries) throw error;
    const { data: theirs } = await get(path);
    const now = stateOf(theirs);
    const both = names.filter((name) => name !== "labels" && !same(fields[name], now.fields[name]) && !same(mine[name], now.fields[name]));
    if (both.length) return { theirs, names: both };
    return attempt(
      path,
      now,
      Object.fromEntries(
        names.map((name) => [name, name === "labels" ? merged(mine.labels, fields.labels, now.fields.labels) : mine[name]]),
      ),
      tries - 1,
    );
  }
}

/**
 * Reads the record by `current`, and calls `save(record)` unless `clashes(record)`, which then shows both texts. Reads it again if
 * another change came between. Returns null after a clash.
 */
export async function saveOver(current, clashes, save, tries = MOST_TRIES) {
  const record = await current();
  if (clashes(record)) return null;
  try {
    return await save(record);
  } catch (error) {
    if (error.status !== 412 || !tries) throw error;
    return saveOver(current, clashes, save, tries - 1);
  }
}

/** Their labels with those that were added and without those that were removed. */
const merged = (mine, before, theirs) =>
  [...new Set([...theirs, ...without(mine, before)])].filter((name) => mine.includes(name) || !before.includes(name)).sort();
