// The comments on a commit.
import { ask, get, useApi } from "../api.mjs";
import { Note } from "./note.jsx";

/**
 * The comments of the commit at `path`, each with its place in the diff if it has one: `path`, `line` and `line_type`. `add` takes a
 * `note` and a place.
 */
export function useTalk(path, known, user) {
  const discussions = useApi(`${path}/discussions`, { per_page: 100 });
  const replace = (id, next) =>
    discussions.set((before) => before.flatMap((one) => (one.notes[0].id !== id ? [one] : next ? [{ ...one, notes: [next] }] : [])));
  const comments = (discussions.data ?? []).map(({ id, notes: [note] }) => {
    const one = `${path}/discussions/${id}`;
    const { new_path, new_line, old_line } = note.position ?? {};
    const place = { path: new_path, line: new_line ?? old_line, line_type: new_line ? "new" : "old" };
    const read = () => get(one).then(({ data }) => data.notes[0]);
    return { id: note.id, ...place, given: { note, address: `${one}/notes/${note.id}`, read, known, user, replace } };
  });
  /** @param {{ note: string, path?: string, line?: number, line_type?: string }} comment */
  const add = async ({ note, path: file, line, line_type }, once) => {
    const position = file && { new_path: file, old_path: file, [`${line_type}_line`]: line };
    const { data } = await ask("POST", `${path}/discussions`, { body: { body: note, ...(position && { position }) }, once });
    discussions.set((before) => [...(before ?? []), data]);
  };
  return { comments, add, isHere: Boolean(discussions.data ?? discussions.error), error: discussions.error, reload: discussions.reload };
}

export const CommitComment = ({ comment: { path, line, given }, project }) => (
  <Note {...given} project={project} place={path && `at ${path}:${line}`} />
);
