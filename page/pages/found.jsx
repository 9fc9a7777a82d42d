// What the field in the head finds: first records that the text names, then lists of each kind with their counts.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, inProject, useApi } from "../api.mjs";
import { Icon } from "../parts/icons.jsx";
import { useKnown } from "../parts/known.mjs";
import { Face } from "../parts/marks.jsx";
import { usePaused } from "../parts/picker.jsx";
import { typed } from "../parts/typed.mjs";
import { seesCommits } from "../rights.mjs";
import { to } from "../route.mjs";
import { userOf } from "../session.mjs";
import { apiQuery } from "./issue-filters.jsx";
import { projectOf } from "./issues.jsx";

const NUMBER = /^#?(\d{1,9})$/;
const ELSEWHERE = /^([\w.-]+\/[\w.-]+)#(\d{1,9})$/;
const HASH = /^[0-9a-f]{7,64}$/;
const FEW = 5;
const FEWER = 3;

const NONE = { paths: [], isPart: false };
const listed = new Map();

/** The paths of the project's files, which are read once, in one request. The API refuses it where they are very many. */
function usePaths(project) {
  const [, setRead] = useState({});
  useEffect(() => {
    if (!project || listed.has(project)) return;
    const keep = (found) => {
      listed.set(project, found);
      setRead({});
    };
    listed.set(project, { ...NONE, reads: true });
    get(inProject(project, "/repository/tree"), { ref: "HEAD", recursive: true, pagination: "none" }).then(
      ({ data }) => keep({ paths: data.filter(({ type }) => type === "blob").map(({ path }) => path), isPart: false }),
      ({ status }) => {
        keep({ ...NONE, isPart: status === 422 });
        // the next search tries again
        if (status !== 422) listed.delete(project);
      },
    );
  }, [project]);
  return listed.get(project) ?? NONE;
}

const nameOf = (path) => path.slice(path.lastIndexOf("/") + 1);
/** Lower is nearer: the whole path or name, the beginning of the name, inside the name, inside the path. */
function distance(path, words) {
  const [whole, name] = [path.toLowerCase(), nameOf(path).toLowerCase()];
  const fits = [whole === words || name === words, name.startsWith(words), name.includes(words), whole.includes(words)];
  const at = fits.indexOf(true);
  return at < 0 ? null : at;
}

/** The paths with the words, the nearest first. */
export const nearest = (paths, words) =>
  paths
    .map((path) => ({ path, far: distance(path, words.toLowerCase()) }))
    .filter(({ far }) => far !== null)
    .sort((one, other) => one.far - other.far || one.path.length - other.path.length || (one.path < other.path ? -1 : 1));

/** The records that the text names, without a request: `{ key, icon, words, more, to }`. */
function named(text, project) {
  const [, elsewhere, number] = ELSEWHERE.exec(text) ?? [];
  if (elsewhere) return [{ key: "issue", icon: "open", words: `Issue #${number}`, more: elsewhere, to: to.issue(elsewhere, number) }];
  if (!project) return [];
  const [, iid] = NUMBER.exec(text) ?? [];
  const issue = iid && { key: "issue", icon: "open", words: `Issue #${iid}`, more: project, to: to.issue(project, iid) };
  const commit = HASH.test(text) && {
    key: "commit",
    icon: "branch",
    words: `Commit ${text.slice(0, 8)}`,
    more: project,
    to: to.commit(project, text),
  };
  return [issue, commit].flatMap((one) => one || []);
}

const is = (one, text) => String(one).toLowerCase() === text.toLowerCase();

const NOTHING = { list: /** @type {any[]} */ ([]), total: "0" };

/** `{ list, total, waits }` of a list of the API; that of the text before until the answer is there. No request is sent without `path`. */
function useList(path, query) {
  const { data, total, next, loading, isStale } = useApi(path, query);
  const last = useRef(NOTHING);
  if (data && !isStale)
    last.current = { list: data, total: Number.isInteger(total) ? total.toLocaleString("en") : `${data.length}${next ? "+" : ""}` };
  if (!path) last.current = NOTHING;
  return { ...last.current, waits: Boolean(path) && (isStale || loading) };
}

