// `/profile`
import { useApi } from "../api.mjs";
import { Answer, ForMembers, Heading } from "../parts/feedback.jsx";
import { Tokens } from "../parts/tokens.jsx";
import { to } from "../route.mjs";
import { signOut } from "../session.mjs";

export function ProfilePage({ search, session }) {
  return (
    <>
      <Heading title="My settings">My settings</Heading>
      <ForMembers what="your settings" />
      {session?.token && <Profile search={search} user={session.user} />}
    </>
  );
}

function Profile({ search, user }) {
  const answer = useApi("/user");
  // ADMIN_TOKEN is not in the database, so administrators are not asked which token they use
  const own = useApi(user.is_admin ? null : "/personal_access_tokens/self");
  return (
    <>
      <Answer of={answer} what="Loading your account">
        {(account) => (
          <dl class="facts">
            <dt>Name</dt>
            <dd>
              <a href={to.person(account.username)}>{account.name}</a>, @{account.username}
            </dd>
            <dt>E-mail</dt>
            <dd>{account.email}</dd>
            <dt>Own projects</dt>
            <dd>{account.is_admin ? "no limit" : `at most ${account.projects_limit}`}</dd>
          </dl>
        )}
      </Answer>
      <p class="quiet">An administrator can change your name and e-mail address.</p>
      <section aria-labelledby="session">
        <h2 id="session">This session</h2>
        <p>
          {own.data ? `You are signed in with the token ${own.data.name}.` : "You are signed in with a token."} The server keeps no sessions: anyone with a token can use it until it ends or you revoke it.
        </p>
        <p class="actions">
          <button onClick={signOut}>Sign out here</button>
        </p>
      </section>
      <section aria-labelledby="tokens">
        <h2 id="tokens">Tokens</h2>
        {user.reads ? <p class="quiet">Your token can only read. To see and make tokens, sign in with a token of the scope api.</p> : <Tokens user={user} own={own.data?.id} search={search} />}
      </section>
    </>
  );
}
