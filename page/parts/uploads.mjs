// Files of a project that its texts name. The cookie opens their addresses, as those of all of this server.

const UPLOAD = /^(?:\/-\/project\/(?<id>\d+)|(?:\/(?<path>[^/]+\/[^/]+?)(?:\/-)?)?)\/(?<end>uploads\/[0-9a-f]{32}\/[^/]+)$/i;

/**
 * The address of an upload, or null. One that begins with `/uploads` belongs to the project of the text, wherever the text is
 * shown.
 */
export function uploadOf({ origin, pathname }, project) {
  const found = origin === location.origin && UPLOAD.exec(pathname)?.groups;
  if (!found) return null;
  if (found.id || found.path) return pathname;
  return project ? `/${project}/-/${found.end}` : null;
}

/** The address of the bytes of a file in a repository, for the address of its page. */
export function rawOf({ origin, pathname }) {
  const [, project, place] = (origin === location.origin && /^(\/[^/]+\/[^/]+)\/(?:-\/)?blob\/([^/]+\/.+)$/.exec(pathname)) || [];
  return project ? `${project}/-/raw/${place}` : null;
}

/** By the end of the name, so that no video is loaded to look at its type. An SVG stays a link. */
const PICTURE = /\.(?:png|jpe?g|gif|bmp|webp|ico|avif)$/i;

/** The picture at an address of this server, or null. The browser loads it when it comes near the screen. */
export function pictureAt(src, alt) {
  if (!PICTURE.test(src)) return null;
  const picture = Object.assign(document.createElement("img"), { loading: "lazy", alt, src });
  picture.addEventListener("error", () => picture.replaceWith(alt));
  return picture;
}
