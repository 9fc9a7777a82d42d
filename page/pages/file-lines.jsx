// The lines of a file, with links to them and colours.
import { useEffect, useMemo, useState } from "preact/hooks";
import { coloured, languageOf } from "../parts/languages.mjs";
import { linesOf } from "../parts/places.mjs";
import { useSeen } from "../parts/seen.mjs";

/** How many lines are drawn together. */
const BLOCK = 60;

/** A link to a line is in the address; `#L7-12` are several. */
export function Lines({ text, path }) {
  const lines = useMemo(() => text.replace(/\n$/, "").split("\n"), [text]);
  const [pieces, setPieces] = useState(/** @type {any} */ (null));
  useEffect(() => {
    let isShown = true;
    setPieces(null);
    coloured(text, languageOf(path)).then((found) => isShown && setPieces(found));
    return () => (isShown = false);
  }, [text, path]);
  const [chosen, setChosen] = useState(() => linesOf(location.hash));
  useEffect(() => {
    const follow = () => setChosen(linesOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    if (chosen) document.getElementById(`L${chosen[0]}`)?.scrollIntoView({ block: "center" });
  }, [text]);
  const blocks = Array.from({ length: Math.ceil(lines.length / BLOCK) }, (_, at) => at);
  // the block of the chosen line is a table at once, so that its line can be scrolled to
  const of = chosen && Math.floor((chosen[0] - 1) / BLOCK);
  return (
    <div class="lines file" role="group" aria-label={`Lines of ${path}`}>
      {blocks.map((at) => {
        const Part = at === of ? Table : Block;
        return <Part key={at} first={at * BLOCK} lines={lines.slice(at * BLOCK, (at + 1) * BLOCK)} pieces={pieces} chosen={chosen} />;
      })}
    </div>
  );
}

/** One text of the same height as its table, until it comes near the screen. */
function Block(given) {
  const [element, seen] = useSeen("1200px");
  if (seen) return <Table {...given} />;
  return (
    <div class={given.lines.length === BLOCK ? "ahead whole-block" : "ahead"} ref={element}>
      {given.lines.join("\n")}
    </div>
  );
}

/** `pieces`: the coloured pieces of all lines, or null. */
const Table = ({ first, lines, pieces, chosen }) => (
  <table class="diff source">
    <colgroup>
      <col class="narrow" />
      <col />
    </colgroup>
    <tbody>
      {lines.map((line, at) => {
        const number = first + at + 1;
        const isChosen = chosen && number >= chosen[0] && number <= chosen[1];
        return (
          <tr key={number} id={`L${number}`} class={isChosen ? "chosen" : undefined}>
            <td class="no">
              <a href={`#L${number}`} tabIndex={number === 1 ? 0 : -1}>
                {number}
              </a>
            </td>
            <td class="text">
              {pieces?.[number - 1]?.map(({ text, kind }, at) => (
                <span key={at} class={kind}>
                  {text}
                </span>
              )) ?? line}
            </td>
          </tr>
        );
      })}
    </tbody>
  </table>
);
