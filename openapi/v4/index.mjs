// The OpenAPI description of v4, assembled from the pieces beside this file:
//
//   node openapi/v4/index.mjs [FILE]     (without FILE to stdout)
import { documentOf, write } from "../document.mjs";
import { pathsOfEmpty } from "./empty.mjs";
import { pathsOfGroups, schemas as ofGroups } from "./groups.mjs";
import { pathsOfIssues, schemas as ofIssues } from "./issues.mjs";
import { pathsOfPlanning, schemas as ofPlanning } from "./planning.mjs";
import { pathsOfMeta, schemas as ofMeta } from "./meta.mjs";
import { pathsOfMembers, schemas as ofMembers } from "./members.mjs";
import { pathsOfProjects, schemas as ofProjects } from "./projects.mjs";
import { pathsOfRepositories, schemas as ofRepositories } from "./repository.mjs";
import { pathsOfServer, schemas as ofServer } from "./server.mjs";
import { pathsOfTokens, schemas as ofTokens } from "./tokens.mjs";
import { pathsOfUsers, schemas as ofUsers } from "./users.mjs";

const sections = {
  ...pathsOfMeta,
  ...pathsOfUsers,
  ...pathsOfTokens,
  ...pathsOfServer,
  ...pathsOfGroups,
  ...pathsOfProjects,
  ...pathsOfIssues,
  ...pathsOfPlanning,
  ...pathsOfMembers,
  ...pathsOfRepositories,
  ...pathsOfEmpty,
};
const schemas = {
  ...ofMeta,
  ...ofUsers,
  ...ofTokens,
  ...ofServer,
  ...ofGroups,
  ...ofProjects,
  ...ofIssues,
  ...ofPlanning,
  ...ofMembers,
  ...ofRepositories,
};

const description = `
The API that today's clients speak, over the same data as v3.

**Token.** In the header \`PRIVATE-TOKEN\` or as \`Authorization: Bearer ..\`; the parameters \`private_token\` and \`access_token\` do as
well. What is public may be read without one, where an operation says so. An administrator may act for somebody else with the header
\`Sudo\` or the parameter \`sudo\` (an id or a username).

**Parameters** may come in the query, as a form, as multipart or as JSON, and those that nobody reads are passed over: the
header \`X-Unread-Parameters\` names them. A list is \`name[]=..\` for each item, or one text with commas, or a JSON list.

**Lists** come in pages. Follow the \`next\` address of the \`Link\` header: it costs the same however deep.

**Refusals** say why in \`message\` (a text, or a list of texts for each field) or \`error\` (a parameter that cannot be read). What you
may not see is not there: 404 comes before 403.
`.trim();

export const document = documentOf("v4", { description, sections, schemas });
write(import.meta.url, document);
