// Opens the dialog of the sign-in. It is apart, because what the dialog loads has such buttons, too.
let open = () => {};
export const openSignIn = () => open();

/** The dialog says how it is opened. */
export function opensBy(opening) {
  open = opening;
}
