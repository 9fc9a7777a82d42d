// Shows the files of a project in a text: pictures where they are, other files as buttons that save them. All bytes are
// fetched with the token of the session. It imports nothing: the bundler would cut shared code out of the first script.

/** The most pictures of a text, and the most bytes of each. Others stay links. */
const MOST = 20;
const MOST_BYTES = 10 << 20;
/** How far below or above the screen a picture is loaded. */
const NEAR = "800px";
/** By the end of the name, so that no video is fetched to look at its type. */
const NAMED = /\.(?:png|jpe?g|gif|bmp|webp|ico|avif)$/i;
/** The allowed types of answers. An SVG is not allowed, because it can contain scripts. For files of repositories the type only shows that they are not texts. */
const TYPED = { "": /^image\/(?!svg)/, page: /^application\/octet-stream/ };

/** The address of the bytes in memory, or null if they are no picture to be shown. */
async function pictureOf(answer, typed) {
  if (!typed.test(answer.headers.get("Content-Type")) || Number(answer.headers.get("Content-Length")) > MOST_BYTES) {
    answer.body?.cancel();
    return null;
  }
  const blob = await answer.blob();
  return blob.size > MOST_BYTES ? null : URL.createObjectURL(blob);
}

function named(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Replaces a link by a button, because a link would be requested without the token. `save(bytes, name)` saves the file. */
function asButton(link, save) {
  const { bytes, name } = link.dataset;
  const button = Object.assign(document.createElement("button"), { type: "button", className: "small", title: `Save ${named(name)}` });
  const failed = Object.assign(document.createElement("span"), { role: "alert" });
  button.append(...link.childNodes);
  link.replaceWith(button, failed);
  button.addEventListener("click", async () => {
    button.disabled = true;
    failed.textContent = "";
    await save(bytes, named(name)).catch(({ message }) => (failed.textContent = ` ${message}`));
    button.disabled = false;
  });
  return button;
}

/** In the button or the link of the file, or for itself where the text has made it a link to something else. */
function place(element, src) {
  const picture = Object.assign(document.createElement("img"), { src, alt: element.textContent });
  if (element.localName === "span") return element.replaceWith(picture);
  element.classList.add("picture");
  return element.replaceChildren(picture);
}

/**
 * The pictures of one text, over its changes. `read(bytes, signal)` fetches an address; `save`: as above, or null for visitors, who
 * keep the links.
 */
export class Pictures {
  /** By the addresses in the API: `{ loading, url }`. */
  #known = new Map();
  #gone = new AbortController();
  /** @type {IntersectionObserver | undefined} */
  #observer;
  #read;
  #save;

  constructor(read, save) {
    this.#read = read;
    this.#save = save;
  }

  show(box) {
    this.#observer?.disconnect();
    const waiting = new Map();
    this.#observer = new IntersectionObserver(
      (entries) => entries.forEach((entry) => entry.isIntersecting && this.#come(entry.target, waiting)),
      { rootMargin: NEAR },
    );
    let left = MOST;
    for (const marked of box.querySelectorAll("[data-bytes]")) {
      const { bytes, name, picture } = marked.dataset;
      const element = this.#save && marked.localName === "a" && picture !== "page" ? asButton(marked, this.#save) : marked;
      // it is done, also where the same box is shown again
      marked.removeAttribute("data-bytes");
      if (picture === undefined || !NAMED.test(name) || left-- <= 0) continue;
      const url = this.#known.get(bytes)?.url;
      if (url) place(element, url);
      else {
        waiting.set(element, { bytes, typed: TYPED[picture] });
        this.#observer?.observe(element);
      }
    }
  }

  async #come(element, waiting) {
    this.#observer?.unobserve(element);
    const { bytes, typed } = waiting.get(element);
    const entry = this.#known.get(bytes) ?? { loading: this.#read(bytes, this.#gone.signal).then((answer) => pictureOf(answer, typed)) };
    this.#known.set(bytes, entry);
    try {
      entry.url = await entry.loading;
    } catch {
      // it stays a button or a link, which shows the reason when it is used
      return this.#known.delete(bytes);
    }
    if (this.#gone.signal.aborted) return entry.url && URL.revokeObjectURL(entry.url);
    if (entry.url && element.isConnected) place(element, entry.url);
  }

  /** Call it when the text is no longer shown. */
  close() {
    this.#gone.abort();
    this.#observer?.disconnect();
    for (const { url } of this.#known.values()) if (url) URL.revokeObjectURL(url);
  }
}
