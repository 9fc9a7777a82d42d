import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { HomePage, IssuePage, IssuesPage, Menu, MissingPage, ProjectPage } from "./pages/first.mjs";
import { signOut, useApi } from "./api.mjs";
import { follow, scrollToFragment } from "./navigate.mjs";
import { askNow, useOutage } from "./outage.mjs";
import { Finder } from "./parts/finder.jsx";
import { Icon } from "./parts/icons.jsx";
import { Keys, openKeys } from "./parts/keys.jsx";
import { useKnown } from "./parts/known.mjs";
import { groups, later } from "./parts/later.jsx";
import { Face } from "./parts/marks.jsx";
import { keepFocus } from "./parts/opening.mjs";
import { useTouched } from "./parts/seen.mjs";
import { openSignIn } from "./parts/sign-in.mjs";
import { SignInDialog } from "./parts/signin.jsx";
import { Toast } from "./parts/toast.jsx";
import { refusal } from "./rights.mjs";
import { route, to } from "./route.mjs";
import { arrive, useSession } from "./session.mjs";

groups.browsing = () => import("./pages/browsing.mjs");
groups.changes = () => import("./pages/changing.mjs");
groups.finding = () => import("./pages/finding.mjs");
groups.managing = () => import("./pages/managing.mjs");
groups.people = () => import("./pages/people.mjs");
groups.reporting = () => import("./pages/reporting.mjs");
groups.working = () => import("./pages/working.mjs");

const PAGES = {
  home: HomePage,
  namespace: later("people", "NamespacePage"),
  newGroup: later("people", "NewGroupPage"),
  project: ProjectPage,
  activity: later("people", "ActivityPage"),
  issues: IssuesPage,
  issue: IssuePage,
  new: later("working", "NewIssuePage"),
  commits: later("changes", "CommitsPage"),
  commit: later("changes", "CommitPage"),
  tree: later("browsing", "TreePage"),
  blob: later("browsing", "BlobPage"),
  environments: later("browsing", "EnvironmentsPage"),
  todos: later("browsing", "TodosPage"),
  admin: later("managing", "AdminPage"),
  audit: later("managing", "AuditPage"),
  users: later("managing", "UsersPage"),
  profile: later("managing", "ProfilePage"),
  newProject: later("managing", "NewProjectPage"),
  labels: later("browsing", "LabelsPage"),
  milestones: later("browsing", "MilestonesPage"),
  milestone: later("browsing", "MilestonePage"),
  branches: later("browsing", "BranchesPage"),
  tags: later("browsing", "TagsPage"),
  releases: later("browsing", "ReleasesPage"),
  release: later("browsing", "ReleasePage"),
  compare: later("changes", "ComparePage"),
  members: later("people", "MembersPage"),
  settings: later("managing", "SettingsPage"),
  hooks: later("managing", "HooksPage"),
  projectTokens: later("managing", "ProjectTokensPage"),
  search: later("finding", "SearchPage"),
  signIn: later("finding", "SignInPage"),
  pipelines: later("browsing", "PipelinesPage"),
  pipeline: later("browsing", "PipelinePage"),
  missing: MissingPage,
};

/** Milliseconds after a page is opened, when it has its own answers. */
const RESTED = 1500;
let last = { of: 0, count: 0 };

/** The number of open to-do items. It is fetched after the page's own data; until then the number of the page before is shown. */
function TodoCount({ of }) {
  const touched = useTouched();
  const [rested, setRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), RESTED);
    return () => clearTimeout(timer);
  }, []);
  const answer = useApi(touched || rested ? "/todos" : null, { state: "pending", per_page: 1 });
  if (Number.isInteger(answer.total)) last = { of, count: answer.total };
  const total = last.of === of ? last.count : 0;
  return total > 0 ? <span class="count">{total.toLocaleString("en")}</span> : null;
}

/** Absent where the API would refuse it. The project is asked for when the menu opens, unless it is known. */
function NewIssue({ project, user }) {
  const { known } = useKnown(project, true);
  if (!known || refusal.write(known, user)) return null;
  return <a href={to.newIssue(project)}>New issue in {project}</a>;
}

