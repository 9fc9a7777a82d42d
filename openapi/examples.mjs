// A body that works, for each schema of a body: what a new record needs, or one field that changes.

const url = "https://example.com/";
const body = "Thanks, this works.";
const expires_at = "2030-01-31";

/** By the name of the schema. */
export const examples = {
  NewIssueParams: { title: "Login fails", labels: "bug" },
  IssueParams: { title: "Login fails on phones" },
  ReorderParams: { move_after_id: 1 },
  MoveParams: { to_project_id: 2 },
  CloneParams: { to_project_id: 2 },
  IssueLinkParams: { target_project_id: "2", target_issue_iid: 1 },
  EstimateParams: { duration: "3h" },
  SpendParams: { duration: "30m" },
  NewNoteParams: { body },
  NoteParams: { body },
  AwardParams: { name: "thumbsup" },
  NewLabelParams: { name: "bug", color: "#428BCA" },
  LabelParams: { name: "bug", color: "#428BCA" },
  NamedLabelParams: { color: "#428BCA" },
  NewMilestoneParams: { title: "1.0", due_date: expires_at },
  MilestoneParams: { due_date: expires_at },
  CommitCommentParams: { note: body },
  NewCommitDiscussionParams: { body },
  CommitNoteParams: { body },
  StatusParams: { state: "success", name: "build", target_url: url },
  NewDeploymentParams: { environment: "production", sha: "master", ref: "master", tag: false, status: "running" },
  DeploymentParams: { status: "success" },
  ReleaseNotesParams: { description: "What is new." },
  NewReleaseParams: { tag_name: "v1", name: "1.0", description: "What is new." },
  ReleaseParams: { name: "1.0" },
  NewReleaseLinkParams: { name: "Tool for Linux", url },
  ReleaseLinkParams: { name: "Tool for Linux" },
  NewBadgeParams: { link_url: `${url}%{project_path}`, image_url: `${url}badge.svg` },
  BadgeParams: { link_url: url },
  MarkdownParams: { text: "**Hello**" },
  NewProjectParams: { name: "Example" },
  ProjectParams: { description: "An example." },
  NewGroupParams: { name: "Example", path: "example" },
  GroupParams: { name: "Example" },
  NewMemberParams: { user_id: 2, access_level: 30 },
  MemberParams: { access_level: 30 },
  NewUserParams: { username: "ann", email: "ann@example.com", name: "Ann" },
  UserParams: { name: "Ann" },
  TokenParams: { name: "ci", scopes: ["api"] },
  ProjectTokenParams: { name: "ci", scopes: ["api"] },
  HookTokenParams: { name: "mirror" },
  RotationParams: { expires_at },
  ProjectRotationParams: { expires_at },
  SettingsParams: { sign_in_text: "Welcome" },
  HookParams: { url },
  SystemHookParams: { url },
  ProjectHookParams: { url, push_events: true },
  HookEditParams: { url },
  ProjectHookEditParams: { push_events: true },
};

/** Of members of a schema without a name. */
const members = {
  name: "production",
  external_url: url,
  status: "success",
  value: "secret",
  records: [{ kind: "label", key: "0123456789abcdef", title: "bug", color: "#428BCA" }],
};

/** What the schema needs, or its first member. */
function exampleOf({ properties = {}, required = [] }) {
  const names = required.length ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, members[name]]));
}

/** Gives examples to the bodies of operations whose schemas have no name. */
export function complete(paths) {
  for (const operation of Object.values(paths).flatMap(Object.values)) {
    const content = operation.requestBody?.content["application/json"];
    if (content?.schema.properties) content.example = exampleOf(content.schema);
  }
}
