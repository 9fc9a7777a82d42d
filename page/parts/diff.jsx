import { useMemo, useState } from "preact/hooks";
import { counted, pairs, rows } from "../diff.mjs";
import { CommentForm } from "./draft.jsx";
import { Markdown } from "./markdown.jsx";
import { Person } from "./marks.jsx";
import { Time } from "./time.jsx";

/** In lines. Longer diffs are folded, so that the page opens quickly. */
const FOLDED_FROM = 400;

/** Comments belong to added or removed lines. Their number is that of the new or the old file. */
const isChanged = (row) => row?.kind === "add" || row?.kind === "del";
const place = (row) => (row.kind === "del" ? { line: row.old, line_type: "old" } : { line: row.new, line_type: "new" });
const isAt = (comment, row) => isChanged(row) && place(row).line === comment.line && place(row).line_type === (comment.line_type ?? "new");

const what = ({ new_file, deleted_file, renamed_file }) => (new_file ? "added" : deleted_file ? "deleted" : renamed_file ? "renamed" : "changed");

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

export function FileDiff({ file, sided, comments, project, sha, comment }) {
  const list = useMemo(() => rows(file.diff), [file.diff]);
  const [open, setOpen] = useState(list.length <= FOLDED_FROM);
  const [writing, setWriting] = useState(null);
  const { added, removed } = counted(list);
  const known = comments.filter((one) => list.some((row) => isAt(one, row)));
  const unplaced = comments.filter((one) => !known.includes(one));
  const first = list.find(isChanged);
  const shared = { known, project, comment, file, sha, writing, setWriting, first };
  return (
    <section class="file" aria-label={file.new_path}>
      <header>
        <h3>
          {file.renamed_file && <span class="quiet">{file.old_path} → </span>}
          {file.new_path}
        </h3>
        <span class="quiet">
          {what(file)} <b class="plus">+{added}</b> <b class="minus">−{removed}</b>
        </span>
      </header>
      {unplaced.map((one) => (
        <CommitComment key={`${one.created_at}${one.note}`} comment={one} project={project} />
      ))}
      {!list.length && <p class="quiet pad">{file.too_large ? "The diff is too long and was not stored. Use git to see it." : "No lines to show: an empty or binary file, or a change of its mode or name."}</p>}
      {list.length > 0 && !open && (
        <p class="pad">
          <button onClick={() => setOpen(true)}>Show {list.length} lines</button>
        </p>
      )}
      {list.length > 0 && open && (
        <div class="scroll" tabIndex={0} role="region" aria-label={`Changes of ${file.new_path}`}>
          <table class={sided ? "diff sided" : "diff"} onKeyDown={moveFocus}>
            {/* the first row spans all columns and sets no widths */}
            {sided && (
              <colgroup>
                <col class="narrow" />
                <col />
                <col class="narrow" />
                <col />
              </colgroup>
            )}
            <tbody>{sided ? pairs(list).map((pair, at) => <Pair key={at} pair={pair} {...shared} />) : list.map((row, at) => <Line key={at} row={row} {...shared} />)}</tbody>
          </table>
        </div>
      )}
    </section>
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
          <button class="at" tabIndex={row === first ? 0 : -1} onClick={() => start(row)} aria-label={`Comment on line ${number}`} title="Comment here">
            {number}
          </button>
        ) : (
          number
        ))}
    </td>
  );
};

const Text = ({ row, span }) => (
  <td class={`text ${row?.kind ?? "none"}`} colSpan={span}>
    {row && row.kind !== "hunk" && row.kind !== "note" && <span class="sign">{SIGNS[row.kind] ?? " "}</span>}
    {row?.text}
  </td>
);

function Line({ row, ...shared }) {
  const number = { row, mayComment: Boolean(shared.comment), start: shared.setWriting, first: shared.first };
  return (
    <>
      <tr>
        <LineNumber {...number} of="old" />
        <LineNumber {...number} of="new" />
        <Text row={row} />
      </tr>
      <Beneath rows={[row]} span={3} {...shared} />
    </>
  );
}

function Pair({ pair: [left, right], ...shared }) {
  if (left?.kind === "hunk" || left?.kind === "note") {
    return (
      <tr>
        <Text row={left} span={4} />
      </tr>
    );
  }
  const number = { mayComment: Boolean(shared.comment), start: shared.setWriting, first: shared.first };
  return (
    <>
      <tr>
        <LineNumber {...number} row={left} of="old" />
        <Text row={left} />
        <LineNumber {...number} row={right} of="new" />
        <Text row={right} />
      </tr>
      <Beneath rows={[left, right]} span={4} {...shared} />
    </>
  );
}

/** The comments on a line, and the form for a new one. */
function Beneath({ rows: beside, span, known, project, comment, file, sha, writing, setWriting }) {
  const here = known.filter((one) => beside.some((row) => isAt(one, row)));
  const open = writing && beside.includes(writing);
  if (!here.length && !open) return null;
  const where = open && { path: file.new_path, ...place(writing) };
  return (
    <tr class="said">
      <td colSpan={span}>
        {here.map((one) => (
          <CommitComment key={`${one.created_at}${one.note}`} comment={one} project={project} />
        ))}
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

export const CommitComment = ({ comment, project }) => (
  <div class="card note">
    <p class="note-head">
      <Person user={comment.author} />
      <span class="quiet">
        <Time at={comment.created_at} />
        {comment.path && ` at ${comment.path}:${comment.line}`}
      </span>
    </p>
    <Markdown text={comment.note} project={project} />
  </div>
);
