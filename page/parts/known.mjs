// Keeps the projects of lists, so that the next page need not fetch them. The key contains the user.
import { inProject, useApi } from "../api.mjs";
import { session } from "../session.mjs";

const known = new Map();
const keyOf = (path) => `${session()?.user.id} ${path.toLowerCase()}`;

export const remember = (project) => known.set(keyOf(project.path_with_namespace), project);

/** Returns `{ known, error }`. Fetches the project if it is `wanted` and not kept. */
export function useKnown(path, wanted) {
  const { data, error } = useApi(wanted && !known.has(keyOf(path)) ? inProject(path) : null);
  if (data) remember(data);
  return { known: known.get(keyOf(path)) ?? null, error };
}
