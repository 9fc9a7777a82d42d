// Pages of commits and changed files. Their code is loaded when somebody opens one of them.
import "./first.mjs";
export { CommitPage } from "./commit.jsx";
export { CommitsPage } from "./commits.jsx";
export { ComparePage } from "./compare.jsx";
