// What is shown while something loads, where it failed, and where there is nothing yet.
import { useEffect, useRef, useState } from "preact/hooks";
import { useSession } from "../session.mjs";
import { openSignIn } from "./signin.jsx";

/** Says nothing in the first moment: most answers are quicker than a sign of waiting can be read. */
export const Loading = ({ what = "Loading" }) => (
  <p class="loading" role="status">
    <span class="bar" aria-hidden="true" />
    {what} …
  </p>
);

export const Problem = ({ error, retry }) => (
  <div class="problem" role="alert">
    <p>{error.message}</p>
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

/** Where nothing is, and how something comes there. `curl`: the parts of a command below /api/v4. */
export const Empty = ({ title, children, curl }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
    {curl && <Command path={curl.path} fields={curl.fields} />}
  </div>
);

/** As a shell reads it; a variable of the shell stays one. */
const quoted = (text) => (/^\w+=\$\w+$/.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`);

function Command({ path, fields = {} }) {
  const data = Object.entries(fields).map(([name, value]) => `  -d ${quoted(`${name}=${value}`)} \\\n`);
  const text = `curl -H "PRIVATE-TOKEN: $TOKEN" \\\n${data.join("")}  ${quoted(`${location.origin}/api/v4${path}`)}`;
  return (
    <figure class="command">
      <pre tabIndex={0} aria-label="Command">
        {text}
      </pre>
      <Copy text={text} />
    </figure>
  );
}

function Copy({ text }) {
  const [done, setDone] = useState(false);
  const copy = () => navigator.clipboard?.writeText(text).then(() => setDone(true), () => {});
  return (
    <button class="small" onClick={copy}>
      {done ? "Copied" : "Copy"}
    </button>
  );
}

/** Where only people with a token see something. */
export const ForMembers = ({ what }) => {
  const session = useSession();
  if (session?.token) return null;
  return (
    <div class="empty">
      <p>Sign in to see {what}.</p>
      <SignInButton />
    </div>
  );
};

/** What an answer of `useApi` is shown by: its data, or what stands in the way. */
export function Answer({ of, what, children }) {
  if (of.error) return <Problem error={of.error} retry={of.reload} />;
  if (of.data === undefined || of.data === null) return <Loading what={what} />;
  return children(of.data);
}

/** The heading of a page. It takes the focus when the page was reached by a link, so that it is read out. */
export function Heading({ children, title }) {
  const heading = useRef(null);
  useEffect(() => {
    document.title = `${title} · edgeforge`;
  }, [title]);
  useEffect(() => {
    if (history.state?.followed && !location.hash) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