const issueOption = (issue) => ({
  key: `issue ${issue.id}`,
  icon: issue.state === "closed" ? "closed" : "open",
  words: issue.title,
  more: issue.references.full,
  to: to.issue(projectOf(issue), issue.iid),
});

/** The options for a text: those to choose first, and the others in groups, by kind. */
function useOptions(text, project, session, everything) {
  // results are there within 200 ms of the last letter: with a pause of 150 it took 203 to 260
  const words = usePaused(text, 100);
  const user = userOf(session);
  const { filter } = typed(words, user?.username);
  const { known, error } = useKnown(project ?? "", Boolean(project));
  const [, iid] = (project && NUMBER.exec(words)) || [];
  const isWord = !filter && words.length > 1 && !/^[#@]/.test(words);
  const inIssues = (filter || iid || isWord) && (project ? inProject(project, "/issues") : "/issues");
  const issues = useList(inIssues, {
    ...(filter ? apiQuery(filter) : iid ? { "iids[]": iid } : { search: words }),
    scope: "all",
    per_page: FEW,
  });
  const sees = project && known && seesCommits(known, user) && known.default_branch;
  const found = { search: words, per_page: FEWER };
  const commits = useList(sees && user && isWord && inProject(project, "/search"), { scope: "commits", ...found });
  const projects = useList(isWord && "/projects", { simple: true, order_by: "last_activity_at", ...found });
  const isPerson = /^@./.test(words);
  const people = useList(user && (isWord || isPerson) && "/users", { active: true, ...found, search: words.replace(/^@/, "") });
  const milestones = useList(user && isWord && "/search", { scope: "milestones", ...found });
  const { paths, isPart, reads } = usePaths(sees ? project : null);
  const looks = sees && isWord && words.length > 2 && !/\s/.test(words);
  const near = looks ? nearest(paths, words) : [];
  const groups = [
    { kind: "issues", title: "Issues", total: issues.total, options: iid ? [] : issues.list.map(issueOption) },
    {
      title: "Files",
      total: near.length.toLocaleString("en"),
      options: near.slice(0, FEW).map(({ path, far }) => ({
        key: `file ${path}`,
        icon: "file",
        words: nameOf(path),
        more: path,
        to: to.blob(project, "HEAD", path),
        isExact: far === 0,
      })),
    },
    {
      kind: "commits",
      title: "Commits",
      total: commits.total,
      options: commits.list.map(({ id, title, short_id }) => ({
        key: `commit ${id}`,
        icon: "branch",
        words: title,
        more: short_id,
        to: to.commit(project, id),
      })),
    },
    {
      kind: "projects",
      title: "Projects",
      total: projects.total,
      options: projects.list.map(({ id, name, path, path_with_namespace: whole }) => ({
        key: `project ${id}`,
        icon: "folder",
        words: name,
        more: whole,
        to: to.project(whole),
        isExact: [name, path, whole].some((one) => is(one, text)),
      })),
    },
    {
      kind: "users",
      title: "People",
      total: people.total,
      options: people.list.map(({ id, name, username }) => ({
        key: `person ${id}`,
        face: name,
        words: name,
        more: `@${username}`,
        to: to.person(username),
        isExact: is(`@${username}`, text) || (isPerson && words === text),
      })),
    },
    {
      kind: "milestones",
      title: "Milestones",
      total: milestones.total,
      options: milestones.list.map(({ id, title, web_url }) => ({
        key: `milestone ${id}`,
        icon: "calendar",
        words: title,
        more: "milestone",
        to: new URL(web_url).pathname,
      })),
    },
  ];
  const rest = (kind, { title, total }, { length }) =>
    kind && length && total !== String(length)
      ? [
          {
            key: `all ${kind}`,
            icon: "right",
            words: total.endsWith("+") ? `More ${title.toLowerCase()}` : `All ${total} ${title.toLowerCase()}`,
            more: "",
            to: to.search({ search: text, project: ["issues", "commits"].includes(kind) ? project : undefined, in: kind }),
          },
        ]
      : [];
  const direct = named(text, project).map((one) => {
    const title = one.key === "issue" && iid && words === text && !issues.waits && issues.list[0]?.title;
    return title ? { ...one, words: `#${iid} ${title}` } : one;
  });
  const whole = typed(text, user?.username).filter;
  const all = whole
    ? { words: `Issues: ${text}`, to: project ? to.issues(project, whole) : everything }
    : { words: `Search everything for “${text}”`, to: everything };
  return {
    first: [
      ...direct,
      ...groups.flatMap(({ options }) => options.filter(({ isExact }) => isExact)),
      { key: "all", icon: "right", more: "", ...all },
    ],
    groups: groups
      .map(({ kind, options, ...group }) => ({
        ...group,
        options: [...options.filter(({ isExact }) => !isExact), ...rest(kind, group, options)],
      }))
      .filter(({ options }) => options.length),
    isPart: Boolean(looks) && isPart,
    waits:
      words !== text ||
      (looks && reads) ||
      (project && !known && !error) ||
      [issues, commits, projects, people, milestones].some(({ waits }) => waits),
  };
}

const Hints = ({ project }) => (
  <p class="quiet">
    {project && "#12 leads to an issue, a hash to a commit, a name to a file. "}
    Words find issues, projects, people and milestones; <code>is:open label:bug author:ann</code> filters issues.
  </p>
);

/** `keys`: receives what each key of the field does; `go(address)` opens an address and closes the search. */
export function Found({ text, project, session, go, everything, keys, setActive }) {
  const { first, groups, isPart, waits } = useOptions(text, project, session, everything);
  const options = [...first, ...groups.flatMap(({ options }) => options)];
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [text]);
  // the text for which Enter was pressed before its answers came: they may have a record that it names exactly
  const [early, setEarly] = useState("");
  const active = Math.min(at, options.length - 1);
  const isNamed = first[0].key !== "all";
  useEffect(() => {
    if (early && early === text && (!waits || isNamed)) go(first[0].to);
  }, [early, text, waits, isNamed]);
  useEffect(() => setActive(`found-${active}`), [active]);
  useEffect(() => {
    document.getElementById(`found-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const acts = {
    ArrowDown: () => setAt((active + 1) % options.length),
    ArrowUp: () => setAt((active + options.length - 1) % options.length),
    // the list may not have the last letters yet
    Enter: (typed) => (typed !== text || (waits && !at && !isNamed && early !== text) ? setEarly(typed) : go(options[active].to)),
  };
  keys.current = (event) => {
    if (!text || !Object.hasOwn(acts, event.key) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    acts[event.key](event.currentTarget.value.trim());
  };
  useEffect(() => () => void (keys.current = null), []);
  const row = (option) => {
    const index = options.indexOf(option);
    return (
      <div
        key={option.key}
        id={`found-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === active ? "true" : "false"}
        data-active={index === active ? "" : undefined}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => go(option.to)}
      >
        {option.face ? <Face name={option.face} /> : <Icon name={option.icon} />}
        <span>
          {option.words} <span class="quiet">{option.more}</span>
        </span>
      </div>
    );
  };
  if (!text)
    return (
      <div class="found">
        <Hints project={project} />
      </div>
    );
  return (
    <div class="found">
      <div role="listbox" id="found" aria-label="Found" tabIndex={-1}>
        {first.map(row)}
        {groups.map(({ title, total, options }) => (
          <div role="group" key={title} aria-label={`${title}: ${total}`}>
            <p aria-hidden="true">
              {title} <span class="count">{total}</span>
            </p>
            {options.map(row)}
          </div>
        ))}
      </div>
      <p class="quiet" role="status">
        {waits ? "Searching …" : isPart ? "This project has too many files to be looked through." : ""}
      </p>
    </div>
  );
}
