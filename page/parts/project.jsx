// What every page of a project begins with: where one is, and the way to its other pages.
import { to } from "../route.mjs";
import { Heading, Problem } from "./feedback.jsx";

const TABS = [
  ["project", "Overview", to.project],
  ["issues", "Issues", to.issues],
  ["commits", "Commits", to.commits],
  ["environments", "Environments", to.environments],
];

/** `tab`: which of them the page is. */
export function ProjectHead({ project, tab, children }) {
  const [namespace, name] = project.split("/");
  return (
    <div class="project-head">
      <nav aria-label="Path" class="path">
        <a href={`/${namespace}`}>{namespace}</a>
        <span aria-hidden="true">/</span>
        <a href={to.project(project)}>{name}</a>
        {children}
      </nav>
      <nav aria-label="Project" class="tabs">
        {TABS.map(([key, words, address]) => (
          <a key={key} href={address(project)} aria-current={key === tab ? "page" : undefined}>
            {words}
          </a>
        ))}
      </nav>
    </div>
  );
}

/** Where what the address names is not there: whether it does not exist or is hidden, the API does not tell either. */
export const NotThere = ({ error, what, retry }) => (
  <section class="missing">
    <Heading title={error.status === 404 ? "Not found" : "Problem"}>{error.status === 404 ? `No such ${what}` : "That did not work"}</Heading>
    <Problem error={error.status === 404 ? { status: 401, message: `There is no such ${what}, or you may not see it.` } : error} retry={error.status === 404 ? undefined : retry} />
  </section>
);
