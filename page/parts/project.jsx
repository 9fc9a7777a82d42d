import { useEffect, useRef } from "preact/hooks";
import { ARCHIVED, opens } from "../rights.mjs";
import { to } from "../route.mjs";
import { userOf, useSession } from "../session.mjs";
import { Heading, Problem, SignInButton } from "./feedback.jsx";
import { useKnown } from "./known.mjs";

const TABS = [
  ["project", "Overview", to.project],
  ["issues", "Issues", to.issues],
  ["files", "Files", (project) => to.tree(project, "HEAD")],
  ["commits", "Commits", to.commits],
  ["releases", "Releases", to.releases],
  ["environments", "Environments", to.environments],
  ["members", "Members", to.members],
  ["settings", "Settings", to.settings],
];
const BENEATH = {
  project: [
    ["project", "Project", to.project],
    ["activity", "Activity", to.activity],
  ],
  issues: [
    ["issues", "List", to.issues],
    ["labels", "Labels", to.labels],
    ["milestones", "Milestones", to.milestones],
  ],
  commits: [
    ["commits", "List", to.commits],
    ["branches", "Branches", to.branches],
    ["tags", "Tags", to.tags],
    ["compare", "Compare", to.compare],
    ["pipelines", "Pipelines", to.pipelines],
  ],
  settings: [
    ["settings", "General", to.settings],
    ["projectTokens", "Access tokens", to.projectTokens],
    ["hooks", "Web hooks", to.hooks],
  ],
};
/** @param {{ label: string, tabs: any[], current: string, project: string, kind?: string }} props */
function Tabs({ label, tabs, current, project, kind = "" }) {
  const list = useRef(/** @type {any} */ (null));
  // on a phone the row is longer than the screen
  useEffect(() => {
    const { offsetLeft, offsetWidth } = list.current.querySelector("[aria-current]") ?? {};
    if (offsetWidth) list.current.scrollLeft = offsetLeft - (list.current.clientWidth - offsetWidth) / 2;
  }, [tabs.length, current]);
  return (
    <nav aria-label={label} class={`tabs ${kind}`} ref={list}>
      {tabs.map(([key, words, address, waits]) => (
        <a key={key} href={address(project)} data-words={words} inert={waits} aria-current={key === current ? "page" : undefined}>
          {words}
        </a>
      ))}
    </nav>
  );
}

/** The tabs that the user may open, of the project if it is `known`. Until then the place of a tab that may come is kept. */
function useTabs(tabs, known, current, level) {
  const user = userOf(useSession());
  const waits = Boolean(user && !known && level === undefined);
  return tabs.map((tab) => [...tab, tab[0] !== current && !opens(tab[0], known, user, level)]).filter(([, , , isShut]) => waits || !isShut);
}

/**
 * Where the project is, and its tabs, and whether it is archived. It is the same on all its pages, so that the tabs stand still.
 * `tab`: the key of the current one; `level`, `archived`: the role of the user and the state of the project, where an answer had
 * them; `asks`: whether the project may be asked for.
 * @param {{ project: string, tab: string, level?: number, archived?: boolean, asks?: boolean }} props
 */
export function ProjectHead({ project, tab, level, archived, asks = true }) {
  const [namespace, name] = project.split("/");
  const { known } = useKnown(project, asks && level === undefined);
  const tabs = useTabs(TABS, known, tab, level);
  return (
    <>
      <div class="project-head">
        <nav aria-label="Path" class="path">
          <a href={`/${namespace}`}>{namespace}</a>
          <span aria-hidden="true">/</span>
          <a href={to.project(project)}>{name}</a>
        </nav>
        <Tabs label="Project" tabs={tabs} current={tab} project={project} />
      </div>
      {(archived ?? known?.archived) && <p class="notice">{ARCHIVED}</p>}
    </>
  );
}

/**
 * The lists of a tab, for the row of a title. `inside`: the page is about an entry of the list `sub`, the only one that a phone shows.
 * @param {{ project: string, tab: string, sub?: string, inside?: boolean }} props
 */
export function Beneath({ project, tab, sub = tab, inside }) {
  const { known } = useKnown(project, true);
  const tabs = useTabs(BENEATH[tab], known, sub);
  const kind = inside ? "small inside" : "small";
  return tabs.length > 1 ? <Tabs label={`Beneath ${tab}`} tabs={tabs} current={sub} project={project} kind={kind} /> : null;
}

/**
 * The row of a page's title. `beside`: lists and states, next to it; `children`: what can be done, at the right. A form that opens
 * there has the whole width below.
 * @param {{ title: string, heading: any, beside?: any, children?: any }} props
 */
export const TitleRow = ({ title, heading, beside, children }) => (
  <div class="title-row">
    <Heading title={title}>{heading}</Heading>
    {beside}
    {children}
  </div>
);

/**
 * The API answers 404 both for a missing record and for one that the user may not see.
 * `children`: what else may be the cause.
 * @param {{ error: any, what: string, retry?: () => unknown, children?: any }} props
 */
export function NotThere({ error, what, retry, children }) {
  const session = useSession();
  const missing = error.status === 404;
  return (
    <section class="missing">
      <Heading title={missing ? "Not found" : "Problem"}>
        {missing ? `No such ${what}` : error.status === 403 ? "Access denied" : "The page could not be loaded"}
      </Heading>
      {missing ? (
        <p>
          It does not exist, or {session?.id ? `${session.user.name} does not have access to it` : "you need to sign in to see it"}.{" "}
          {children}
        </p>
      ) : (
        <Problem error={error} retry={error.status === 403 ? undefined : retry} />
      )}
      <p class="actions">
        {missing && !session?.id && <SignInButton />}
        <a href="/">All projects</a>
      </p>
    </section>
  );
}
