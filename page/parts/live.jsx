// Shows that other people have changed something. A page asks when it gets the focus and each half minute that it is seen, by the tag that it has.
import { useEffect, useState } from "preact/hooks";
import { later } from "./later.jsx";

const News = later("finding", "News", true);
const EACH = 30_000;
/** Between two questions, however often the focus comes and goes. */
const LEAST = 3000;

/**
 * `of`: the answer of `useApi`. `words(before, now)`: what is new in another answer to it, in words, or null. `show`: what a click on
 * them does.
 * @param {{ of: import("../api.mjs").Asked, words: (before: any, now: any) => string | null, show?: () => unknown }} props
 */
export function Live({ of, words, show = of.reload }) {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let last = performance.now();
    const look = () => {
      if (document.visibilityState !== "visible" || performance.now() - last < LEAST) return;
      last = performance.now();
      setTurn((before) => before + 1);
    };
    const timer = setInterval(look, EACH);
    addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return turn ? <News of={of} words={words} show={show} turn={turn} /> : null;
}

const timeOf = ({ updated_at, created_at }) => Date.parse(updated_at ?? created_at);

/** For a list: how many of its entries are later than all that are shown. */
export const newer = (one, many) => (before, now) => {
  const last = Math.max(0, ...before.map(timeOf));
  const count = now.filter((entry) => timeOf(entry) > last).length;
  return count ? `${count} ${count === 1 ? one : many}` : null;
};
