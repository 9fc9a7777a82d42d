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
