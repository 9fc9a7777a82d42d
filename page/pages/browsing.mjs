// Pages of lists that visitors seldom open. Their code is loaded when somebody opens one of them.
import "./first.mjs";
export { EnvironmentsPage } from "./environments.jsx";
export { FileFacts } from "./file-facts.jsx";
export { BlobPage, TreePage } from "./files.jsx";
export { FirstCommits } from "./first-commits.jsx";
export { LabelsPage } from "./labels.jsx";
export { MilestonePage } from "./milestone.jsx";
export { MilestonesPage } from "./milestones.jsx";
export { PipelinePage } from "./pipeline.jsx";
export { PipelinesPage } from "./pipelines.jsx";
export { BranchesPage, TagsPage } from "./refs.jsx";
export { ReleasePage } from "./release.jsx";
export { ReleasesPage } from "./releases.jsx";
export { TodosPage } from "./todos.jsx";
