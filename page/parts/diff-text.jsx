// The text of a line of a diff: its colours, and which of its words changed; and what is between lines.
import { useEffect, useMemo, useState } from "preact/hooks";
import { STEP } from "../diff.mjs";
import { changedWords, cut } from "../words.mjs";
import { Icon } from "./icons.jsx";
import { coloured, languageOf } from "./languages.mjs";

const isCode = ({ kind }) => kind === "same" || kind === "add" || kind === "del";

/**
 * The coloured pieces of each row, by row; empty until they are there. The lines of either side are read as one text, so a text
 * that began in a line which the diff leaves out has wrong colours.
 * @param {any[]} rows
 * @param {string} path
 * @param {boolean} wanted
 */
export function useColours(rows, path, wanted) {
  const [found, setFound] = useState(new Map());
  useEffect(() => {
    if (!wanted) return;
    let isShown = true;
    const language = languageOf(path);
    const sides = ["del", "add"].map((kind) => rows.filter((row) => isCode(row) && (row.kind === "same" || row.kind === kind)));
    Promise.all(sides.map((list) => coloured(list.map(({ text }) => text).join("\n"), language))).then((texts) => {
      if (!isShown || !texts.some(Boolean)) return;
      setFound(new Map(sides.flatMap((list, side) => list.map((row, at) => [row, texts[side]?.[at]]))));
    });
    return () => void (isShown = false);
  }, [rows, path, wanted]);
  return found;
}

/** The words of a line that changed, against the line that it replaced or that replaced it. */
function wordsOf(row) {
  if (!row.mate) return null;
  const [before, after] = row.kind === "del" ? [row, row.mate] : [row.mate, row];
  return changedWords(before.text, after.text)?.[row.kind === "del" ? 0 : 1] ?? null;
}

export function Words({ row, colours }) {
  const words = useMemo(() => wordsOf(row), [row, row.mate]);
  if (!colours && !words) return row.text;
  const whole = [{ text: row.text }];
  return cut(colours ?? whole, words ?? whole).map(({ text, kind, changed }, at) =>
    changed ? (
      <mark key={at} class={kind}>
        {text}
      </mark>
    ) : (
      <span key={at} class={kind}>
        {text}
      </span>
    ),
  );
}

export const isBetween = (row) => ["hunk", "note", "end"].includes(row?.kind);

function moreWords({ kind, hidden }) {
  if (kind === "end") return "Show lines below";
  if (hidden > STEP) return `Show ${STEP} of ${hidden.toLocaleString("en")} lines above`;
  return `Show ${hidden} ${hidden === 1 ? "line" : "lines"} above`;
}

/**
 * What is between lines, with the button for more of them below the numbers. `sided`: in a table of two sides.
 * @param {{ row: any, sided?: boolean, expand: (gap: any) => void }} props
 */
export const Between = ({ row, sided, expand }) => (
  <tr>
    <td class="no hunk" colSpan={sided ? 1 : 2}>
      {(row.hidden > 0 || row.kind === "end") && (
        <button class="expand" aria-label={moreWords(row)} title={moreWords(row)} onClick={() => expand(row.gap)}>
          <Icon name={row.kind === "end" ? "below" : "above"} />
        </button>
      )}
    </td>
    <td class={`text ${row.kind}`} colSpan={sided ? 3 : 1}>
      {row.text}
    </td>
  </tr>
);
