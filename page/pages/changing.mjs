// Pages of changed files. Their code is loaded when somebody opens one of them.
export { CommitPage } from "./commit.jsx";
export { ComparePage } from "./compare.jsx";
