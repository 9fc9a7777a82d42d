// node openapi/index.mjs [FILE]     (without FILE to stdout)
import { documentOf, write } from "./document.mjs";
import { pathsOfHooks, schemas as ofHooks } from "./hooks.mjs";
import { pathsOfIssues, schemas as ofIssues } from "./issues.mjs";
import { pathsOfPeople, schemas as ofPeople } from "./people.mjs";
import { pathsOfProjects, schemas as ofProjects } from "./projects.mjs";
import { pathsOfRepositories, schemas as ofRepositories } from "./repository.mjs";

const sections = { ...pathsOfIssues, ...pathsOfRepositories, ...pathsOfProjects, ...pathsOfPeople, ...pathsOfHooks };
const schemas = { ...ofIssues, ...ofRepositories, ...ofProjects, ...ofPeople, ...ofHooks };

const description = `
Issues, commits, commit statuses, application settings, deployments and license templates of hosted projects.

**Token.** Nearly every request needs one, in the header \`PRIVATE-TOKEN\` or \`Authorization: Bearer ..\`, or in the parameter
\`private_token\` or \`access_token\`. An administrator may act for another user with the header \`SUDO\`
(an id or a username). A token whose scopes do not allow a request is refused with 403; a project's token only opens that project.

**Parameters** may be sent in the query, as a form, as multipart or as JSON. Unknown parameters are ignored, and the header
\`X-Unread-Parameters\` lists their names.
A list is \`name[]=..\` for each item, or one text with commas. A blank value counts as absent. In a change it clears the field.

**Lists** come in pages. Follow the \`next\` address of the \`Link\` header: every page costs the same.

**Errors** have the reason in \`message\` (a text, or a list of texts for each field) or \`error\`, and may have a \`hint\`. For a record
that you may not see, the answer is 404, as for one that does not exist.

Every answer has an \`X-Request-Id\`, which is also in the log. Administrators who use their own token and do not act for another
user also get \`Server-Timing\` with the cost in the database.
`.trim();

export const document = documentOf("v3", { description, sections, schemas });
write(import.meta.url, document);
