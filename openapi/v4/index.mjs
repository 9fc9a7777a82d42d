// node openapi/v4/index.mjs [FILE]     (without FILE to stdout)
import { documentOf, write } from "../document.mjs";
import { mirrorSchemas } from "../repository.mjs";
import { pathsAroundIssues, schemas as aroundIssues } from "./around_issues.mjs";
import { pathsOfBadges, schemas as ofBadges } from "./badges.mjs";
import { pathsOfContents, schemas as ofContents } from "./contents.mjs";
import { pathsOfEmpty } from "./empty.mjs";
import { pathsOfEvents, schemas as ofEvents } from "./events.mjs";
import { pathsOfGroups, schemas as ofGroups } from "./groups.mjs";
import { pathsOfHooks, schemas as ofHooks } from "./hooks.mjs";
import { pathsOfImports, schemas as ofImports } from "./imports.mjs";
import { pathsOfIssues, schemas as ofIssues } from "./issues.mjs";
import { pathsOfPipelines, schemas as ofPipelines } from "./pipelines.mjs";
import { pathsOfPlanning, schemas as ofPlanning } from "./planning.mjs";
import { pathsOfMeta, schemas as ofMeta } from "./meta.mjs";
import { pathsOfMembers, schemas as ofMembers } from "./members.mjs";
import { pathsOfProjects, schemas as ofProjects } from "./projects.mjs";
import { pathsOfRepositories, schemas as ofRepositories } from "./repository.mjs";
import { pathsOfReleases, schemas as ofReleases } from "./releases.mjs";
import { pathsOfSearch, schemas as ofSearch } from "./search.mjs";
import { pathsOfServer, schemas as ofServer } from "./server.mjs";
import { pathsOfSessions, schemas as ofSessions } from "./sessions.mjs";
import { pathsOfTokens, schemas as ofTokens } from "./tokens.mjs";
import { pathsOfUploads, schemas as ofUploads } from "./uploads.mjs";
import { pathsOfUsers, schemas as ofUsers } from "./users.mjs";

const sections = {
  ...pathsOfMeta,
  ...pathsOfUsers,
  ...pathsOfSessions,
  ...pathsOfTokens,
  ...pathsOfServer,
  ...pathsOfGroups,
  ...pathsOfProjects,
  ...pathsOfIssues,
  ...pathsAroundIssues,
  ...pathsOfBadges,
  ...pathsOfPlanning,
  ...pathsOfMembers,
  ...pathsOfRepositories,
  ...pathsOfContents,
  ...pathsOfReleases,
  ...pathsOfUploads,
  ...pathsOfImports,
  ...pathsOfSearch,
  ...pathsOfPipelines,
  ...pathsOfHooks,
  ...pathsOfEvents,
  ...pathsOfEmpty,
};
const schemas = {
  ...ofMeta,
  ...ofUsers,
  ...ofSessions,
  ...ofTokens,
  ...ofServer,
  ...ofGroups,
  ...ofProjects,
  ...ofIssues,
  ...aroundIssues,
  ...ofBadges,
  ...ofPlanning,
  ...ofMembers,
  ...ofRepositories,
  ...ofContents,
  ...ofReleases,
  ...ofUploads,
  ...ofImports,
  ...ofSearch,
  ...mirrorSchemas,
  ...ofPipelines,
  ...ofHooks,
  ...ofEvents,
};

const description = `
The API of current clients. It uses the same data as v3.

**Token.** Send it in the header \`PRIVATE-TOKEN\` or \`Authorization: Bearer ..\`, or in the parameter \`private_token\` or
\`access_token\`. Some operations return public records without a token. An administrator may act for another user with the header
\`Sudo\` or the parameter \`sudo\` (an id or a username).

**Parameters** may be sent in the query, as a form, as multipart or as JSON. Unknown parameters are ignored, and the header
\`X-Unread-Parameters\` lists their names. A list is \`name[]=..\` for each item, or one text with commas, or a JSON list.

**Lists** come in pages. Follow the \`next\` address of the \`Link\` header: every page costs the same.

**Errors** have the reason in \`message\` (a text, or a list of texts for each field) or \`error\` (a parameter that cannot be read). For
a record that you may not see, the answer is 404, as for one that does not exist.
`.trim();

export const document = documentOf("v4", { description, sections, schemas });
write(import.meta.url, document);
