// Choosing a user by name.
import { useApi } from "../api.mjs";
import { listOf } from "./suggesting.jsx";

/** Users whose name has `words`, as suggestions of a field. */
export function usePeople(words) {
  const wanted = (words ?? "").trim();
  const answer = useApi(wanted.length > 1 ? "/users" : null, { search: wanted, active: true, per_page: 10 });
  if (wanted.length < 2) return [];
  return listOf(answer)?.map(({ username, name }) => [username, name]) ?? null;
}
