import { useMemo, useRef, useState } from "preact/hooks";
import { get, inProject } from "../api.mjs";
import { expanded, pairs, STEP } from "../diff.mjs";
import { Between, isBetween, useColours, Words } from "./diff-text.jsx";
import { CommentForm, useSending } from "./draft.jsx";
import { Problem } from "./feedback.jsx";
import { Icon } from "./icons.jsx";
import { later } from "./later.jsx";
import { Counts } from "./marks.jsx";
import { bytesOf, textOf as decoded } from "./places.mjs";
import { useSeen } from "./seen.mjs";
import { CommitComment } from "./talk.jsx";

/** Rows that are drawn together; `.whole-block` has their height. */
const BLOCK = 60;

/** Comments belong to added or removed lines. Their number is that of the new or the old file. */
const isChanged = (row) => row?.kind === "add" || row?.kind === "del";
const place = (row) => (row.kind === "del" ? { line: row.old, line_type: "old" } : { line: row.new, line_type: "new" });
const isAt = (comment, row) => isChanged(row) && place(row).line === comment.line && place(row).line_type === comment.line_type;

/** A test may fail at a line that stayed, because one near it changed. */
const isRemarked = (remark, row) => row?.kind !== "del" && row?.new === remark.line;
/** In one file. */
const MOST_REMARKS = 50;
const Remark = later("reporting", "Remark", true);

const kindOf = ({ new_file, deleted_file, renamed_file }) =>
  new_file ? "added" : deleted_file ? "deleted" : renamed_file ? "renamed" : "changed";

