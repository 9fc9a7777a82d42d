// Users as v4 shows them.
import { always, bool, extended, nullable, object, one, text, time, whole } from "../words.mjs";

const basic = object({
  id: whole({ description: "Less than 0: the user of a project's token, whom no other request finds." }),
  username: text(),
  public_email: always(""),
  name: text(),
  state: one("active", "blocked", "ldap_blocked"),
  locked: always(false),
  avatar_url: nullable(text()),
  web_url: text("Address of the user's page."),
}, { description: "Wherever another record names a user." });
const user = extended(basic, {
  created_at: time,
  bio: nullable(text()),
  location: nullable(text()),
  skype: text(),
  linkedin: text(),
  twitter: text(),
  website_url: text(),
  discord: always(""),
  github: always(""),
  job_title: always(""),
  pronouns: { type: "null" },
  organization: always(""),
  bot: bool(),
  work_information: { type: "null" },
  local_time: { type: "null" },
  followers: always(0),
  following: always(0),
  is_followed: always(false),
}, { description: "What everybody signed in may know of a user." });

export const schemas = { UserBasic: basic, User: user };
