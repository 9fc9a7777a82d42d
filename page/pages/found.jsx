// The results of the search over the page: first records that the text names, then records whose words contain it.
import { useEffect, useState } from "preact/hooks";
import { get, inProject, useApi } from "../api.mjs";
import { Icon } from "../parts/icons.jsx";
import { useKnown } from "../parts/known.mjs";
import { Face } from "../parts/marks.jsx";
import { usePaused } from "../parts/picker.jsx";
import { seesCommits } from "../rights.mjs";
import { to } from "../route.mjs";
import { userOf } from "../session.mjs";
import { projectOf } from "./issues.jsx";

const NUMBER = /^#?(\d{1,9})$/;
const ELSEWHERE = /^([\w.-]+\/[\w.-]+)#(\d{1,9})$/;
const HASH = /^[0-9a-f]{7,64}$/;
const FEW = 5;

/** The most pages of 100 files that are read of a project, and how many at a time. */
const MOST_PAGES = 20;
const AT_ONCE = 4;
const listed = new Map();

/** The paths of the project's files: `{ paths, isPart }`. */
async function readPaths(project) {
  const list = inProject(project, "/repository/tree");
  const page = (number) => get(list, { ref: "HEAD", recursive: true, per_page: 100, page: number });
  const first = await page(1);
  const pages = Math.ceil((first.total ?? first.data.length) / 100);
  const entries = [first.data];
  for (let at = 2; at <= Math.min(pages, MOST_PAGES); at += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, n) => at + n).filter((number) => number <= Math.min(pages, MOST_PAGES));
    for (const { data } of await Promise.all(numbers.map(page))) entries.push(data);
  }
  const paths = entries
    .flat()
    .filter(({ type }) => type === "blob")
    .map(({ path }) => path);
  return { paths, isPart: pages > MOST_PAGES };
}

const NONE = { paths: [], isPart: false };

/** The paths of the project's files, which are read once. */
function usePaths(project) {
  const [, setRead] = useState(0);
  useEffect(() => {
    if (!project || listed.has(project)) return;
    listed.set(project, { ...NONE, reads: true });
    readPaths(project).then(
      (found) => {
        listed.set(project, found);
        setRead((count) => count + 1);
      },
      () => {
        // without files other records are still found, and the next search tries again
        listed.delete(project);
        setRead((count) => count + 1);
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

export function nearest(paths, words) {
  return paths
    .map((path) => ({ path, far: distance(path, words.toLowerCase()) }))
    .filter(({ far }) => far !== null)
    .sort((one, other) => one.far - other.far || one.path.length - other.path.length || (one.path < other.path ? -1 : 1))
    .slice(0, FEW);
}

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

/** `{ list, waits }` of a list of the API. No request is sent without `path`. */
function useList(path, query) {
  const { data, loading, isStale } = useApi(path, query);
  return { list: path && !isStale && data ? data : [], waits: Boolean(path) && (isStale || loading) };
}

/** The options for a text, in their order. */
function useOptions(text, project, session, everything) {
  const words = usePaused(text);
  const user = userOf(session);
  const { known, error } = useKnown(project ?? "", Boolean(project));
  const [, iid] = (project && NUMBER.exec(words)) || [];
  const isWord = words.length > 1 && !/^[#@]/.test(words);
  const issues = useList(
    iid ? inProject(project, "/issues") : isWord && (project ? inProject(project, "/issues") : "/issues"),
    iid ? { "iids[]": iid } : { search: words, scope: "all", per_page: FEW },
  );
  const projects = useList(isWord && "/projects", { search: words, simple: true, order_by: "last_activity_at", per_page: FEW });
  const people = useList(user && (isWord || /^@./.test(words)) && "/users", {
    search: words.replace(/^@/, ""),
    active: true,
    per_page: FEW,
  });
  const milestones = useList(user && isWord && "/search", { scope: "milestones", search: words, per_page: FEW });
  const looks = project && known && seesCommits(known, user) && known.default_branch && isWord && words.length > 2 && !/\s/.test(words);
  const { paths, isPart, reads } = usePaths(looks ? project : null);
  const files = looks ? nearest(paths, words) : [];
  const some = ({ list }) => (words === text ? list : []);
  const found = [
    ...files.map(({ path, far }) => ({
      key: `file ${path}`,
      icon: "file",
      words: nameOf(path),
      more: path,
      to: to.blob(project, "HEAD", path),
      isExact: far === 0,
    })),
    ...some(projects).map(({ id, name, path, path_with_namespace: whole }) => ({
      key: `project ${id}`,
      icon: "folder",
      words: name,
      more: whole,
      to: to.project(whole),
      isExact: [name, path, whole].some((one) => is(one, text)),
    })),
    ...(iid ? [] : some(issues)).map((issue) => ({
      key: `issue ${issue.id}`,
      icon: issue.state === "closed" ? "closed" : "open",
      words: issue.title,
      more: issue.references.full,
      to: to.issue(projectOf(issue), issue.iid),
    })),
    ...some(people).map(({ id, name, username }) => ({
      key: `person ${id}`,
      face: name,
      words: name,
      more: `@${username}`,
      to: to.person(username),
      isExact: is(`@${username}`, text),
    })),
    ...some(milestones).map(({ id, title, web_url }) => ({
      key: `milestone ${id}`,
      icon: "calendar",
      words: title,
      more: "milestone",
      to: new URL(web_url).pathname,
    })),
  ];
  const direct = named(text, project).map((one) => {
    const title = one.key === "issue" && iid && some(issues)[0]?.title;
    return title ? { ...one, words: `#${iid} ${title}` } : one;
  });
  const all = { key: "all", icon: "right", words: `Search everything for “${text}”`, more: "", to: everything };
  // only names of people begin with @
  const isFirst = ({ isExact, face }) => isExact || (face && text.startsWith("@"));
  return {
    options: [...direct, ...found.filter(isFirst), all, ...found.filter((one) => !isFirst(one))],
    isPart: Boolean(looks) && isPart,
    waits: words !== text || reads || (project && !known && !error) || [issues, projects, people, milestones].some(({ waits }) => waits),
  };
}

/** `keys`: receives what each key of the field does; `go(address)` opens an address and closes the search. */
export function Found({ text, project, session, go, everything, keys, setActive }) {
  const { options, isPart, waits } = useOptions(text, project, session, everything);
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [text]);
  // the text for which Enter was pressed before its answers came: they may have a record that it names exactly
  const [early, setEarly] = useState("");
  const active = Math.min(at, options.length - 1);
  const isNamed = options[0].key !== "all";
  useEffect(() => {
    if (early && early === text && (!waits || isNamed)) go(options[0].to);
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
    if (!Object.hasOwn(acts, event.key) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    acts[event.key](event.currentTarget.value.trim());
  };
  useEffect(() => () => void (keys.current = null), []);
  return (
    <>
      <ul role="listbox" id="found" aria-label="Found" tabIndex={-1}>
        {options.map((option, index) => (
          <li
            key={option.key}
            id={`found-${index}`}
            role="option"
            aria-selected={index === active ? "true" : "false"}
            data-active={index === active ? "" : undefined}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => go(option.to)}
          >
            {option.face ? <Face name={option.face} /> : <Icon name={option.icon} />}
            <span>
              {option.words} <span class="quiet">{option.more}</span>
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {waits ? "Searching …" : isPart ? "Only a part of the files of this project was looked through." : ""}
      </p>
    </>
  );
}
