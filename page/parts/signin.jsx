// The dialog of the sign-in, whose form is loaded when it opens.
import { useEffect, useRef, useState } from "preact/hooks";
import { session } from "../session.mjs";
import { later } from "./later.jsx";
import { opensBy } from "./sign-in.mjs";

const SignInForm = later("finding", "SignInForm", true);

/** The token of a link with `#sign-in=`, which it takes out of the address; the empty text for `#sign-in`; else null. */
function takeLinked() {
  const [, token] = /^#sign-in(?:=(.*))?$/.exec(location.hash) ?? [null, null];
  if (token) history.replaceState(history.state, "", location.pathname + location.search);
  return token === undefined ? "" : token;
}
// before anything else
let linked = takeLinked();

export function SignInDialog() {
  const dialog = useRef(/** @type {any} */ (null));
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const open = () => {
      setShown(true);
      if (!dialog.current.open) dialog.current.showModal();
    };
    const openLinked = () => (linked || (linked === "" && !session())) && open();
    opensBy(open);
    openLinked();
    const follow = () => {
      linked = takeLinked();
      openLinked();
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const close = () => {
    linked = null;
    setShown(false);
  };
  return (
    <dialog ref={dialog} aria-labelledby="sign-in-title" class="sign-in" onClose={close}>
      {shown && <SignInForm linked={linked} close={() => dialog.current.close()} />}
    </dialog>
  );
}
