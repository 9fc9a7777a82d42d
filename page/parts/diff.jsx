// A changed file with the comments at its lines.
import { useMemo, useState } from "preact/hooks";
import { counted, pairs, rows } from "../diff.mjs";
import { CommentForm } from "./draft.jsx";
import { Markdown } from "./markdown.jsx";
import { Person } from "./marks.jsx";
import { Time } from "./time.jsx";

/** Longer ones are folded, so that a page of them opens at once. */
const FOLDED_FROM = 400;

/** Comments stand at lines that were added or removed, which count in the new or the old file. */
const isChanged = (row) => row?.kind === "add" || row?.kind === "del";
const place = (row) => (row.kind === "del" ? { line: row.old, line_type: "old" } : { line: row.new, line_type: "new" });
const isAt = (comment, row) => isChanged(row) && place(row).line === comment.line && place(row).line_type === (comment.line_type ?? "new");

const what = ({ new_file, deleted_file, renamed_file }) => (new_file ? "added" : deleted_file ? "deleted" : renamed_file ? "renamed" : "changed");

/** Up and down go from one line's button to the next: each file is one stop of the tabulator. */
function walk(event) {
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
  const adrift = comments.filter((one) => !known.includes(one));
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
      {adrift.map((one) => (
        <Said key={`${one.created_at}${one.note}`} comment={one} project={project} />
      ))}
      {!list.length && <p class="quiet pad">{file.too_large ? "The change is too long to be kept." : "No lines: an empty file, a mode or something binary."}</p>}
      {list.length > 0 && !open && (
        <p class="pad">
          <button onClick={() => setOpen(true)}>Show {list.length} lines</button>
        </p>
      )}
      {list.length > 0 && open && (
        <div class="scroll" tabIndex={0} role="region" aria-label={`Changes of ${file.new_path}`}>
          <table class={sided ? "diff sided" : "diff"} onKeyDown={walk}>
            {/* the first row spans all columns and gives no widths */}
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

/** A line's number, which is a button where somebody may write at it. */
const LineNumber = ({ row, of, can, start, first }) => {
  const number = row?.[of];
  return (
    <td class={`no ${row?.kind ?? "none"}`}>
      {number !== undefined &&
        (can && isChanged(row) ? (
          <button class="at" tabIndex={row === first ? 0 : -1} onClick={() => start(row)} aria-label={`Comment at line ${number}`} title="Comment here">
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
  const number = { row, can: Boolean(shared.comment), start: shared.setWriting, first: shared.first };
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
  const number = { can: Boolean(shared.comment), start: shared.setWriting, first: shared.first };
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

/** What was said at a line, and the field to say something. */
function Beneath({ rows: beside, span, known, project, comment, file, sha, writing, setWriting }) {
  const said = known.filter((one) => beside.some((row) => isAt(one, row)));
  const open = writing && beside.includes(writing);
  if (!said.length && !open) return null;
  const where = open && { path: file.new_path, ...place(writing) };
  return (
    <tr class="said">
      <td colSpan={span}>
        {said.map((one) => (
          <Said key={`${one.created_at}${one.note}`} comment={one} project={project} />
        ))}
        {open && (
          <CommentForm
            name={`${project}@${sha} ${where.path}:${where.line}${where.line_type}`}
            label={`Comment at line ${where.line}`}
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

export const Said = ({ comment, project }) => (
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
