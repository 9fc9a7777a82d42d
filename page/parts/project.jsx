import { to } from "../route.mjs";
import { useSession } from "../session.mjs";
import { Heading, Problem, SignInButton } from "./feedback.jsx";

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

/** @param {{ label: string, tabs: any[], current: string, project: string, small?: boolean }} props */
const Tabs = ({ label, tabs, current, project, small }) => (
  <nav aria-label={label} class={small ? "tabs small" : "tabs"}>
    {tabs.map(([key, words, address]) => (
      <a key={key} href={address(project)} aria-current={key === current ? "page" : undefined}>
        {words}
      </a>
    ))}
  </nav>
);

/**
 * `tab`: the key of the current tab, `sub`: that of the tab beneath it.
 * @param {{ project: string, tab: string, sub?: string, children?: any }} props
 */
export function ProjectHead({ project, tab, sub = tab, children }) {
  const [namespace, name] = project.split("/");
  return (
    <div class="project-head">
      <nav aria-label="Path" class="path">
        <a href={`/${namespace}`}>{namespace}</a>
        <span aria-hidden="true">/</span>
        <a href={to.project(project)}>{name}</a>
        {children}
      </nav>
      <Tabs label="Project" tabs={TABS} current={tab} project={project} />
      {BENEATH[tab] && <Tabs label={`Beneath ${tab}`} tabs={BENEATH[tab]} current={sub} project={project} small />}
    </div>
  );
}

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
          It does not exist, or {session?.token ? `${session.user.name} does not have access to it` : "you need to sign in to see it"}.{" "}
          {children}
        </p>
      ) : (
        <Problem error={error} retry={error.status === 403 ? undefined : retry} />
      )}
      <p class="actions">
        {missing && !session?.token && <SignInButton />}
        <a href="/">All projects</a>
      </p>
    </section>
  );
}
