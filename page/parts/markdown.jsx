// Markdown of people as elements. Nothing is put in as HTML: what marked writes goes through DOMPurify, whose fragment is
// tidied and attached. These are all the tags and attributes that user text can have.
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { useLayoutEffect, useRef } from "preact/hooks";

const TAGS =
  "a b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins kbd li ol p pre q s samp span strong sub summary sup table tbody td th thead tr ul var";
const PURIFY = {
  ALLOWED_TAGS: TAGS.split(" "),
  ALLOWED_ATTR: ["href", "src", "alt", "title", "align", "start", "type", "checked", "disabled", "colspan", "rowspan"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};
const PROTOCOLS = ["http:", "https:", "mailto:"];

/** The address as a browser would go to it, if it may be gone to. */
export function safeAddress(text) {
  try {
    const address = new URL(text, location.href);
    return PROTOCOLS.includes(address.protocol) ? address : null;
  } catch {
    return null;
  }
}

/** `#12`, `@ann` and whole commit hashes, where they stand in text. */
const references = (project) => {
  const link = (name, shape, address) => ({
    name,
    level: "inline",
    start: (text) => {
      const at = text.search(shape.begin);
      return at < 0 ? undefined : at;
    },
    tokenizer(text) {
      const found = shape.whole.exec(text);
      return found ? { type: name, raw: found[0], value: found[1] } : undefined;
    },
    renderer: ({ raw, value }) => `<a href="${address(value)}">${raw}</a>`,
  });
  return [
    link("issue", { begin: /(?<![\w/&])#\d/, whole: /^#(\d{1,9})\b/ }, (iid) => `/${project}/-/issues/${iid}`),
    link("person", { begin: /(?<![\w/.])@[\w.]/, whole: /^@([A-Za-z0-9_][A-Za-z0-9_.-]{0,60}[A-Za-z0-9_]|[A-Za-z0-9_])/ }, (name) => `/${name}`),
    link("commit", { begin: /\b[0-9a-f]{40}\b/, whole: /^([0-9a-f]{40})\b/ }, (sha) => `/${project}/-/commit/${sha}`),
  ];
};

/**
 * HTML in a text, where it is of known tags alone: anything else is shown as it was written. A style would be dropped later,
 * too, but the browser already complains of one that it only reads.
 */
function html({ text }) {
  if (/^\s*<!--[\s\S]*?-->\s*$/.test(text)) return "";
  const tags = [...text.matchAll(/<[/!?]*([^\s/>]*)/g)];
  const known = tags.every(([, name]) => PURIFY.ALLOWED_TAGS.includes(name.toLowerCase()));
  return known && !/style\s*=/i.test(text) ? text : text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

const parsers = new Map();
function parser(project) {
  if (!parsers.has(project)) {
    const made = new Marked({ gfm: true, breaks: true });
    made.use({ extensions: references(project), renderer: { html } });
    parsers.set(project, made);
  }
  return parsers.get(project);
}

function retag(element, name) {
  const made = document.createElement(name);
  made.append(...element.childNodes);
  element.replaceWith(made);
}

function tidyLink(link) {
  const address = link.hasAttribute("href") ? safeAddress(link.getAttribute("href")) : null;
  if (!address) return link.removeAttribute("href");
  link.href = address.href;
  link.rel = "noopener nofollow";
  if (!link.textContent.trim() && !link.querySelector("img")) link.textContent = address.href;
}

/** Pictures of other servers become links: opening a page asks nobody but this server. */
function tidyPicture(picture) {
  const address = safeAddress(picture.getAttribute("src") ?? "");
  const text = picture.getAttribute("alt") || picture.getAttribute("title") || "picture";
  if (address?.origin === location.origin && /^\/api\/v[34]\/projects\/[^/]+\/badges\//.test(address.pathname)) {
    picture.alt = text;
    return;
  }
  if (!address || picture.closest("a")) return picture.replaceWith(text);
  const link = document.createElement("a");
  link.href = address.href;
  link.rel = "noopener nofollow";
  link.textContent = text;
  picture.replaceWith(link);
}

/** Headings of a text are one level below the page's, and pass none over. */
function tidyHeadings(fragment) {
  let before = 2;
  for (const heading of fragment.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Math.min(Math.max(Number(heading.tagName[1]) + 2, 3), before + 1, 6);
    if (!heading.textContent.trim()) retag(heading, "p");
    else {
      retag(heading, `h${level}`);
      before = level;
    }
  }
}

/** A text as a fragment of safe elements. */
export function rendered(text, project) {
  const fragment = DOMPurify.sanitize(parser(project).parse(text), PURIFY);
  fragment.querySelectorAll("img").forEach(tidyPicture);
  fragment.querySelectorAll("a").forEach(tidyLink);
  tidyHeadings(fragment);
  for (const box of fragment.querySelectorAll("input")) {
    if (box.type !== "checkbox") box.remove();
    else {
      box.disabled = true;
      box.setAttribute("aria-label", box.checked ? "done" : "to do");
    }
  }
  fragment.querySelectorAll("th").forEach((cell) => cell.textContent.trim() || retag(cell, "td"));
  for (const wide of fragment.querySelectorAll("pre, table")) {
    wide.tabIndex = 0;
    if (wide.tagName === "PRE") {
      wide.setAttribute("role", "region");
      wide.setAttribute("aria-label", "Code");
    }
  }
  return fragment;
}

export function Markdown({ text, project }) {
  const box = useRef(null);
  useLayoutEffect(() => box.current.replaceChildren(rendered(text ?? "", project)), [text, project]);
  return <div class="markdown" ref={box} />;
}

/** An address that somebody gave: a link where it may be gone to, else its text. */
export const Outside = ({ href, children }) => {
  const address = href && safeAddress(href);
  return address ? (
    <a href={address.href} rel="noopener nofollow">
      {children ?? href}
    </a>
  ) : (
    <span>{children ?? href}</span>
  );
};
