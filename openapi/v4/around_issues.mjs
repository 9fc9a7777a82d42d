import { extended, id, list, object, one, params, paths, ref, text, time, visitors, whole } from "../words.mjs";
import { issueBasic } from "./issues.mjs";

const linkType = one("relates_to", "blocks", "is_blocked_by");
const emoji = text({ pattern: "^[a-z0-9_+-]{1,50}$", maxLength: 50, example: "thumbsup" });

export const schemas = {
  Award: object({
    id: id(),
    name: emoji,
    user: ref("UserBasic"),
    created_at: time,
    updated_at: time,
    awardable_id: id("The id of the issue or the comment."),
    awardable_type: one("Issue", "Note"),
    url: { type: "null" },
  }),
  AwardParams: params(["name"], {
    name: text({
      minLength: 1,
      maxLength: 255,
      description: "The name of an emoji: letters a to z, digits, `_`, `+` and `-`, at most 50. Colons around it are passed over.",
      example: "thumbsup",
    }),
  }),
  LinkedIssue: extended(issueBasic, { issue_link_id: id(), link_type: linkType, link_created_at: time, link_updated_at: time }),
  IssueLink: object({ id: id(), source_issue: ref("IssueBasic"), target_issue: ref("IssueBasic"), link_type: linkType }),
  IssueLinkParams: params(["target_project_id", "target_issue_iid"], {
    target_project_id: text({ maxLength: 511, description: "The project of the other issue: its id or its path." }),
    target_issue_iid: whole("The number of the other issue there."),
    link_type: { ...linkType, default: "relates_to", description: "What this issue is to the other." },
  }),
  EstimateParams: params(["duration"], {
    duration: text({
      maxLength: 255,
      description: "`1mo 2w 3d 4h 5m 6s`, a part of it, or a number of hours. A day has 8 hours, a week 5 days, a month 4 weeks.",
      example: "3h30m",
    }),
  }),
  SpendParams: params(["duration"], {
    duration: text({ maxLength: 255, description: "As for an estimate. With `-` it is taken away.", example: "1h" }),
    summary: text("Passed over."),
  }),
};

const at = "/projects/{id}/issues/{issue_iid}";
const numbered = { path: { issue_iid: { description: "The issue's number in the project." } } };
const on = (told) => ({ ...numbered, ...told });
const awardsOf = (base, Id, what) => ({
  [`GET ${base}`]: on({
    id: `list${Id}`,
    summary: `List the emoji of ${what}`,
    paged: "counted",
    gives: { 200: list(ref("Award")) },
    open: visitors,
  }),
  [`POST ${base}`]: on({
    id: `create${Id}`,
    summary: `Give ${what} an emoji`,
    description: "At most 200 emoji, and 1,000 on an issue with its comments. 404 if the caller has given it already.",
    body: schemas.AwardParams,
    gives: { 201: ref("Award") },
  }),
  [`GET ${base}/{award_id}`]: on({ id: `show${Id}`, summary: `An emoji of ${what}`, gives: { 200: ref("Award") }, open: visitors }),
  [`DELETE ${base}/{award_id}`]: on({
    id: `delete${Id}`,
    summary: `Take an emoji of ${what} back (its giver and administrators)`,
    gives: { 204: null },
  }),
});

export const pathsAroundIssues = {
  awards: paths("Emoji", {
    ...awardsOf(`${at}/award_emoji`, "Award", "an issue"),
    ...awardsOf(`${at}/notes/{note_id}/award_emoji`, "AwardOfNote", "a comment"),
  }),
  issueLinks: paths("Issues", {
    [`GET ${at}/links`]: on({
      id: "listIssueLinks",
      summary: "List the issues that are linked with an issue",
      description: "All of them, at most 1,000, unless the request asks for a page or they have more than 3 MB.",
      paged: "asked",
      gives: { 200: list(ref("LinkedIssue")) },
    }),
    [`POST ${at}/links`]: on({
      id: "createIssueLink",
      summary: "Link two issues",
      body: schemas.IssueLinkParams,
      gives: { 201: ref("IssueLink") },
      refuses: [409],
    }),
    [`GET ${at}/links/{issue_link_id}`]: on({ id: "showIssueLink", summary: "A link of an issue", gives: { 200: ref("IssueLink") } }),
    [`DELETE ${at}/links/{issue_link_id}`]: on({ id: "deleteIssueLink", summary: "Remove a link", gives: { 200: ref("IssueLink") } }),
  }),
  times: paths("Issues", {
    [`GET ${at}/time_stats`]: on({
      id: "showTimeStats",
      summary: "The estimate of an issue and the time spent on it",
      gives: { 200: ref("TimeStats") },
      open: visitors,
    }),
    [`POST ${at}/time_estimate`]: on({
      id: "setTimeEstimate",
      summary: "Estimate the time for an issue",
      body: schemas.EstimateParams,
      gives: { 200: ref("TimeStats") },
    }),
    [`POST ${at}/reset_time_estimate`]: on({ id: "resetTimeEstimate", summary: "Remove the estimate", gives: { 200: ref("TimeStats") } }),
    [`POST ${at}/add_spent_time`]: on({
      id: "addSpentTime",
      summary: "Add to the time spent on an issue",
      body: schemas.SpendParams,
      gives: { 201: ref("TimeStats") },
    }),
    [`POST ${at}/reset_spent_time`]: on({ id: "resetSpentTime", summary: "Remove the time spent", gives: { 200: ref("TimeStats") } }),
  }),
};
