// The search, the list of keys, and what is new. Their code is loaded when somebody opens one of them.
import "./first.mjs";
export { Found } from "./found.jsx";
export { KeysList } from "./keys-list.jsx";
export { News } from "./news.jsx";
export { SearchPage } from "./search.jsx";
export { SignInForm, SignInPage } from "./signin-form.jsx";
