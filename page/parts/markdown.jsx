// Nothing is inserted as HTML: DOMPurify turns marked's output into a fragment, which is tidied and attached. User text can
// have only these tags and attributes.
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

/** Returns the resolved address, or null if its protocol is not allowed. */
export function safeAddress(text) {
  try {
    const address = new URL(text, location.href);
    return PROTOCOLS.includes(address.protocol) ? address : null;
  } catch {
    return null;
  }
}

/** Links `#12`, `@ann` and full commit hashes. */
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
 * Keeps HTML that has only known tags and shows other HTML as text. DOMPurify would remove a style, but the browser reports
 * a violation of the policy as soon as it parses one.
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

/** A picture from another server becomes a link, so that a page loads nothing from other servers. */
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

/** Moves headings below those of the page and skips no level. */
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

/** Links an address from a user. An unsafe address is shown as text. */
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
