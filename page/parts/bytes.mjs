// Bytes of this server.

/**
 * The answer with the bytes of an address.
 * @param {string} address
 * @param {AbortSignal} [signal]
 * @param {"GET" | "HEAD"} [method]
 */
export async function fetched(address, signal, method) {
  const answer = await fetch(address, { method, signal });
  if (answer.ok) return answer;
  // else the browser keeps the connection for it
  answer.body?.cancel();
  throw new Error(
    answer.status === 404
      ? "The file does not exist any more, or you do not have access to it."
      : `The server answered with status ${answer.status}. Try again later.`,
  );
}

/** Saves the bytes of an address under a name. */
export async function saved(address, name) {
  const bytes = URL.createObjectURL(await (await fetched(address)).blob());
  Object.assign(document.createElement("a"), { href: bytes, download: name }).click();
  URL.revokeObjectURL(bytes);
}
