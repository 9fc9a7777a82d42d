import { to } from "../route.mjs";
import { useSession } from "../session.mjs";
import { Heading, Problem, SignInButton } from "./feedback.jsx";

const TABS = [
  ["project", "Overview", to.project],
  ["issues", "Issues", to.issues],
  ["commits", "Commits", to.commits],
  ["environments", "Environments", to.environments],
];

/** `tab`: the key of the current tab. */
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

/** The API answers 404 both for a missing record and for one that the user may not see. */
export function NotThere({ error, what, retry }) {
  const session = useSession();
  const missing = error.status === 404;
  return (
    <section class="missing">
      <Heading title={missing ? "Not found" : "Problem"}>{missing ? `No such ${what}` : error.status === 403 ? "Access denied" : "The page could not be loaded"}</Heading>
      {missing ? <p>It does not exist, or {session?.token ? `${session.user.name} does not have access to it` : "you need to sign in to see it"}.</p> : <Problem error={error} retry={error.status === 403 ? undefined : retry} />}
      <p class="actions">
        {missing && !session?.token && <SignInButton />}
        <a href="/">All projects</a>
      </p>
    </section>
  );
}