/** Arrow keys move between the buttons of lines, so that the Tab key stops only once in each file. */
function moveFocus(event) {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const all = [...event.currentTarget.querySelectorAll("button.at")];
  const at = all.indexOf(document.activeElement);
  const next = all[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}

/** Servers may store only the files of tips of branches. If nobody changed the file since, the one there is the same. */
async function readFile(address, sha) {
  const { data } = await get(address, { ref: "HEAD" }).catch(() => ({ data: /** @type {any} */ (null) }));
  if (data?.last_commit_id === sha || data?.commit_id === sha) return data;
  try {
    return (await get(address, { ref: sha })).data;
  } catch (error) {
    if (error.status === 422)
      error.message = "The lines around are not here: this server keeps the files of a commit only where a branch or tag ends.";
    throw error;
  }
}

async function readLines(project, sha, path) {
  const data = await readFile(inProject(project, `/repository/files/${encodeURIComponent(path)}`), sha);
  const text = decoded(bytesOf(data.content)) ?? "";
  return text ? text.replace(/\n$/, "").split("\n") : [];
}

/** `{ rows, expand, error }`: the rows of a diff with the lines around them that the reader asked for by `expand(gap)`. */
function useExpanded({ file, list }, project, sha) {
  const [opened, setOpened] = useState({});
  const [lines, setLines] = useState(/** @type {any} */ (null));
  const { error, send } = useSending();
  const hasMore = list.length > 0 && !file.new_file && !file.deleted_file && error?.status !== 422;
  const rows = useMemo(() => (hasMore ? expanded(list, lines, opened) : list), [list, lines, opened, hasMore]);
  async function expand(gap) {
    const found = lines ?? (await send(gap, () => readLines(project, sha, file.new_path)));
    if (!found) return;
    setLines(found);
    setOpened((before) => ({ ...before, [gap]: (before[gap] ?? 0) + STEP }));
  }
  return { rows, expand, error };
}

/**
 * `open` and `turn(open)`: whether the lines are shown. `read` and `mark(read)`: whether the reader has read them. `place`: where
 * the file is among all, in words. `remarks`: what CI found in it.
 */
export function FileDiff({ changed, open, turn, read, mark, place, sided, comments, remarks, project, sha, comment }) {
  const { file, list, added, removed, id, reasons } = changed;
  const [writing, setRow] = useState(/** @type {any} */ (null));
  // the number of the line gets the focus back
  const from = useRef(/** @type {any} */ (null));
  const setWriting = (row, button) => {
    setRow(row);
    if (row) from.current = button;
    else from.current?.focus();
  };
  const known = comments.filter((one) => list.some((row) => isAt(one, row)));
  const unplaced = comments.filter((one) => !known.includes(one));
  const placed = useMemo(() => {
    const lines = new Set(list.filter((row) => row.kind !== "del").map((row) => row.new));
    return remarks.filter((one) => lines.has(one.line));
  }, [remarks, list]);
  const remarked = placed.slice(0, MOST_REMARKS);
  const { rows, expand, error } = useExpanded(changed, project, sha);
  const [element, seen] = useSeen("1200px");
  const colours = useColours(rows, file.new_path, open && seen);
  const shared = { expand, colours, known, remarked, project, comment, file, sha, writing, setWriting, first: list.find(isChanged) };
  return (
    <section class="file" aria-label={file.new_path} id={id} ref={element}>
      <header>
        <h3>
          <button class="turn" aria-expanded={open} onClick={() => turn(!open)} title={open ? "Collapse" : "Expand"}>
            <Icon name={open ? "down" : "right"} />
            {file.new_path}
          </button>
        </h3>
        <span class="quiet">
          {kindOf(file)} {list.length > 0 && <Counts added={added} removed={removed} />}
          {place && (
            <a href="#changes" title="To the list of files">
              {place}
            </a>
          )}
          <label class="check">
            <input type="checkbox" checked={read} onChange={(event) => mark(event.currentTarget.checked)} />
            Read<span class="unseen"> {file.new_path}</span>
          </label>
        </span>
      </header>
      {open && (
        <>
          {reasons.map((reason) => (
            <p class="quiet pad" key={reason}>
              {reason}
            </p>
          ))}
          {placed.length > MOST_REMARKS && (
            <p class="quiet pad">{placed.length - MOST_REMARKS} more lines have failing tests or findings.</p>
          )}
          {unplaced.map((one) => (
            <CommitComment key={one.id} comment={one} project={project} />
          ))}
          {error && <Problem error={error} />}
          {list.length > 0 && <Lines key={sided} list={rows} sided={sided} path={file.new_path} shared={shared} />}
        </>
      )}
    </section>
  );
}

function Lines({ list, sided, path, shared }) {
  const blocks = useMemo(() => {
    const all = pairs(list);
    const shown = sided ? all : list;
    return Array.from({ length: Math.ceil(shown.length / BLOCK) }, (_, at) => shown.slice(at * BLOCK, (at + 1) * BLOCK));
  }, [list, sided]);
  return (
    <div class={sided ? "lines sided" : "lines"} role="group" aria-label={`Changes of ${path}`} onKeyDown={moveFocus}>
      {blocks.map((rows, at) => (
        <Block key={at} rows={rows} sided={sided} shared={shared} />
      ))}
    </div>
  );
}

const textOf = (row) => (Array.isArray(row) ? [...new Set(row.filter(Boolean).map(({ text }) => text))].join("  ") : row.text);

/**
 * Rows as a table once they come near the screen. Until then they are one text of as many lines: laid out quickly, of the same
 * height, and found by the browser's search.
 */
function Block({ rows, sided, shared }) {
  const [element, seen] = useSeen("1200px");
  // a comment or remark would push what follows
  const all = rows.flat();
  const isSaid =
    shared.known.some((one) => all.some((row) => row && isAt(one, row))) ||
    shared.remarked.some((one) => all.some((row) => isRemarked(one, row)));
  if (!seen && !isSaid) {
    return (
      <div class={rows.length === BLOCK ? "ahead whole-block" : "ahead"} ref={element}>
        {rows.map(textOf).join("\n")}
      </div>
    );
  }
  return (
    <table class={sided ? "diff sided" : "diff"} ref={element}>
      <colgroup>
        <col class="narrow" />
        <col class={sided ? undefined : "narrow"} />
        {sided && <col class="narrow" />}
        <col />
      </colgroup>
      <tbody>{rows.map((row, at) => (sided ? <Pair key={at} pair={row} {...shared} /> : <Line key={at} row={row} {...shared} />))}</tbody>
    </table>
  );
}

const SIGNS = { add: "+", del: "−" };

/** A button if the user may comment on the line. */
const LineNumber = ({ row, of, mayComment, start, first }) => {
  const number = row?.[of];
  return (
    <td class={`no ${row?.kind ?? "none"}`}>
      {number !== undefined &&
        (mayComment && isChanged(row) ? (
          <button
            class="at"
            tabIndex={row === first ? 0 : -1}
            onClick={(event) => start(row, event.currentTarget)}
            aria-label={`Comment on line ${number}`}
            title="Comment here"
          >
            {number}
          </button>
        ) : (
          number
        ))}
    </td>
  );
};

const Text = ({ row, colours }) => (
  <td class={`text ${row?.kind ?? "none"}`}>
    {row && (
      <>
        <span class="sign">{SIGNS[row.kind] ?? " "}</span>
        <Words row={row} colours={colours.get(row)} />
      </>
    )}
  </td>
);

function Line({ row, ...shared }) {
  if (isBetween(row)) return <Between row={row} expand={shared.expand} />;
  const number = { row, mayComment: Boolean(shared.comment), start: shared.setWriting, first: shared.first };
  return (
    <>
      <tr>
        <LineNumber {...number} of="old" />
        <LineNumber {...number} of="new" />
        <Text row={row} colours={shared.colours} />
      </tr>
      <Beneath rows={[row]} span={3} {...shared} />
    </>
  );
}

function Pair({ pair: [left, right], ...shared }) {
  if (isBetween(left)) return <Between row={left} expand={shared.expand} sided />;
  const number = { mayComment: Boolean(shared.comment), start: shared.setWriting, first: shared.first };
  return (
    <>
      <tr>
        <LineNumber {...number} row={left} of="old" />
        <Text row={left} colours={shared.colours} />
        <LineNumber {...number} row={right} of="new" />
        <Text row={right} colours={shared.colours} />
      </tr>
      <Beneath rows={[left, right]} span={4} {...shared} />
    </>
  );
}

/**
 * What CI found at a line, the comments on it, and the form for a new one.
 * @param {Partial<Record<"known" | "remarked" | "project" | "comment" | "file" | "sha" | "writing" | "setWriting", any>> & { rows: any[], span: number }} props
 */
function Beneath({ rows: beside, span, known, remarked, project, comment, file, sha, writing, setWriting }) {
  const here = known.filter((one) => beside.some((row) => isAt(one, row)));
  const found = remarked.filter((one) => beside.some((row) => isRemarked(one, row)));
  const last = here.at(-1);
  const open = writing && beside.includes(writing);
  if (!here.length && !found.length && !open) return null;
  const where = open && { path: file.new_path, ...place(writing) };
  return (
    <tr class="said">
      <td colSpan={span}>
        {found.map((one) => (
          <Remark key={one.id} remark={one} />
        ))}
        {here.map((one) => (
          <CommitComment key={one.id} comment={one} project={project} />
        ))}
        {last && comment && (
          <button
            class="small"
            onClick={(event) =>
              setWriting(
                beside.find((row) => isAt(last, row)),
                event.currentTarget,
              )
            }
          >
            Answer<span class="unseen"> at line {last.line}</span>
          </button>
        )}
        {open && (
          <CommentForm
            name={`${project}@${sha} ${where.path}:${where.line}${where.line_type}`}
            label={`Comment on line ${where.line}`}
            project={project}
            rows={3}
            post={(note, once) => comment({ note, ...where }, once)}
            onCancel={() => setWriting(null)}
          />
        )}
      </td>
    </tr>
  );
}
