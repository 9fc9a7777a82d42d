// Whether lists have a line for each entry: a choice of this browser. By default they do, except on phones, where a
// line has no room.
import { useState } from "preact/hooks";
import { Icon } from "./icons.jsx";

const KEY = "edgeforge-dense";
const read = () => (localStorage.getItem(KEY) ?? (matchMedia("(min-width: 52rem)").matches ? "yes" : "no")) !== "no";
const paint = (dense) => document.documentElement.classList.toggle("dense-lists", dense);
paint(read());

/** `[dense, button]`: whether lists are dense, and the button that changes it. */
export function useDensity() {
  const [dense, setDense] = useState(read);
  const turn = () => {
    localStorage.setItem(KEY, dense ? "no" : "yes");
    paint(!dense);
    setDense(!dense);
  };
  const button = (
    <button class="small" type="button" aria-label="Compact" aria-pressed={dense} onClick={turn} title="One line for each entry">
      <Icon name="lines" />
    </button>
  );
  return [dense, button];
}
