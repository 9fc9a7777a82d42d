import { anyone, bool, id, list, nullable, object, one, or, params, paths, ref, text, time } from "../words.mjs";

const session = object({
  id: id(),
  created_at: time,
  last_used_at: nullable(time),
  expires_at: time,
  user_agent: text({ maxLength: 255, description: "The browser, as it names itself." }),
  via: { ...one("access", "token", "admin_token"), description: "What it was started with." },
  current: bool("Whether it is that of the request."),
});
const whose = { id: { description: "The user's id.", schema: { type: "integer", minimum: 1 } } };

export const schemas = { Session: session };
export const pathsOfSessions = {
  sessions: paths("Sessions", {
    "GET /session": {
      id: "showSignIn",
      summary: "What the dialog to sign in shows",
      open: anyone,
      gives: {
        200: object({
          access: nullable(text("Where Cloudflare Access signs people in.")),
          sign_in_text: nullable(text("The application setting, as Markdown.")),
        }),
      },
    },
    "POST /session": {
      id: "startSession",
      summary: "Start a session of the pages",
      description:
        "With a personal token in a header. Only a page of this server can send the request. The answer sets two cookies: the secret of the session, which no script can read, and its id.",
      body: params([], { remember: bool("The cookies outlive the browser.") }),
      gives: { 201: or(ref("UserPublic"), ref("UserWithAdmin")) },
    },
    "DELETE /session": {
      id: "endSession",
      summary: "End the session of the cookie",
      gives: { 200: object({ redirect_to: text("Where the page goes next.") }) },
    },
    "GET /users/{id}/sessions": {
      id: "listSessions",
      summary: "List sessions, the newest first",
      description: "Your own. Administrators can list those of all. A token needs the scope `api`.",
      path: whose,
      paged: "asked",
      gives: { 200: list(ref("Session")) },
    },
    "DELETE /users/{id}/sessions/{session_id}": {
      id: "endSessionOf",
      summary: "End a session",
      path: whose,
      gives: { 204: null },
    },
  }),
};
