import { useEffect, useRef, useState } from "preact/hooks";
import { useSession } from "../session.mjs";
import { openSignIn } from "./sign-in.mjs";

/** CSS shows it after a delay, because most answers arrive sooner. */
export const Loading = ({ what = "Loading" }) => (
  <p class="loading" role="status">
    <span class="bar" aria-hidden="true" />
    {what} …
  </p>
);

/** @param {{ error: { message: string, status?: number, request?: string | null }, retry?: () => unknown }} props */
export const Problem = ({ error, retry }) => (
  <div class="problem" role="alert">
    <p>
      {error.message} {error.request && <small>Request {error.request}</small>}
    </p>
    <p class="actions">
      {retry && <button onClick={() => retry()}>Try again</button>}
      {error.status === 401 && <SignInButton />}
    </p>
  </div>
);

export const SignInButton = ({ text = "Sign in" }) => (
  <button class="primary" onClick={openSignIn}>
    {text}
  </button>
);

/**
 * `curl`: path and fields of a request to /api/v4 that adds a first entry.
 * @param {{ title: string, children?: any, curl?: { path: string, fields?: Record<string, string> } }} props
 */
export const Empty = ({ title, children, curl }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
    {curl && <Command path={curl.path} fields={curl.fields} />}
  </div>
);

/** Quotes for a shell. In `name=$NAME` the variable still expands. */
export const quoted = (text) => (/^\w+=\$\w+$/.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`);

function Command({ path, fields = {} }) {
  const data = Object.entries(fields).map(([name, value]) => `  -d ${quoted(`${name}=${value}`)} \\\n`);
  const text = `curl -H "PRIVATE-TOKEN: $TOKEN" \\\n${data.join("")}  ${quoted(`${location.origin}/api/v4${path}`)}`;
  return (
    <figure class="command">
      <pre tabIndex={0} role="group" aria-label="Command">
        {text}
      </pre>
      <Copy text={text} />
    </figure>
  );
}

/** @param {{ text: string, what?: string, first?: (button: HTMLElement | null) => void }} props */
export function Copy({ text, what, first }) {
  const [done, setDone] = useState(false);
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setDone(true),
      () => {},
    );
  return (
    <button class="small" onClick={copy} ref={first}>
      {done ? "Copied" : "Copy"}
      {what && <span class="unseen"> {what}</span>}
    </button>
  );
}

export const ForMembers = ({ what }) => {
  const session = useSession();
  if (session?.id) return null;
  return (
    <div class="empty">
      <p>Sign in to see {what}.</p>
      <SignInButton />
    </div>
  );
};

/**
 * `of`: the result of `useApi`. Shows its data, its error, or that it is loading.
 * @param {{ of: import("../api.mjs").Answered, what?: string, children: (data: any) => any }} props
 */
export function Answer({ of, what, children }) {
  if (of.error) return <Problem error={of.error} retry={of.reload} />;
  if (of.data === undefined || of.data === null) return <Loading what={what} />;
  return children(of.data);
}

/** What others saved meanwhile, by field: `{ label, theirs, take }`. The field below has the writer's own text. */
export const Theirs = ({ clash }) => (
  <section class="problem" role="alert" aria-labelledby="theirs">
    <h2 id="theirs">Somebody else changed this while you wrote</h2>
    <p>Nothing was overwritten. Save again if your text is to replace theirs.</p>
    {clash.map(({ label, theirs, take }) => (
      <figure key={label}>
        <figcaption>{label} as it is saved now</figcaption>
        <pre tabIndex={0}>{String(theirs ?? "") || "(empty)"}</pre>
        <button type="button" class="small" onClick={take}>
          Use the saved {label.toLowerCase()}
        </button>
      </figure>
    ))}
  </section>
);

/** Takes the focus after the user follows a link, so that a screen reader reads it; not where a field has the focus. */
export function Heading({ children, title }) {
  const heading = useRef(/** @type {any} */ (null));
  useEffect(() => {
    document.title = `${title} · edgeforge`;
  }, [title]);
  useEffect(() => {
    const isFree = ["BODY", "MAIN", "A", "BUTTON"].includes(document.activeElement?.tagName ?? "BODY");
    if (history.state?.followed && !location.hash && isFree) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} dir="auto">
      {children}
    </h1>
  );
}
