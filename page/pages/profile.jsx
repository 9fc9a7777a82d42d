// `/profile`
import { ask, signOut, useApi } from "../api.mjs";
import { Asks } from "../parts/asks.jsx";
import { Answer, ForMembers, Heading, Problem } from "../parts/feedback.jsx";
import { Time } from "../parts/time.jsx";
import { Tokens } from "../parts/tokens.jsx";
import { to } from "../route.mjs";

export function ProfilePage({ search, session }) {
  return (
    <>
      <Heading title="My settings">My settings</Heading>
      <ForMembers what="your settings" />
      {session?.id && <Profile search={search} user={session.user} />}
    </>
  );
}

/** `mayAll`: whether the session may see and end others. Without that it can end itself. */
function Sessions({ user, mayAll }) {
  const path = `/users/${user.id}/sessions`;
  const answer = useApi(mayAll ? path : null);
  if (!mayAll) {
    return (
      <p>
        This browser is signed in. <EndsOwn />
      </p>
    );
  }
  const end = (session) => ask("DELETE", `${path}/${session.id}`);
  const others = answer.data?.filter(({ current }) => !current) ?? [];
  return (
    <Answer of={answer} what="Loading sessions">
      {(sessions) => (
        <>
          <ul class="rows">
            {sessions.map((session) => (
              <li class="row" key={session.id}>
                <div class="row-main">
                  <b class="row-title">{browserOf(session.user_agent)}</b>
                  {session.current && <span class="tag">this browser</span>}
                  <p class="row-text">
                    signed in by {VIA[session.via]} <Time at={session.created_at} />,{" "}
                    {session.last_used_at && (
                      <>
                        used <Time at={session.last_used_at} />,{" "}
                      </>
                    )}
                    ends <Time at={session.expires_at} />
                  </p>
                </div>
                <div class="row-side">
                  {session.current ? (
                    <EndsOwn />
                  ) : (
                    <Asks
                      button="End"
                      of={browserOf(session.user_agent)}
                      question="End this session? That browser is signed out."
                      act={() => end(session).then(answer.reload)}
                    />
                  )}
                </div>
              </li>
            ))}
          </ul>
          {others.length > 1 && (
            <Asks
              button="End all others"
              question={`End ${others.length} sessions? All browsers but this one are signed out.`}
              act={() => Promise.all(others.map(end)).then(answer.reload)}
            />
          )}
        </>
      )}
    </Answer>
  );
}

const EndsOwn = () => (
  <button class="small" onClick={signOut}>
    Sign out
  </button>
);

const VIA = { access: "Cloudflare Access", token: "a token", admin_token: "ADMIN_TOKEN" };

/** Browsers name others before themselves. */
function browserOf(agent) {
  const found = ["Edg", "OPR", "Firefox", "Chrome", "Safari"].find((name) => agent.includes(`${name}/`));
  const system = ["Windows", "Android", "iPhone", "iPad", "Macintosh", "Linux"].find((name) => agent.includes(name));
  const name = found ? ({ Edg: "Edge", OPR: "Opera" }[found] ?? found) : agent.slice(0, 60) || "A browser without a name";
  return found && system ? `${name} on ${system === "Macintosh" ? "Mac" : system}` : name;
}

function Profile({ search, user }) {
  const answer = useApi("/user");
  const { username, name, email, is_admin: isAdmin, projects_limit: limit } = answer.data ?? user;
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
        <Sessions user={user} mayAll={!user.reads} />
      </section>
      <section aria-labelledby="tokens">
        {user.reads ? (
          <>
            <h2 id="tokens">Tokens</h2>
            <p class="quiet">Your session can only read. To see and make tokens, sign in with a token of the scope api.</p>
          </>
        ) : (
          <Tokens user={user} own={user.token_id} search={search} heading={<h2 id="tokens">Tokens</h2>} />
        )}
      </section>
    </>
  );
}