/** What the user can make: an issue in the project of the page, a project, a group. */
const Makes = ({ project, user }) => (
  <Menu label="New" title="New" face={<Icon name="plus" />}>
    {project && <NewIssue project={project} user={user} />}
    <a href={to.newProject()}>New project</a>
    <a href={to.newGroup()}>New group</a>
  </Menu>
);

const Account = ({ user }) => (
  <Menu
    label={null}
    title={user.name}
    face={
      <>
        <Face name={user.name} />
        <span class="unseen">Account of {user.name}</span>
      </>
    }
  >
    <a href={to.person(user.username)}>Your page</a>
    <a href="/profile">Settings and tokens</a>
    {user.is_admin && <a href="/admin">Administration</a>}
    <a href="/docs">API</a>
    <button data-closes onClick={openKeys}>
      Keys
    </button>
    <button data-closes onClick={signOut}>
      Sign out
    </button>
  </Menu>
);

function Head({ session, place, project }) {
  return (
    <header class="head">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <a class="brand" href="/">
        <img src="/assets/icon.svg" alt="" width="24" height="24" />
        <span>edgeforge</span>
      </a>
      <Finder project={project} session={session} />
      <nav aria-label="Main">
        {session ? (
          <>
            <a class="bell" href="/todos" title="To do">
              <Icon name="bell" />
              <span class="unseen">To do</span> {session.id && <TodoCount key={`${place} ${session.user.id}`} of={session.user.id} />}
            </a>
            {!session.user.reads && <Makes project={project} user={session.user} />}
            <Account user={session.user} />
          </>
        ) : (
          <>
            <a href="/docs">API</a>
            <button class="primary" onClick={openSignIn}>
              Sign in
            </button>
          </>
        )}
      </nav>
    </header>
  );
}

const Expired = () => (
  <div class="notice" role="alert">
    <p>You are signed out because your session has ended. Your text stays on this page; sign in again.</p>
    <p class="actions">
      <button class="primary" onClick={openSignIn}>
        Sign in again
      </button>
      <button onClick={signOut}>Continue without signing in</button>
    </p>
  </div>
);

const ReadsOnly = () => (
  <div class="notice">
    <p>You signed in with a token that can only read. To write, sign in with a token of the scope api.</p>
  </div>
);

/** One box for an outage, instead of one in each part of the page. */
function Outage() {
  const outage = useOutage();
  if (!outage) return null;
  const { error, isOver } = outage;
  return (
    <div class="notice" role="alert">
      <p>
        {error.message} {isOver ? "It was asked several times." : "The page asks again by itself."} <small>Request {error.request}</small>
      </p>
      <p class="actions">
        <button onClick={askNow}>Ask now</button>
      </p>
    </div>
  );
}

function App() {
  const session = useSession();
  const [place, setPlace] = useState({ path: location.pathname, search: location.search });
  useEffect(() => follow(() => setPlace({ path: location.pathname, search: location.search })), []);
  const { page, ...names } = route(place.path);
  const Page = PAGES[page];
  useEffect(scrollToFragment, [place.path]);
  return (
    <>
      <Head session={session} place={place.path} project={names.project} />
      {session?.expired && <Expired />}
      <Outage />
      {session?.id && session.user.reads && <ReadsOnly />}
      <main id="main" tabIndex={-1}>
        <Page key={`${place.path} ${session?.user.id}`} {...names} search={place.search} session={session} />
      </main>
      <footer class="foot">
        <button class="small" data-hint="?" aria-keyshortcuts="?" onClick={openKeys}>
          Keys
        </button>
      </footer>
      <Toast path={place.path} />
      <SignInDialog />
      <Keys project={names.project} />
    </>
  );
}

const show = () => render(<App />, /** @type {HTMLElement} */ (document.getElementById("page")));
keepFocus();
const waits = arrive();
if (waits) waits.then(show);
else show();
