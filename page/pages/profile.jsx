// `/profile`
import { useEffect, useState } from "preact/hooks";
import { useApi } from "../api.mjs";
import { ForMembers, Heading, Problem } from "../parts/feedback.jsx";
import { Tokens } from "../parts/tokens.jsx";
import { to } from "../route.mjs";
import { countTabs, isRemembered, signOut } from "../session.mjs";

export function ProfilePage({ search, session }) {
  return (
    <>
      <Heading title="My settings">My settings</Heading>
      <ForMembers what="your settings" />
      {session?.token && <Profile search={search} user={session.user} />}
    </>
  );
}

/** The server keeps no sessions: a session is a token in a browser. */
function Sessions({ token }) {
  const [tabs, setTabs] = useState(1);
  useEffect(() => {
    let isShown = true;
    countTabs().then((count) => isShown && setTabs(count));
    return () => void (isShown = false);
  }, []);
  return (
    <>
      <ul class="rows">
        <li class="row">
          <div class="row-main">
            <b>This browser</b>
            <span class="tag">{tabs === 1 ? "1 tab" : `${tabs} tabs`}</span>
            <p class="row-text">
              {token ? `signed in with the token ${token.name}` : "signed in with a token"},{" "}
              {isRemembered() ? "until you sign out" : "until you sign out or close the last tab"}
            </p>
          </div>
          <div class="row-side">
            <button class="small" onClick={signOut}>
              Sign out{tabs > 1 && " in all tabs"}
            </button>
          </div>
        </li>
      </ul>
      <p class="quiet">
        Another browser or program is signed in as long as its token works. To end that, revoke the token below. Use a token of its own for
        each.
      </p>
    </>
  );
}

function Profile({ search, user }) {
  const answer = useApi("/user");
  const { username, name, email, is_admin: isAdmin, projects_limit: limit } = answer.data ?? user;
  // ADMIN_TOKEN is not in the database, so administrators are not asked which token they use
  const own = useApi(user.is_admin ? null : "/personal_access_tokens/self");
  return (
    <>
      {answer.error && <Problem error={answer.error} retry={answer.reload} />}
      <dl class="facts">
        <dt>Name</dt>
        <dd>
          <a href={to.person(username)}>{name}</a>, @{username}
        </dd>
        <dt>E-mail</dt>
        <dd>
          {email ?? "…"}
          <p class="row-text">An administrator can change your name and e-mail address.</p>
        </dd>
        <dt>Own projects</dt>
        <dd>{isAdmin ? "no limit" : `at most ${limit ?? "…"}`}</dd>
      </dl>
      <section aria-labelledby="session">
        <h2 id="session">Sessions</h2>
        <Sessions token={own.data} />
      </section>
      <section aria-labelledby="tokens">
        {user.reads ? (
          <>
            <h2 id="tokens">Tokens</h2>
            <p class="quiet">Your token can only read. To see and make tokens, sign in with a token of the scope api.</p>
          </>
        ) : (
          <Tokens user={user} own={own.data?.id} search={search} heading={<h2 id="tokens">Tokens</h2>} />
        )}
      </section>
    </>
  );
}
