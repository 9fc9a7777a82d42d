// What every page of a project begins with: where one is, and the way to its other pages.
import { to } from "../route.mjs";
import { useSession } from "../session.mjs";
import { Heading, Problem, SignInButton } from "./feedback.jsx";

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
export function NotThere({ error, what, retry }) {
  const session = useSession();
  const missing = error.status === 404;
  return (
    <section class="missing">
      <Heading title={missing ? "Not found" : "Problem"}>{missing ? `No such ${what}` : error.status === 403 ? "Not for you to see" : "That did not work"}</Heading>
      {missing ? <p>It does not exist, or you may not see it{session?.token ? ` as ${session.user.name}` : " without signing in"}.</p> : <Problem error={error} retry={error.status === 403 ? undefined : retry} />}
      <p class="actions">
        {missing && !session?.token && <SignInButton />}
        <a href="/">All projects</a>
      </p>
    </section>
  );
}
