// Pages of lists: `page` and `per_page`, or the cursor of a `next` link, which costs the same at any depth.
import { Refusal } from "./http.mjs";
import { Faults } from "./params.mjs";

const FARTHEST = 1_000_000;

/** A cursor has the page that it leads to, the order, and the order's columns in the last row before it: integers. */
const writeCursor = (page, order, keys) => btoa(JSON.stringify([order, page, ...keys]));

function readCursor(text, faults) {
  try {
    const [order, page, ...keys] = JSON.parse(atob(text));
    if ([page, ...keys].every(Number.isInteger)) return { order, page, keys };
  } catch {
    // invalid JSON
  }
  faults.add("cursor", "is invalid");
}

/** `order`: the order of the list. A cursor of another order or page is ignored. */
export function readPage(params, order) {
  const faults = new Faults();
  const [asked, size] = [params.whole("page", faults), params.whole("per_page", faults)];
  const text = order && params.text("cursor");
  const cursor = text && readCursor(text, faults);
  faults.refuseQuery();
  const page = { order, size: size > 0 ? Math.min(size, 100) : 20 };
  if (cursor?.keys.length === 2 && cursor.order === order && (asked ?? cursor.page) === cursor.page) {
    return { ...page, number: cursor.page, after: cursor.keys, offset: 0 };
  }
  const number = Math.max(asked ?? 1, 1);
  const offset = (number - 1) * page.size;
  if (offset > FARTHEST) {
    throw new Refusal(400, { error: `page is beyond the first ${FARTHEST} records: follow the next link of the page before` });
  }
  return { ...page, number, offset };
}

/**
 * The answer for a page. `rows`: one more than the page has, if there is a further page. `total`: null if unknown.
 * `keysOf`: the order's columns of a row, for the cursor.
 * @param {any} call
 * @param {any} page
 * @param {any[]} rows
 * @param {{ total?: number | null, path: any, show: (row: any) => any, keysOf?: (row: any) => any[] }} how
 */
export function listing(call, page, rows, { total = null, path, show, keysOf }) {
  const shown = rows.slice(0, page.size);
  const next = rows.length > page.size ? page.number + 1 : null;
  const previous = page.number > 1 ? page.number - 1 : null;
  const pages = total === null ? null : Math.ceil(total / page.size);
  const link = (relation, number) => {
    const params = call.params.repeated;
    const values = { ...path, page: number, per_page: page.size };
    if (relation === "next" && keysOf) values.cursor = writeCursor(number, page.order, keysOf(shown.at(-1)));
    for (const [name, value] of Object.entries(values)) params.set(name, value);
    return `<${call.url.origin}${call.url.pathname}?${params}>; rel="${relation}"`;
  };
  const links = Object.entries({ prev: previous, next, first: 1, last: pages }).filter(([, number]) => number !== null);
  const headers = {
    "X-Page": String(page.number),
    "X-Per-Page": String(page.size),
    "X-Next-Page": String(next ?? ""),
    "X-Prev-Page": String(previous ?? ""),
    Link: links.map(([relation, number]) => link(relation, number)).join(", "),
  };
  if (total !== null) Object.assign(headers, { "X-Total": String(total), "X-Total-Pages": String(pages) });
  return { body: shown.map(show), headers };
}
