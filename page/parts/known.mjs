// Keeps the projects of lists, so that the next page need not fetch them. The key contains the user.
import { useEffect, useState } from "preact/hooks";
import { get, inProject } from "../api.mjs";
import { session } from "../session.mjs";

const known = new Map();
/** Requests under way: several parts of a page may want the same project. */
const asked = new Map();
const keyOf = (path) => `${session()?.user.id} ${path.toLowerCase()}`;

export const remember = (project) => known.set(keyOf(project.path_with_namespace), project);

function fetchOnce(path, key) {
  if (!asked.has(key)) {
    const request = get(inProject(path)).then(({ data }) => void known.set(key, data));
    asked.set(
      key,
      request.finally(() => asked.delete(key)),
    );
  }
  return asked.get(key);
}

/** Returns `{ known, error }`. Fetches the project if it is `wanted` and not kept. */
export function useKnown(path, wanted) {
  const [state, setState] = useState(/** @type {{ error?: any }} */ ({}));
  const key = keyOf(path);
  useEffect(() => {
    if (!wanted || known.has(key)) return;
    let isShown = true;
    fetchOnce(path, key).then(
      () => isShown && setState({}),
      (error) => isShown && setState({ error }),
    );
    return () => void (isShown = false);
  }, [Boolean(wanted), key]);
  return { known: known.get(key) ?? null, error: state.error };
}
