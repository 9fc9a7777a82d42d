// The dialog of the sign-in, whose form is loaded when it opens.
import { useEffect, useRef, useState } from "preact/hooks";
import { session } from "../session.mjs";
import { later } from "./later.jsx";
import { opensBy } from "./sign-in.mjs";

const SignInForm = later("finding", "SignInForm", true);

export function SignInDialog() {
  const dialog = useRef(/** @type {any} */ (null));
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const open = () => {
      setShown(true);
      if (!dialog.current.open) dialog.current.showModal();
    };
    opensBy(open);
    // `/docs` leads here
    if (location.hash === "#sign-in" && !session()) open();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="sign-in-title" class="sign-in" onClose={() => setShown(false)}>
      {shown && <SignInForm close={() => dialog.current.close()} />}
    </dialog>
  );
}
