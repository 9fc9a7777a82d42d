// The form of the sign-in, in the dialog and on the page `/users/sign_in`.
import { useEffect, useState } from "preact/hooks";
import { ask, get, useApi } from "../api.mjs";
import { Heading, Problem } from "../parts/feedback.jsx";
import { Markdown } from "../parts/markdown.jsx";
import { focus } from "../parts/opening.mjs";
import { session, signIn } from "../session.mjs";

/** Where a link may sign in by itself: on one's own machine. Elsewhere it could sign people in as somebody else. */
const isOwnMachine = () => ["127.0.0.1", "[::1]", "localhost"].includes(location.hostname);

/** What is known of the token. Administrators are not asked, because ADMIN_TOKEN is not in the database. */
async function factsOf(as, { is_admin }) {
  if (is_admin) return {};
  const { data } = await get("/personal_access_tokens/self", {}, { as }).catch(() => ({ data: /** @type {any} */ (null) }));
  return data?.scopes ? { token_id: data.id, ...(!data.scopes.includes("api") && { reads: true }) } : {};
}

/** Where to go after the sign-in: a path of this server. */
function aim() {
  const to = new URLSearchParams(location.search).get("to") ?? "";
  return /^\/(?![/\\])/.test(to) ? to : "/";
}

/**
 * `linked`: the token of a link. `close` is called after the sign-in, and by Cancel.
 * @param {{ linked?: string | null, close: () => void, heading?: any }} props
 */
export function SignInForm({ linked, close, heading = <h2 id="sign-in-title">{session()?.expired ? "Sign in again" : "Sign in"}</h2> }) {
  const [token, setToken] = useState(linked ?? "");
  const [remember, setRemember] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function start(as) {
    setBusy(true);
    setProblem("");
    try {
      const { data } = await ask("POST", "/session", { as, body: { remember } });
      signIn(data, await factsOf(as, data));
      close();
    } catch (error) {
      setProblem(
        error.status === 401
          ? "The server does not accept this token. Check that you copied all of it and that it has not expired."
          : error.message,
      );
      setBusy(false);
    }
  }
  useEffect(() => {
    if (linked && isOwnMachine()) start(linked);
  }, []);
  const submit = (event) => {
    event.preventDefault();
    start(token.trim());
  };

  return (
    <form onSubmit={submit}>
      {heading}
      <Welcome />
      <p>Paste a personal access token. The server makes a session of it, and no page keeps it.</p>
      <label>
        Token
        <input
          ref={focus}
          type="password"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
          autocomplete="off"
          spellcheck={false}
          required
        />
      </label>
      <label class="check">
        <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.currentTarget.checked)} />
        Remember me in this browser
      </label>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="actions">
        <button class="primary" disabled={busy}>
          {busy ? "Signing in …" : "Sign in"}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
      <details>
        <summary>Where do I get a token?</summary>
        <p>
          On a new server the first one is ADMIN_TOKEN: a secret of the Worker, or on your own machine a line of .dev.vars. Later an
          administrator makes one in Administration, Users: a new user gets one, and each user has a page of tokens. Once you are signed in,
          you make more of them in Settings.
        </p>
      </details>
    </form>
  );
}

/** What the server says to those who sign in, and the way in by Access. */
function Welcome() {
  const { data } = useApi("/session");
  if (!data) return null;
  const here = location.pathname === "/users/sign_in" ? aim() : location.pathname + location.search;
  return (
    <>
      {data.sign_in_text && <Markdown text={data.sign_in_text} />}
      {data.access && (
        <p class="actions">
          <a class="button primary" href={`${data.access}?${new URLSearchParams({ to: here })}`}>
            Sign in with Cloudflare Access
          </a>
        </p>
      )}
    </>
  );
}

/** Why Access did not sign somebody in. */
const PROBLEMS = {
  assertion: "Cloudflare Access did not say who you are. Try it again.",
  no_account: "No account has the e-mail that Access knows. Ask an administrator.",
  blocked: "Your account is blocked. Ask an administrator.",
  unavailable: "The keys of Cloudflare Access cannot be reached. Try it again in a moment.",
};

export function SignInPage({ search, session }) {
  const problem = PROBLEMS[new URLSearchParams(search).get("problem") ?? ""];
  const go = () => location.assign(aim());
  return (
    <>
      <Heading title="Sign in">Sign in</Heading>
      {problem && <Problem error={{ message: problem }} />}
      {session?.id ? (
        <p>
          You are signed in as {session.user.name}. <a href={aim()}>Go on</a>
        </p>
      ) : (
        <SignInForm close={go} heading={null} />
      )}
    </>
  );
}
