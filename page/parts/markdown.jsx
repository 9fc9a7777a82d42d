// Nothing is inserted as HTML: DOMPurify turns marked's output into a fragment, which is tidied and attached. User text can
// have only these tags and attributes.
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { withEmoji } from "./emoji.mjs";
import { footnote, NOTE, placeNotes } from "./footnotes.mjs";
import { coloured, languageNamed } from "./languages.mjs";
import { chunks, isSlow, MOST_ELEMENTS } from "./plain.mjs";
import { references } from "./references.mjs";
import { tasksOf } from "./tasks.mjs";
import { pictureAt, rawOf, uploadOf } from "./uploads.mjs";

const TAGS =
  "a b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins kbd li ol p pre q s samp span strong sub summary sup table tbody td th thead tr ul var".split(
    " ",
  );
// Browsers open `<b>` and the like again in every later paragraph until they are closed, so a few make very many elements.
// HTML in a text has these names until it is a fragment.
const REOPENED = ["x-b", "x-code", "x-em", "x-i", "x-s", "x-strong"];
const PURIFY = {
  ALLOWED_TAGS: [...TAGS, ...REOPENED, NOTE],
  ALLOWED_ATTR: ["href", "src", "alt", "title", "align", "start", "type", "checked", "disabled", "colspan", "rowspan", "class"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: /** @type {const} */ (true),
};
/** The class that marked gives to the code of a block with a language. No text can have another class. */
const LANGUAGE = /^language-[\w+#-]{1,20}$/;
const PROTOCOLS = ["http:", "https:", "mailto:"];

/** Returns the resolved address, or null if its protocol is not allowed. */
function safeAddress(text, base = location.href) {
  try {
    const address = new URL(text, new URL(base, location.href));
    return PROTOCOLS.includes(address.protocol) ? address : null;
  } catch {
    return null;
  }
}

/**
 * Keeps HTML that has only known tags and shows other HTML as text. DOMPurify would remove a style, but the browser reports
 * a violation of the policy as soon as it parses one.
 */
function html({ text }) {
  if (/^\s*<!--[\s\S]*?-->\s*$/.test(text)) return "";
  const tags = [...text.matchAll(/<[/!?]*([^\s/>]*)/g)];
  const known = tags.every(([, name]) => TAGS.includes(name.toLowerCase()));
  if (!known || /style\s*=|[\s/"']on[a-z]+\s*=/i.test(text)) return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return text.replace(/<(\/?)(b|code|em|i|s|strong)(?=[\s/>])/gi, "<$1x-$2");
}

/** An escaped mark in an element of its own, so that `\#1` is no reference. */
const escaped = ({ type, text }) => (type === "escape" && /[#@~%"]/.test(text) ? `<span>${text}</span>` : false);

const EXTENSION = { renderer: { html, text: escaped }, extensions: [footnote] };
const ofComments = new Marked({ gfm: true, breaks: true }, EXTENSION);
/** In a file, lines are broken where its writer's editor did. */
const ofFiles = new Marked({ gfm: true, breaks: false }, EXTENSION);

/** `> [!NOTE]` and the like, also with a title behind it: a quotation that is marked, and begins with its kind or the title. */
const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*([^\n]*)\n?/i;

function markAlert(quote) {
  const first = quote.firstElementChild?.firstChild;
  const [mark, kind, title] = (first?.nodeType === Node.TEXT_NODE && ALERT.exec(first.data)) || [];
  if (!mark) return;
  first.data = first.data.slice(mark.length);
  if (!first.data && first.nextSibling?.localName === "br") first.nextSibling.remove();
  if (!first.parentNode.textContent) first.parentNode.remove();
  quote.className = `alert alert-${kind.toLowerCase()}`;
  const words = title || kind[0].toUpperCase() + kind.slice(1).toLowerCase();
  quote.prepend(Object.assign(document.createElement("p"), { className: "alert-title", textContent: words }));
}

function retag(element, name) {
  const made = document.createElement(name);
  while (element.firstChild) made.append(element.firstChild);
  element.replaceWith(made);
}

/** `base`: what a relative address is relative to. */
function tidyLink(link, project, base) {
  const address = link.hasAttribute("href") ? safeAddress(link.getAttribute("href"), base) : null;
  if (!address) return link.removeAttribute("href");
  link.href = uploadOf(address, project) ?? address.href;
  link.rel = "noopener nofollow";
  if (!link.textContent.trim() && !link.querySelector("img")) link.textContent = address.href;
}

/** The most pictures of a text. Others stay links. */
const MOST_PICTURES = 20;

/** A picture from another server becomes a link, so that a page loads nothing from other servers. */
function tidyPicture(picture, project, base, shownAt) {
  const address = picture.hasAttribute("src") ? safeAddress(picture.getAttribute("src"), base) : null;
  const text = picture.getAttribute("alt") || picture.getAttribute("title") || "picture";
  if (address?.origin === location.origin && /^\/api\/v[34]\/projects\/[^/]+\/badges\//.test(address.pathname)) {
    picture.alt = text;
    return;
  }
  const file = address && (uploadOf(address, project) ?? (base && rawOf(address)));
  const shown = (file && shownAt(file, text)) || text;
  if (!address || picture.closest("a")) return picture.replaceWith(shown);
  const link = Object.assign(document.createElement("a"), { href: address.href });
  link.append(shown);
  picture.replaceWith(link);
}

/** Moves headings below those of the page, whose first one gets the level `top`, and skips no level. */
function tidyHeadings(fragment, top) {
  let before = top - 1;
  for (const heading of fragment.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Math.min(Math.max(Number(heading.tagName[1]) + top - 1, top), before + 1, 6);
    if (!heading.textContent.trim()) retag(heading, "p");
    else {
      retag(heading, `h${level}`);
      before = level;
    }
  }
}

/** Text nodes are read once each. An extension of marked would search the rest of the text at every mark. */
function textsOf(fragment) {
  const texts = [];
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (!walker.currentNode.parentElement?.closest("a, button, code, pre")) texts.push(walker.currentNode);
  return texts;
}

function linkReferences(fragment, project, add) {
  for (const node of textsOf(fragment)) {
    const text = withEmoji(node.data);
    if (text !== node.data) node.data = text;
    const pieces = references(text, project);
    const links = pieces.filter(({ address }) => address).length;
    if (!links) continue;
    add(links);
    const linked = document.createDocumentFragment();
    for (const { text, address } of pieces)
      linked.append(
        address ? Object.assign(document.createElement("a"), { href: address, rel: "noopener nofollow", textContent: text }) : text,
      );
    node.replaceWith(linked);
  }
}

/** A text as a fragment of safe elements. Throws a RangeError if there are more than `most`. */
export function rendered(text, project, most, base) {
  let count = 0;
  const add = (more) => {
    count += more;
    if (count > most) throw new RangeError(`more than ${most} elements`);
  };
  DOMPurify.removeAllHooks();
  DOMPurify.addHook("uponSanitizeAttribute", (element, attribute) => {
    if (attribute.attrName === "class" && !(element.localName === "code" && LANGUAGE.test(attribute.attrValue))) attribute.keepAttr = false;
  });
  DOMPurify.addHook("uponSanitizeElement", ({ nodeType }) => add(nodeType === Node.ELEMENT_NODE ? 1 : 0));
  const fragment = DOMPurify.sanitize((base ? ofFiles : ofComments).parse(text, { async: false }), PURIFY);
  fragment.querySelectorAll(REOPENED.join()).forEach((element) => retag(element, element.localName.slice(2)));
  fragment.querySelectorAll("blockquote").forEach(markAlert);
  let left = MOST_PICTURES;
  const shownAt = (address, alt) => {
    const shown = left > 0 ? pictureAt(address, alt) : null;
    if (shown) left--;
    return shown;
  };
  fragment.querySelectorAll("img").forEach((picture) => tidyPicture(picture, project, base, shownAt));
  fragment.querySelectorAll("a").forEach((link) => tidyLink(link, project, base));
  placeNotes(fragment, textsOf(fragment), add);
  linkReferences(fragment, project, add);
  tidyHeadings(fragment, base ? 2 : 3);
  for (const box of fragment.querySelectorAll("input")) {
    if (box.type !== "checkbox") box.remove();
    else {
      box.disabled = true;
      box.setAttribute("aria-label", box.checked ? "done" : "to do");
    }
  }
  fragment.querySelectorAll("th").forEach((cell) => cell.textContent.trim() || retag(cell, "td"));
  for (const wide of /** @type {NodeListOf<HTMLElement>} */ (fragment.querySelectorAll("pre, table"))) {
    wide.tabIndex = 0;
    if (wide.tagName === "PRE") {
      // no region: those need names of their own
      wide.setAttribute("role", "group");
      wide.setAttribute("aria-label", "Code");
    }
  }
  return fragment;
}

/** In characters, of all blocks of a text. */
const MOST_CODE = 20_000;

/** Colours the blocks whose language is known, a moment after they are shown. */
function colourCode(box) {
  let left = MOST_CODE;
  for (const code of box.querySelectorAll("pre > code[class]")) {
    const text = code.textContent;
    const language = languageNamed(code.className.slice("language-".length));
    if (!language || (left -= text.length) < 0) continue;
    const colour = ({ text, kind }) =>
      kind ? Object.assign(document.createElement("span"), { className: kind, textContent: text }) : text;
    coloured(text, language).then(
      (lines) => lines && code.replaceChildren(...lines.flatMap((line, at) => [...(at ? ["\n"] : []), ...line.map(colour)])),
    );
  }
}

/** Lets the user tick the boxes, if each is that of a task in the text: HTML in the text may have made others. */
function letTick(fragment, text, tick) {
  const boxes = [...fragment.querySelectorAll("input")];
  const tasks = tasksOf(text);
  if (boxes.length !== tasks.length || boxes.some((box, at) => box.checked !== tasks[at].done)) return;
  boxes.forEach((box, at) => {
    box.disabled = false;
    box.setAttribute("aria-label", tasks[at].words.replace(/^.*?\[ \]\s*/, "").slice(0, 120));
    box.addEventListener("change", () => tick.current({ at, words: tasks[at].words }, box.checked));
  });
}

/**
 * A text that is slow to format is shown as it was written, with a button. `onTick(task, done)` is called for a task of
 * `tasksOf`; without it the boxes are only read. `base`: of a file, its address, which relative ones
 * belong to.
 * @param {{ text: string, project?: string, onTick?: (task: number, done: boolean) => void, base?: string }} props
 */
export function Markdown({ text, project, onTick, base }) {
  const tick = useRef(onTick);
  tick.current = onTick;
  const ticks = Boolean(onTick);
  // of which text the reader asked for all, which has too many elements, and which is nested too deep for marked
  const [asked, setAsked] = useState(/** @type {any} */ (null));
  const [large, setLarge] = useState(/** @type {any} */ (null));
  const [deep, setDeep] = useState(/** @type {any} */ (null));
  const box = useRef(/** @type {any} */ (null));
  const written = text ?? "";
  const seemsSlow = useMemo(() => isSlow(written), [written]);
  const isLong = seemsSlow || large === written;
  const isFormatted = deep !== written && (!isLong || asked === written);
  useLayoutEffect(() => {
    if (!isFormatted) return;
    try {
      const fragment = rendered(written, project, isLong ? Infinity : MOST_ELEMENTS, base);
      if (ticks) letTick(fragment, written, tick);
      box.current.replaceChildren(fragment);
      colourCode(box.current);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (isLong) setDeep(written);
      else setLarge(written);
    }
  }, [written, project, isFormatted, ticks]);
  return (
    <>
      {deep === written && <p class="notice">This text is nested too deep to be formatted, so it is shown as it was written.</p>}
      {deep !== written && isLong && (
        <p class="notice">
          {!isFormatted && "Formatting this text could take long, so it is shown as it was written. "}
          <button type="button" class="small" onClick={() => setAsked(isFormatted ? null : written)}>
            {isFormatted ? "Show as written" : "Show formatted"}
          </button>
        </p>
      )}
      {isFormatted ? <div class="markdown" dir="auto" key="formatted" ref={box} /> : <Plain text={written} key="plain" />}
    </>
  );
}

const Plain = ({ text }) => (
  <div class="markdown plain" dir="auto">
    {chunks(text).map((chunk, at) => (
      <div key={at}>{chunk}</div>
    ))}
  </div>
);

/**
 * Links an address from a user. An unsafe address is shown as text.
 * @param {{ href: string, children?: any }} props
 */
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
