// A link to a file of this server. A browser sends no token with a link, so what not everybody may read is fetched with it.
import { isPage } from "../route.mjs";
import { session } from "../session.mjs";
import { saved } from "./bytes.mjs";
import { useSending } from "./draft.jsx";
import { Problem } from "./feedback.jsx";
import { Outside, safeAddress } from "./markdown.jsx";

/** A link to a file. `isPublic`: everybody may read the project. */
export function FileLink({ href, isPublic, children }) {
  const { busy, error, send } = useSending();
  const address = safeAddress(href);
  const isOwn = address?.origin === location.origin && !isPage(address.pathname);
  if (!isOwn || isPublic || !session()?.token) return <Outside href={href}>{children}</Outside>;
  const save = () => send([href, Date.now()], () => saved(address.href, address.pathname.split("/").at(-1)));
  return (
    <>
      <button class="small" disabled={busy} onClick={save}>
        {busy ? "Loading …" : children}
      </button>
      {error && <Problem error={error} />}
    </>
  );
}
