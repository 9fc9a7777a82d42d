// What people do with issues: writing, changing, moving. The code is loaded when somebody begins.
import "./first.mjs";
export { Bulk } from "./issue-bulk.jsx";
export { EditIssue } from "./issue-edit.jsx";
export { NewIssuePage } from "./issue-form.jsx";
export { MoveIssue } from "./issue-move.jsx";
export { Views } from "./issue-views.jsx";
