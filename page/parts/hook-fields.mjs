// The fields of a web hook.

/** What a hook can be called for, that this server has. */
export const EVENTS = [
  ["push_events", "Pushes to branches"],
  ["tag_push_events", "Pushes of tags"],
  ["issues_events", "Issues"],
  ["confidential_issues_events", "Confidential issues"],
  ["note_events", "Comments"],
  ["confidential_note_events", "Comments of confidential issues"],
  ["pipeline_events", "Pipelines"],
  ["deployment_events", "Deployments"],
  ["milestone_events", "Milestones"],
  ["releases_events", "Releases"],
  ["emoji_events", "Emoji reactions"],
  ["resource_access_token_events", "Access tokens that end soon"],
];

/** A secret of 32 random bytes, as https://www.standardwebhooks.com writes it. */
const signingToken = () => `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;

const SECRETS = [
  { name: "token", label: "Secret token", most: 255, hint: "Sent as X-Gitlab-Token. It is never shown again." },
  {
    name: "signing_token",
    label: "Signing token",
    make: signingToken,
    hint: "Each request is signed with it (webhook-signature). Copy it to the receiver: it is never shown again.",
  },
];

export const fieldsOf = (isNew) => [
  {
    name: "url",
    label: "Address",
    type: "url",
    required: true,
    most: 2048,
    hint: isNew ? "Requests are posted to it. It must be reachable from the internet." : "Another address needs the secrets again.",
  },
  { name: "name", label: "Name", most: 255 },
  { name: "events", label: "Call it for", type: "checks", options: EVENTS },
  {
    name: "push_events_branch_filter",
    label: "Only branches like",
    most: 255,
    hint: "For example release/*. If it is empty, all branches.",
  },
  ...SECRETS.map((field) => (isNew ? field : { ...field, hint: `${field.hint} If it is empty, it stays.` })),
];

/** The hook as values of the form. */
export const valuesOf = (hook) => ({ ...hook, events: EVENTS.filter(([name]) => hook[name]).map(([name]) => name) });

/** The form's values as parameters of the API. */
export const parametersOf = ({ events, ...values }) => ({
  ...values,
  ...(events && Object.fromEntries(EVENTS.map(([name]) => [name, events.includes(name)]))),
});
