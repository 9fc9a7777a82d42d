import { withQuery } from "../route.mjs";

const PLACE = ["cursor", "page", "id_after", "id_before"];

/** Splits the parameters of the address into filters and the place in the list. The API gets both. */
export function listQuery(search = location.search) {
  const given = Object.fromEntries(new URLSearchParams(search));
  const place = Object.fromEntries(PLACE.filter((name) => given[name]).map((name) => [name, given[name]]));
  const filter = Object.fromEntries(Object.entries(given).filter(([name]) => !PLACE.includes(name)));
  return { filter, place };
}

export function Pager({ next, total, shown }) {
  const { filter, place } = listQuery();
  const isFirst = Object.keys(place).length === 0;
  if (isFirst && !next) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {!isFirst && <a href={withQuery(location.pathname, filter)}>First page</a>}
      <span class="quiet">
        {shown} {place.page ? `on page ${place.page}` : "shown"}
        {total !== null && total !== undefined && ` of ${total.toLocaleString("en")}`}
      </span>
      {next && (
        <a rel="next" href={withQuery(location.pathname, { ...filter, ...next })}>
          Next page
        </a>
      )}
    </nav>
  );
}
