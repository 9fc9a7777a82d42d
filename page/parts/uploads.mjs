// Files of a project that its texts name. A browser sends no token with an address, so their bytes are fetched
// (pictures.mjs, which is loaded with the first text that names one).
import { session } from "../session.mjs";
import { fetched, saved } from "./bytes.mjs";

const UPLOAD = /^(?:\/-\/project\/(?<id>\d+)|(?:\/(?<path>[^/]+\/[^/]+?)(?:\/-)?)?)\/uploads\/(?<secret>[0-9a-f]{32})\/(?<name>[^/]+)$/i;

/**
 * `{ address, bytes, name }` of an upload's address, or null: a link to it, and where the API has it. An address that begins
 * with `/uploads` belongs to the project of the text, wherever the text is shown.
 */
export function uploadOf({ origin, pathname }, project) {
  const found = origin === location.origin && UPLOAD.exec(pathname)?.groups;
  if (!found) return null;
  const { id, path = project, secret, name } = found;
  const end = `uploads/${secret}/${name}`;
  return {
    address: id || found.path ? pathname : `/${project}/-/${end}`,
    bytes: `/api/v4/projects/${id ?? path.replace("/", "%2F")}/${end}`,
    name,
  };
}

/** The same of a file in a repository, for the address of its page, which is shown with a link to that page. */
export function inRepository({ origin, pathname }) {
  const [, project, place] = (origin === location.origin && /^(\/[^/]+\/[^/]+)\/(?:-\/)?blob\/([^/]+\/.+)$/.exec(pathname)) || [];
  return project ? { bytes: `${project}/-/raw/${place}`, name: place.split("/").at(-1), hasPage: true } : null;
}

/**
 * Sets on an element which file it stands for. No text can have such attributes.
 * @param {HTMLElement} element
 * @param {{ bytes: string, name: string, hasPage?: boolean }} file
 * @param {boolean} [isPicture]
 */
export function mark(element, { bytes, name, hasPage }, isPicture) {
  Object.assign(element.dataset, { bytes, name, ...(isPicture && { picture: hasPage ? "page" : "" }) });
}

/** Shows the files that are marked in a box. `shown`: a ref with what was shown there before. */
export function showFiles(box, shown) {
  if (shown.current) return shown.current.show(box);
  if (!box.querySelector("[data-bytes]")) return undefined;
  const show = ({ Pictures }) => box.isConnected && (shown.current ??= new Pictures(fetched, session()?.token ? saved : null)).show(box);
  // if the code cannot be loaded, they stay links
  return import("./pictures.mjs").then(show, () => {});
}
