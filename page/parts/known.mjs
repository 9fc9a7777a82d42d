// Projects as the API showed them to somebody. A list tells what the pages behind it need, so that they need not ask.
import { inProject, useApi } from "../api.mjs";
import { session } from "../session.mjs";

const known = new Map();
const keyOf = (path) => `${session()?.user.id} ${path.toLowerCase()}`;

export const remember = (project) => known.set(keyOf(project.path_with_namespace), project);

/** `{ known, error }`: the project, if it is known; else it is asked for as soon as it is `wanted`. */
export function useKnown(path, wanted) {
  const { data, error } = useApi(wanted && !known.has(keyOf(path)) ? inProject(path) : null);
  if (data) remember(data);
  return { known: known.get(keyOf(path)) ?? null, error };
}
