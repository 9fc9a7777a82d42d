// The OpenAPI description of v3, assembled from the pieces beside this file:
//
//   node openapi/index.mjs [FILE]     (without FILE to stdout)
import { documentOf, write } from "./document.mjs";
import { pathsOfIssues, schemas as ofIssues } from "./issues.mjs";
import { pathsOfPeople, schemas as ofPeople } from "./people.mjs";
import { pathsOfProjects, schemas as ofProjects } from "./projects.mjs";
import { pathsOfRepositories, schemas as ofRepositories } from "./repository.mjs";

const sections = { ...pathsOfIssues, ...pathsOfRepositories, ...pathsOfProjects, ...pathsOfPeople };
const schemas = { ...ofIssues, ...ofRepositories, ...ofProjects, ...ofPeople };

const description = `
Issues, commits, commit statuses, application settings, deployments and license templates of hosted projects.

**Token.** Nearly everything needs one, in the header \`PRIVATE-TOKEN\`. \`Authorization: Bearer ..\` and the parameters
\`private_token\` and \`access_token\` do as well. An administrator may act for somebody else with the header \`SUDO\`
(an id or a username). A token whose scopes do not allow a request is refused with 403; a project's token opens that project alone.

**Parameters** may come in the query, as a form, as multipart or as JSON, and those that nobody reads are passed over: the
header \`X-Unread-Parameters\` names them.
A list is \`name[]=..\` for each item, or one text with commas. Blank counts as absent, and in a change as cleared.

**Lists** come in pages. Follow the \`next\` address of the \`Link\` header: it costs the same however deep.

**Refusals** may have a \`hint\`, and say why in \`message\` (a text, or a list of texts for each field) or \`error\`. What you may not see is not
there: 404 comes before 403.

Every answer has an \`X-Request-Id\`, which the log knows. To administrators who come with their own token and act as nobody
else, \`Server-Timing\` says what it cost the database.
`.trim();

export const document = documentOf("v3", { description, sections, schemas });
write(import.meta.url, document);
