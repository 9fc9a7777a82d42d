// Follows links between these pages without reloading, and restores the scroll position of a page.
import { isPage } from "./route.mjs";

const fragment = () => location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));

/** Scrolls to the element of the fragment. The browser cannot, because elements are added after loading. */
export const scrollToFragment = () => {
  const found = fragment();
  if (found) found.scrollIntoView();
};

/** Each entry of the history stores its scroll position: the browser would scroll before the list is there. */
history.scrollRestoration = "manual";
const SETTLED = 150;
const PATIENCE = 8000;
let stopWaiting = () => {};
let timer;
/** True while a page returns to its position, which is then not stored. */
let isComing = false;

function keepPlace() {
  clearTimeout(timer);
  if (!isComing) history.replaceState({ ...history.state, scroll: Math.round(scrollY) }, "");
}

/** Scrolls to the place of the entry as soon as the page is long enough, unless the user scrolls first. */
function comeBack() {
  stopWaiting();
  const place = history.state?.scroll ?? 0;
  const until = performance.now() + PATIENCE;
  const signs = ["wheel", "touchstart", "keydown", "pointerdown"];
  let waits = true;
  isComing = true;
  stopWaiting = () => {
    if (waits) isComing = false;
    waits = false;
    signs.forEach((sign) => removeEventListener(sign, stopWaiting));
  };
  signs.forEach((sign) => addEventListener(sign, stopWaiting, { passive: true }));
  const look = () => {
    if (!waits) return;
    const isLong = document.documentElement.scrollHeight - innerHeight >= place;
    if (isLong) scrollTo(0, place);
    if (isLong || performance.now() > until) stopWaiting();
    else requestAnimationFrame(look);
  };
  // the page of the entry is drawn first
  requestAnimationFrame(() => requestAnimationFrame(look));
}

/** What a page does first when the browser leaves it: requests fail as soon as the place is kept. */
export const leaving = new Set();
function leave(event) {
  leaving.forEach((act) => act(event));
  keepPlace();
}

/** Calls `changed` when the address changes. Returns a function that stops this. */
export function follow(changed) {
  const clicked = (event) => {
    const link = event.target.closest?.("a[href]");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
    const to = new URL(link.href);
    if (to.origin !== location.origin || !isPage(to.pathname)) return;
    if (to.hash && to.pathname === location.pathname && to.search === location.search) return;
    event.preventDefault();
    goTo(to.href);
  };
  const moved = (event) => {
    clearTimeout(timer);
    changed();
    // a link to a place in this page has made a new entry, which has no position yet
    if (event.isTrusted && history.state?.scroll !== undefined) comeBack();
  };
  const scrolled = () => {
    clearTimeout(timer);
    timer = setTimeout(keepPlace, SETTLED);
  };
  document.addEventListener("click", clicked);
  addEventListener("popstate", moved);
  addEventListener("scroll", scrolled, { passive: true });
  addEventListener("pagehide", leave);
  if (history.state?.scroll === undefined) keepPlace();
  // after a reload
  else if (!location.hash) comeBack();
  return () => {
    document.removeEventListener("click", clicked);
    removeEventListener("popstate", moved);
    removeEventListener("scroll", scrolled);
    removeEventListener("pagehide", leave);
  };
}

/** `replace`: replaces the entry of the history. `stays`: the page is the same, so position and focus stay. */
export function goTo(address, { replace = false, stays = false } = {}) {
  stopWaiting();
  keepPlace();
  history[replace ? "replaceState" : "pushState"]({ followed: !replace && !stays, scroll: stays ? Math.round(scrollY) : 0 }, "", address);
  if (!replace && !stays) scrollTo(0, 0);
  dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
}
