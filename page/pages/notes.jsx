import { useEffect, useState } from "preact/hooks";
import { get } from "../api.mjs";
import { Label, Person } from "../parts/marks.jsx";
import { Note } from "../parts/note.jsx";
import { Time } from "../parts/time.jsx";
import { to } from "../route.mjs";

/** The address to change a comment, and a function that reads its newest state. */
function placeOf(path, { id }) {
  const address = `${path}/notes/${id}`;
  return { address, read: () => get(address).then(({ data }) => data) };
}

/** `user`: null for a visitor; `gone` is called when one was deleted. Calls `shown` once after rendering, to scroll to the comment in the address. */
export function Notes({ notes, path, project, issue, known, user, set, gone, more, shown }) {
  useEffect(shown, []);
  const [busy, setBusy] = useState(false);
  const loadMore = () => {
    setBusy(true);
    more().finally(() => setBusy(false));
  };
  const replace = (id, next) => {
    set((before) => before.flatMap((note) => (note.id === id ? (next ? [next] : []) : [note])));
    if (!next) gone();
  };
  if (!notes.length) return <p class="quiet">No comments yet.</p>;
  return (
    <>
      <ol class="notes">
        {grouped(notes).map((group) => {
          const [note] = group;
          if (note.system) return <Events key={note.id} notes={group} project={project} issue={issue} />;
          return (
            <Note
              key={note.id}
              as="li"
              note={note}
              {...placeOf(path, note)}
              project={project}
              known={known}
              user={user}
              replace={replace}
            />
          );
        })}
      </ol>
      {more && (
        <button onClick={loadMore} disabled={busy}>
          {busy ? "Loading …" : "More comments"}
        </button>
      )}
    </>
  );
}

/** Milliseconds between two events of one act. */
const ONE_ACT = 600_000;

/** Each comment by itself, and the events of one person that follow one another together. */
function grouped(notes) {
  const groups = [];
  for (const note of notes) {
    const last = groups.at(-1)?.at(-1);
    const follows = note.system && last?.system && last.author?.id === note.author?.id;
    if (follows && Date.parse(note.created_at) - Date.parse(last.created_at) < ONE_ACT) groups.at(-1).push(note);
    else groups.push([note]);
  }
  return groups;
}

/** Events as one sentence: each has its own place in the address. */
const Events = ({ notes, project, issue }) => (
  <li class="event">
    <Person user={notes[0].author} />{" "}
    {notes.map((note, at) => (
      <span key={note.id} id={`note_${note.id}`}>
        {at > 0 && (at < notes.length - 1 ? ", " : " and ")}
        <Event text={note.body} project={project} issue={issue} />
      </span>
    ))}{" "}
    <Time at={notes.at(-1).created_at} />
  </li>
);

const NAMED = /(~"[^"]*"|(?:[\w.-]+(?:\/[\w.-]+)+@)?\b[0-9a-f]{40,64}\b|@[\w.-]*\w|%\d+|[\w.-]+\/[\w.-]+#\d+|\*\*.*?\*\*(?= →|$))/;

/** Links a label, user, milestone, commit or issue in a system note. */
function Named({ text, project, issue }) {
  if (text[0] === "~") return <Label label={text.slice(2, -1)} project={project} />;
  if (text[0] === "*") return <b>{text.slice(2, -2)}</b>;
  if (text[0] === "@") return <a href={to.person(text.slice(1))}>{text}</a>;
  if (text[0] === "%") {
    const { milestone } = issue;
    return (
      <a href={to.milestone(project, text.slice(1))}>
        {String(milestone?.iid) === text.slice(1) ? milestone.title : `milestone ${text.slice(1)}`}
      </a>
    );
  }
  const [, elsewhere, sha] = /^(?:(.+)@)?([0-9a-f]{40,64})$/.exec(text) ?? [];
  if (sha) {
    return (
      <a class="sha" href={to.commit(elsewhere ?? project, sha)}>
        {elsewhere && `${elsewhere}@`}
        <code>{sha.slice(0, 8)}</code>
      </a>
    );
  }
  const [other, iid] = text.split("#");
  return <a href={to.issue(other, iid)}>{text}</a>;
}

/**
 * The API's words, and those that follow the name of a person.
 * @type {[RegExp, any][]}
 */
const SENTENCES = [
  [/^closed via commit /, "closed this by the commit "],
  [/^closed via a commit$/, "closed this by a commit"],
  [/^mentioned in commit /, "mentioned this in the commit "],
  [/^mentioned in a commit$/, "mentioned this in a commit"],
  [/^Status changed to closed$/, "closed this"],
  [/^Status changed to reopened$/, "reopened this"],
  [/^Reassigned to /, "assigned this to "],
  [/^Assignee removed$/, "removed the assignee"],
  [/^Milestone changed to /, "set the milestone to "],
  [/^Milestone removed$/, "removed the milestone"],
  [/^Changed title: (?=\*\*)/, "changed the title from "],
  [/^Made the issue /, "made this "],
  [/^Moved (to|from) /, "moved this $1 "],
  [/^(Added|Removed) (.*) (labels?)$/, (_, verb, names, labels) => `${verb.toLowerCase()} the ${labels} ${names}`],
];

function sentence(text) {
  const [words, instead] = SENTENCES.find(([words]) => words.test(text)) ?? [/^./, (first) => first.toLowerCase()];
  return text.replace(words, instead);
}

const Event = ({ text, project, issue }) => (
  <span>
    {sentence(text)
      .split(NAMED)
      .map((part, at) => (at % 2 ? <Named key={at} text={part} project={project} issue={issue} /> : part.replace(" → ", " to ")))}
  </span>
);
