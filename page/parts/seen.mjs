import { useEffect, useRef, useState } from "preact/hooks";

/**
 * True after the element came within `near` of the visible area.
 * @returns {[import("preact").RefObject<any>, boolean]}
 */
export function useSeen(near = "200px") {
  const [seen, setSeen] = useState(false);
  const element = useRef(/** @type {any} */ (null));
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => entry.isIntersecting && setSeen(true), { rootMargin: near });
    watcher.observe(element.current);
    return () => watcher.disconnect();
  }, []);
  return [element, seen];
}

const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel"];

/** True after the user moved or typed. Requests that reading does not need wait for this. */
export function useTouched() {
  const [touched, setTouched] = useState(false);
  useEffect(() => {
    const done = () => setTouched(true);
    const options = { once: true, passive: true };
    SIGNS.forEach((sign) => addEventListener(sign, done, options));
    return () => SIGNS.forEach((sign) => removeEventListener(sign, done));
  }, []);
  return touched;
}
