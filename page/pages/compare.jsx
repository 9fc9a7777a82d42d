// `/:namespace/:project/-/compare` and `/:namespace/:project/-/compare/:from...:until`, with two dots for all that differs
import { useId, useMemo, useState } from "preact/hooks";
import { inProject, useApi } from "../api.mjs";
import { changedFiles } from "../diff.mjs";
import { goTo } from "../navigate.mjs";
import { ChangedFiles } from "../parts/changes.jsx";
import { Answer, Empty, Problem, quoted, SignInButton } from "../parts/feedback.jsx";
import { useKnown } from "../parts/known.mjs";
import { Counts } from "../parts/marks.jsx";
import { listQuery } from "../parts/pager.jsx";
import { usePaused } from "../parts/picker.jsx";
import { Beneath, ProjectHead, TitleRow } from "../parts/project.jsx";
import { listOf, Suggesting } from "../parts/suggesting.jsx";
import { keepTrail } from "../parts/trail.mjs";
import { to } from "../route.mjs";
import { CommitList } from "../parts/commits.jsx";

const RANGE = /^(.+?)(\.\.\.?)(.+)$/s;

export function ComparePage({ project, range, search, session }) {
  const { filter } = listQuery(search);
  const [, from = filter.from ?? range, dots = "...", until = filter.to] = RANGE.exec(range ?? "") ?? [];
  const isWhole = Boolean(from && until);
  const { known } = useKnown(project, !from);
  return (
    <>
      <ProjectHead project={project} tab="commits" />
      <TitleRow
        title={`${isWhole ? `Compare ${from} and ${until}` : "Compare"} · ${project}`}
        heading="Compare"
        beside={<Beneath project={project} tab="commits" sub="compare" />}
      />
      <Ends project={project} from={from ?? known?.default_branch ?? undefined} until={until} dots={dots} />
      {isWhole ? (
        <Compared project={project} from={from} until={until} dots={dots} signedIn={Boolean(session?.id)} />
      ) : (
        <p class="quiet">Choose two branches or tags, or write hashes of commits.</p>
      )}
    </>
  );
}

function Ends({ project, from: first = "", until: second = "", dots }) {
  const [given, setGiven] = useState(/** @type {{ from?: string, until?: string }} */ ({}));
  const { from = first, until = second } = given;
  const go = (one, other) => goTo(to.compare(project, one.trim(), other.trim(), dots));
  const compare = (event) => {
    event.preventDefault();
    go(from, until);
  };
  const swap = () => (from.trim() && until.trim() ? go(until, from) : setGiven({ from: until, until: from }));
  return (
    <form class="filters" onSubmit={compare}>
      <RefField label="From" project={project} value={from} change={(value) => setGiven({ ...given, from: value })} />
      <RefField label="To" project={project} value={until} change={(value) => setGiven({ ...given, until: value })} />
      <button type="button" onClick={swap}>
        Swap
      </button>
      <button class="primary">Compare</button>
    </form>
  );
}

/** A branch, a tag or a hash. Suggestions are fetched once the field has the focus. */
function RefField({ label, project, value, change }) {
  const id = useId();
  const [used, setUsed] = useState(false);
  const words = usePaused(value.trim());
  const query = { search: words || undefined, per_page: 20 };
  const branches = useApi(used && inProject(project, "/repository/branches"), query);
  const tags = useApi(used && inProject(project, "/repository/tags"), query);
  const [ofBranches, ofTags] = [listOf(branches), listOf(tags)];
  const options =
    words === value.trim() && ofBranches && ofTags
      ? [...ofBranches.map(({ name }) => [name, "Branch"]), ...ofTags.map(({ name }) => [name, "Tag"])]
      : null;
  return (
    <div class="ref-field">
      <label for={id}>{label}</label>
      <Suggesting
        about={{ id, required: true, spellcheck: false, onFocus: () => setUsed(true) }}
        suggestions={options}
        value={value}
        change={change}
      />
    </div>
  );
}

const Command = ({ from, until, dots }) => (
  <pre tabIndex={0} role="region" aria-label="Command">
    git diff {quoted(`${from}${dots}${until}`)}
  </pre>
);

function Compared({ project, from, until, dots, signedIn }) {
  const answer = useApi(inProject(project, "/repository/compare"), { from, to: until, straight: dots === ".." || undefined });
  if (answer.error) return <Refused error={answer.error} retry={answer.reload} signedIn={signedIn} ends={{ from, until, dots }} />;
  return (
    <Answer of={answer} what="Comparing">
      {(data) => <Differences data={data} project={project} ends={{ from, until, dots }} />}
    </Answer>
  );
}

