// Where a file is: `<ref>/<path>` of an address, in which both may have slashes.

/** Of an address behind `/-/tree/` or `/-/blob/`: `{ ref, path }`. The longest branch or tag that exists wins. */
export function splitPlace(rest, names) {
  const ref =
    names.filter((name) => rest === name || rest.startsWith(`${name}/`)).sort((one, other) => other.length - one.length)[0] ??
    rest.split("/")[0];
  return { ref, path: rest.slice(ref.length + 1).replace(/\/+$/, "") };
}

/** Bytes of standard base64. */
export const bytesOf = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));

/** The text of a file, or null if it is not UTF-8, or has a zero byte. */
export function textOf(bytes) {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The lines that a fragment such as `#L7` or `#L7-12` names: `[7, 12]`, or null. */
export function linesOf(fragment) {
  const [, from, to] = /^#L(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(fragment) ?? [];
  return from ? [Number(from), Math.max(Number(to ?? from), Number(from))] : null;
}

/** For example "12.3 kB". */
export const sized = (bytes) =>
  bytes < 1000 ? `${bytes} bytes` : bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
