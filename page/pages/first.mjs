// The pages that every visit begins with. Each group of later pages imports this, so that all of them share one script with the
// first: many small ones would weigh more, and take a request each.
export { HomePage } from "./home.jsx";
export { IssuePage } from "./issue.jsx";
export { IssuesPage } from "./issues.jsx";
export { MissingPage } from "./missing.jsx";
export { ProjectPage } from "./project.jsx";
export { Menu } from "../parts/menu.jsx";
