// What the dialog of the sign-in asks for.
import { useState } from "preact/hooks";
import { get } from "../api.mjs";
import { focus } from "../parts/opening.mjs";
import { session, signIn } from "../session.mjs";

/** True if the token lacks the scope api. Administrators are not checked, because ADMIN_TOKEN is not in the database. */
async function onlyReads(as, { is_admin }) {
  if (is_admin) return false;
  const { data } = await get("/personal_access_tokens/self", {}, { as }).catch(() => ({ data: /** @type {any} */ (null) }));
  return Boolean(data?.scopes) && !data.scopes.includes("api");
}

export function SignInForm({ close }) {
  const [token, setToken] = useState("");
  const [remember, setRemember] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(event) {
    event.preventDefault();
    setBusy(true);
    setProblem("");
    try {
      const as = token.trim();
      const { data } = await get("/user", {}, { as });
      signIn(as, data, { remember, reads: await onlyReads(as, data) });
      close();
    } catch (error) {
      setProblem(
        error.status === 401 || error.status === 403
          ? "The server does not accept this token. Check that you copied all of it and that it has not expired."
          : error.message,
      );
      setBusy(false);
    }
  }

  return (
    <form onSubmit={submit}>
      <h2 id="sign-in-title">{session()?.expired ? "Sign in again" : "Sign in"}</h2>
      <p>
        Paste a personal access token. It is sent only to this server. All tabs of this browser have it until the last one is closed, unless
        you choose to be remembered.
      </p>
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
