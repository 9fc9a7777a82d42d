// The pages whose code is loaded when somebody opens one of them.
export { AdminPage } from "./admin.jsx";
export { LabelsPage } from "./labels.jsx";
export { MembersPage } from "./members.jsx";
export { MilestonePage } from "./milestone.jsx";
export { MilestonesPage } from "./milestones.jsx";
export { NewProjectPage } from "./new-project.jsx";
export { PipelinePage } from "./pipeline.jsx";
export { ProfilePage } from "./profile.jsx";
export { SettingsPage } from "./project-settings.jsx";
export { BranchesPage, TagsPage } from "./refs.jsx";
export { UsersPage } from "./users.jsx";
