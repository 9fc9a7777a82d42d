// Choosing a user by name.
import { useApi } from "../api.mjs";

/** Users whose name has `words`, as suggestions of a field. */
export function usePeople(words) {
  const wanted = (words ?? "").trim();
  const { data } = useApi(wanted.length > 1 ? "/users" : null, { search: wanted, active: true, per_page: 10 });
  return (data ?? []).map(({ username, name }) => [username, name]);
}