/** The server answers 503 for files that are on their way, and 422 for files that it does not store, or for too many. */
function Refused({ error, retry, signedIn, ends }) {
  const { status, message } = error;
  if (status === 404) {
    return (
      <Empty title="One of them is no branch, tag or commit here.">
        <p>It is misspelled, or {signedIn ? "you do not have access to them" : "you need to sign in to see them"}.</p>
        {!signedIn && <SignInButton />}
      </Empty>
    );
  }
  if (status !== 503 && status !== 422) return <Problem error={error} retry={retry} />;
  return (
    <Empty title={status === 503 ? "The files of these commits have not arrived yet." : "This server cannot compare the two."}>
      <p>
        {status === 503
          ? "The hook of the git server sends them after a push."
          : `The reason: ${message.replace(/^Unprocessable entity - /, "")}.`}{" "}
        In a clone, git shows the difference:
      </p>
      <Command {...ends} />
      {status === 503 && (
        <p class="actions">
          <button onClick={() => retry()}>Try again</button>
        </p>
      )}
    </Empty>
  );
}

const sum = (files, name) => files.reduce((all, file) => all + file[name], 0);

function Differences({ data, project, ends: { from, until, dots } }) {
  const { commits, diffs, compare_timeout: isCut, compare_same_ref: isSame, web_url } = data;
  const answer = useMemo(() => ({ data: diffs, next: null, total: diffs.length }), [diffs]);
  const stats = useMemo(() => {
    const files = changedFiles(diffs, null, true);
    return { additions: sum(files, "added"), deletions: sum(files, "removed") };
  }, [diffs]);
  const newest = useMemo(() => [...commits].reverse(), [commits]);
  const [begin, end] = web_url
    .split("/")
    .at(-1)
    .split(/\.{2,3}/);
  keepTrail(inProject(project, "/repository/commits"), { begin, end }, {}, { commits: newest, next: null });
  if (isSame) return <Empty title="Both are the same commit." />;
  return (
    <>
      <div class="byline">
        <Ways project={project} from={from} until={until} dots={dots} />
        <Counts added={stats.additions} removed={stats.deletions} />
        <a href={to.compare(project, begin, end, dots)}>Permanent link</a>
      </div>
      {isCut && (
        <div class="notice">
          <p>
            Not all changes are shown: there are more than 1,000 files, or lines of more than 5 MB, or a file with more than 200 kB of them.
            In a clone, git shows all:
          </p>
          <Command from={from} until={until} dots={dots} />
        </div>
      )}
      <Commits commits={newest} project={project} from={from} until={until} dots={dots} open={!diffs.length} />
      <ChangedFiles answer={answer} project={project} sha={end} stats={stats}>
        <p>
          {dots === "..." && commits.length > 0
            ? "The commits undo each other, or the two have no commit in common. Then “All that differs” shows the files."
            : "The files of the two are the same."}
        </p>
      </ChangedFiles>
    </>
  );
}

const WAYS = [
  ["...", "Since both met"],
  ["..", "All that differs"],
];

const Ways = ({ project, from, until, dots }) => (
  <nav class="tabs small" aria-label="What is compared">
    {WAYS.map(([way, words]) => (
      <a key={way} href={to.compare(project, from, until, way)} aria-current={way === dots ? "true" : undefined}>
        {words}
      </a>
    ))}
  </nav>
);

const STEP = 50;

/** Folded if changed files follow, so that the files are visible at once. */
function Commits({ commits, project, from, until, dots, open }) {
  const [shown, setShown] = useState(STEP);
  return (
    <details open={open || !commits.length}>
      <summary>
        <h2>
          Commits <span class="count">{commits.length.toLocaleString("en")}</span>
        </h2>
      </summary>
      {commits.length ? (
        <CommitList commits={commits.slice(0, shown)} project={project} />
      ) : (
        <Empty title="No commits.">
          <p>
            All commits of {until} are in {from}, too. <a href={to.compare(project, until, from, dots)}>The other way round</a>
          </p>
        </Empty>
      )}
      {commits.length > shown && (
        <p class="actions">
          <button onClick={() => setShown(shown + 2 * STEP)}>More commits</button>
        </p>
      )}
    </details>
  );
}
