// The pages of settings. Their code is loaded when somebody opens one of them.
import "./first.mjs";
export { AdminPage } from "./admin.jsx";
export { AuditPage } from "./audit.jsx";
export { HooksPage } from "./hooks.jsx";
export { NewProjectPage } from "./new-project.jsx";
export { ProfilePage } from "./profile.jsx";
export { SettingsPage } from "./project-settings.jsx";
export { ProjectTokensPage } from "./project-tokens.jsx";
export { UsersPage } from "./users.jsx";
