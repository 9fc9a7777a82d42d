// Members of projects and groups, as v4 shows them.
import { always, extended, id, list, object, or, params, paths, ref, text, time } from "../words.mjs";
import { schemas as ofUsers } from "./users.mjs";

const level = { type: "integer", enum: [10, 20, 30, 40, 50], description: "10 guest, 20 reporter, 30 developer, 40 master, 50 owner." };
const member = extended(ofUsers.UserBasic, {
  access_level: level,
  created_at: time,
  created_by: { type: "null" },
  expires_at: { type: "null" },
  membership_state: always("active"),
}, { description: "A member of a project or group." });
const expires_at = text("Refused unless it is blank: a membership must never be longer than asked.");

const several = (description) => ({ ...list(id()), description });

export const schemas = {
  Member: member,
  NewMemberParams: params(["access_level"], { user_id: or(id(), several("At most 100.")), username: or(text("Instead of `user_id`."), list(text())), access_level: level, expires_at }),
  MemberParams: params(["access_level"], { access_level: level, expires_at }),
};

const filters = { query: text("Part of a name or username."), search: text("The same."), user_ids: several("Only these."), skip_users: several("All but these.") };
const listed = { query: filters, paged: "known", gives: { 200: list(ref("Member")) } };
const one = { 200: ref("Member") };

function membersOf(kind, path) {
  const place = kind.toLowerCase();
  return paths("Members", {
    [`GET ${path}`]: { id: `list${kind}Members`, summary: `List the direct members of a ${place}`, ...listed },
    [`POST ${path}`]: { id: `add${kind}Member`, summary: `Add a member to a ${place}`, body: schemas.NewMemberParams, description: "All that are named, or none of them.", gives: { 201: or(ref("Member"), object({ status: always("success") })) }, refuses: [409] },
    [`GET ${path}/all`]: { id: `listAll${kind}Members`, summary: `List the members of a ${place}, also those by its group or owner`, description: "Each once, with the highest level.", ...listed },
    [`GET ${path}/all/{user_id}`]: { id: `showAny${kind}Member`, summary: "One of them", gives: one },
    [`GET ${path}/{user_id}`]: { id: `show${kind}Member`, summary: `A direct member of a ${place}`, gives: one },
    [`PUT ${path}/{user_id}`]: { id: `edit${kind}Member`, summary: `Change a member of a ${place}`, body: schemas.MemberParams, gives: one },
    [`DELETE ${path}/{user_id}`]: { id: `remove${kind}Member`, summary: `Remove a member from a ${place}`, description: "Everybody may leave; the last owner of a group stays.", gives: { 204: null } },
  });
}

export const pathsOfMembers = {
  groupMembers: membersOf("Group", "/groups/{id}/members"),
  projectMembers: membersOf("Project", "/projects/{id}/members"),
  projectUsers: paths("Members", {
    "GET /projects/{id}/users": { id: "listProjectUsers", summary: "List who is a member, directly or by the group or owner", query: filters, paged: "known", gives: { 200: list(ref("UserBasic")) } },
  }),
};
