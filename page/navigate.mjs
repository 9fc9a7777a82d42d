// Follows links between these pages without reloading.
import { isPage } from "./route.mjs";

const fragment = () => location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));

/** The browser cannot scroll to elements that are added after loading. */
export const scrollToFragment = () => {
  const found = fragment();
  if (found) found.scrollIntoView();
};

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
  const moved = () => changed();
  document.addEventListener("click", clicked);
  addEventListener("popstate", moved);
  return () => {
    document.removeEventListener("click", clicked);
    removeEventListener("popstate", moved);
  };
}

export function goTo(address, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"]({ followed: !replace }, "", address);
  if (!replace) scrollTo(0, 0);
  dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
}
