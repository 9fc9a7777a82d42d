// Signing in: a token is pasted, and the API asked whose it is.
import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api.mjs";
import { session, signIn } from "../session.mjs";

let open = () => {};
export const openSignIn = () => open();

/** Whether a token opens nothing but reading. That of root, which is no record, is not asked for. */
async function onlyReads(as, { is_admin }) {
  if (is_admin) return false;
  const { data } = await get("/personal_access_tokens/self", {}, { as }).catch(() => ({ data: null }));
  return Boolean(data?.scopes) && !data.scopes.includes("api");
}

export function SignInDialog() {
  const dialog = useRef(null);
  const [token, setToken] = useState("");
  const [remember, setRemember] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    open = () => {
      setProblem("");
      if (!dialog.current.open) dialog.current.showModal();
    };
  }, []);

  async function submit(event) {
    event.preventDefault();
    setBusy(true);
    setProblem("");
    try {
      const as = token.trim();
      const { data } = await get("/user", {}, { as });
      signIn(as, data, { remember, reads: await onlyReads(as, data) });
      setToken("");
      dialog.current.close();
    } catch (error) {
      setProblem(error.status === 401 || error.status === 403 ? "This token is not known. Is it whole, and has it not ended?" : error.message);
    }
    setBusy(false);
  }

  return (
    <dialog ref={dialog} aria-labelledby="sign-in-title" class="sign-in">
      <form onSubmit={submit}>
        <h2 id="sign-in-title">{session()?.expired ? "Sign in again" : "Sign in"}</h2>
        <p>
          Paste a personal access token. It goes to this server alone, and is forgotten with this tab unless you say otherwise.
        </p>
        <label>
          Token
          <input type="password" value={token} onInput={(event) => setToken(event.target.value)} autocomplete="off" spellcheck={false} required />
        </label>
        <label class="check">
          <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.target.checked)} />
          Remember me in this browser
        </label>
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <p class="actions">
          <button class="primary" disabled={busy}>
            {busy ? "Asking …" : "Sign in"}
          </button>
          <button type="button" onClick={() => dialog.current.close()}>
            Cancel
          </button>
        </p>
        <details>
          <summary>Where do I get a token?</summary>
          <p>
            An administrator makes one for you with <code>POST /users/:id/personal_access_tokens</code>; with one, you make further ones yourself. <a href="/docs">All calls</a>
          </p>
        </details>
      </form>
    </dialog>
  );
}
