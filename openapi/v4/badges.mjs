import { always, id, list, nullable, object, params, paths, ref, text, visitors } from "../words.mjs";

const address = (what) =>
  text({
    minLength: 8,
    maxLength: 255,
    pattern: "^https?://",
    description: `${what} It may have placeholders: \`%{project_path}\`, \`%{project_title}\`, \`%{project_name}\`, \`%{project_id}\`, \`%{project_namespace}\`, \`%{default_branch}\`, \`%{commit_sha}\`, \`%{latest_tag}\`, \`%{gitlab_server}\`.`,
    example: "https://example.com/%{project_path}",
  });
const link = address("Where a click on the badge leads.");
const image = address("The address of the picture.");
const rendered = {
  link_url: text(),
  image_url: text(),
  rendered_link_url: text("With the values of its placeholders. Commit and tag are empty for callers who may not read commits."),
  rendered_image_url: text(),
};
const written = { name: text(), link_url: link, image_url: image };

export const schemas = {
  Badge: object({ id: id(), name: nullable(text()), ...rendered, kind: always("project") }),
  RenderedBadge: object(rendered),
  NewBadgeParams: params(["link_url", "image_url"], written),
  BadgeParams: params([], written),
};

const at = "/projects/{id}/badges";
export const pathsOfBadges = {
  projectBadges: paths("Badges", {
    [`GET ${at}`]: {
      id: "listBadges",
      summary: "List the badges of a project",
      query: { name: text("The whole name.") },
      paged: "counted",
      gives: { 200: list(ref("Badge")) },
      open: visitors,
    },
    [`POST ${at}`]: {
      id: "createBadge",
      summary: "Make a badge",
      description: "A project has at most 100.",
      body: schemas.NewBadgeParams,
      gives: { 201: ref("Badge") },
    },
    [`GET ${at}/render`]: {
      id: "renderBadge",
      summary: "What a badge with these addresses would show",
      query: { link_url: { ...link, needed: true }, image_url: { ...image, needed: true } },
      gives: { 200: ref("RenderedBadge") },
    },
    [`GET ${at}/{badge_id}`]: { id: "showBadge", summary: "A badge", gives: { 200: ref("Badge") }, open: visitors },
    [`PUT ${at}/{badge_id}`]: { id: "editBadge", summary: "Change a badge", body: schemas.BadgeParams, gives: { 200: ref("Badge") } },
    [`DELETE ${at}/{badge_id}`]: { id: "deleteBadge", summary: "Remove a badge", gives: { 204: null } },
  }),
};
