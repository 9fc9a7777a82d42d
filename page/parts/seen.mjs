import { useEffect, useRef, useState } from "preact/hooks";

/** Whether an element has come into sight: what is below the screen is asked for when somebody goes there. */
export function useSeen() {
  const [seen, setSeen] = useState(false);
  const element = useRef(null);
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => entry.isIntersecting && setSeen(true), { rootMargin: "200px" });
    watcher.observe(element.current);
    return () => watcher.disconnect();
  }, []);
  return [element, seen];
}

const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel"];

/** Whether somebody has done anything on the page since it opened: what only they need can wait for that. */
export function useTouched() {
  const [touched, setTouched] = useState(false);
  useEffect(() => {
    const done = () => setTouched(true);
    const options = { once: true, passive: true };
    SIGNS.forEach((sign) => addEventListener(sign, done, options));
    return () => SIGNS.forEach((sign) => removeEventListener(sign, done, options));
  }, []);
  return touched;
}
