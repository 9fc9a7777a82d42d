import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { CommitsPage } from "./pages/commits.jsx";
import { HomePage } from "./pages/home.jsx";
import { NewIssuePage } from "./pages/issue-form.jsx";
import { IssuePage } from "./pages/issue.jsx";
import { IssuesPage } from "./pages/issues.jsx";
import { MissingPage } from "./pages/missing.jsx";
import { ProjectPage } from "./pages/project.jsx";
import { useApi } from "./api.mjs";
import { follow, scrollToFragment } from "./navigate.mjs";
import { askNow, useOutage } from "./outage.mjs";
import { Finder, openFinder } from "./parts/finder.jsx";
import { Icon } from "./parts/icons.jsx";
import { Keys, openKeys } from "./parts/keys.jsx";
import { groups, later } from "./parts/later.jsx";
import { Face } from "./parts/marks.jsx";
import { keepFocus } from "./parts/opening.mjs";
import { useTouched } from "./parts/seen.mjs";
import { openSignIn } from "./parts/sign-in.mjs";
import { SignInDialog } from "./parts/signin.jsx";
import { Toast } from "./parts/toast.jsx";
import { route } from "./route.mjs";
import { arrive, signOut, useSession } from "./session.mjs";

groups.browsing = () => import("./pages/browsing.mjs");
groups.changes = () => import("./pages/changing.mjs");
groups.finding = () => import("./pages/finding.mjs");
groups.managing = () => import("./pages/managing.mjs");
groups.people = () => import("./pages/people.mjs");

const PAGES = {
  home: HomePage,
  namespace: later("people", "NamespacePage"),
  newGroup: later("people", "NewGroupPage"),
  project: ProjectPage,
  activity: later("people", "ActivityPage"),
  issues: IssuesPage,
  issue: IssuePage,
  new: NewIssuePage,
  commits: CommitsPage,
  commit: later("changes", "CommitPage"),
  tree: later("browsing", "TreePage"),
  blob: later("browsing", "BlobPage"),
  environments: later("browsing", "EnvironmentsPage"),
  todos: later("browsing", "TodosPage"),
  admin: later("managing", "AdminPage"),
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

function Head({ session, place }) {
  return (
    <header class="head">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <nav aria-label="Main">
        <a class="brand" href="/">
          <img src="/assets/icon.svg" alt="" width="24" height="24" />
          edgeforge
        </a>
        {session && (
          <a href="/todos">
            <Icon name="bell" /> To do {session.token && <TodoCount key={`${place} ${session.user.id}`} of={session.user.id} />}
          </a>
        )}
        {session?.user.is_admin && (
          <a href="/admin">
            <span>
              Admin<span class="wide">istration</span>
            </span>
          </a>
        )}
        <button class="small" data-hint="/" aria-keyshortcuts="/ Control+K" onClick={openFinder}>
          <Icon name="search" /> Search
        </button>
        <a href="/docs">API</a>
      </nav>
      <div class="who">
        {session ? (
          <>
            <a class="person" href={`/${session.user.username}`}>
              <Face name={session.user.name} />
              <span>{session.user.name}</span>
            </a>
            <a href="/profile">Settings</a>
            <button class="small" onClick={signOut}>
              Sign out
            </button>
          </>
        ) : (
          <button class="primary" onClick={openSignIn}>
            Sign in
          </button>
        )}
      </div>
    </header>
  );
}

const Expired = () => (
  <div class="notice" role="alert">
    <p>You are signed out because your token has expired or was revoked. Your text stays on this page; sign in again.</p>
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
      <Head session={session} place={place.path} />
      {session?.expired && <Expired />}
      <Outage />
      {session?.token && session.user.reads && <ReadsOnly />}
      <main id="main" tabIndex={-1}>
        <Page key={`${place.path} ${session?.user.id}`} {...names} search={place.search} session={session} />
      </main>
      <footer class="foot">
        <button class="small" data-hint="?" aria-keyshortcuts="?" onClick={openKeys}>
          Keys
        </button>
      </footer>
      <Toast path={place.path} />
      <Finder project={names.project} session={session} />
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
