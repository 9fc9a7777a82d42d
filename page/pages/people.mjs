// Pages of users and groups, and of their activity. Their code is loaded when somebody opens one of them.
import "./first.mjs";
export { ActivityPage } from "./activity.jsx";
export { NewGroupPage } from "./group.jsx";
export { MembersPage } from "./members.jsx";
export { NamespacePage } from "./namespace.jsx";
