import { always, date, extended, id, list, nullable, object, or, params, paths, ref, text, time, visitors, whole } from "../words.mjs";
import { lastDay } from "../people.mjs";
import { schemas as ofUsers } from "./users.mjs";

const level = { type: "integer", enum: [10, 20, 30, 40, 50], description: "10 guest, 20 reporter, 30 developer, 40 master, 50 owner." };
const member = extended(
  ofUsers.UserBasic,
  {
    access_level: level,
    created_at: time,
    created_by: { type: "null" },
    expires_at: nullable(date),
    membership_state: always("active"),
  },
  { description: "A member of a project or group." },
);

const several = (description) => ({ ...list(id()), description });

export const schemas = {
  Member: member,
  NewMemberParams: params(["access_level"], {
    user_id: or(id(), several("At most 100.")),
    username: or(text("Can be used instead of `user_id`."), list(text())),
    access_level: level,
    expires_at: lastDay,
  }),
  MemberParams: params(["access_level"], { access_level: level, expires_at: lastDay }),
};

const filters = {
  query: text("Part of a name or username."),
  search: text("Another name of `query`."),
  user_ids: several("Only users with these ids."),
  skip_users: several("Excludes users with these ids."),
};
const listed = { query: filters, paged: "known", gives: { 200: list(ref("Member")) } };
const one = { 200: ref("Member") };

function membersOf(kind, path) {
  const place = kind.toLowerCase();
  const open = kind === "Project" ? { open: visitors } : {};
  return paths("Members", {
    [`GET ${path}`]: { id: `list${kind}Members`, summary: `List the direct members of a ${place}`, ...listed, ...open },
    [`POST ${path}`]: {
      id: `add${kind}Member`,
      summary: `Add a member to a ${place}`,
      body: schemas.NewMemberParams,
      description: "Adds all users in the request or none.",
      gives: { 201: or(ref("Member"), object({ status: always("success") })) },
      refuses: [409],
    },
    [`GET ${path}/all`]: {
      id: `listAll${kind}Members`,
      summary: `List the members of a ${place}, including members of its group and its owner`,
      description: "Each member is listed once, with the highest level.",
      ...listed,
      ...open,
    },
    [`GET ${path}/all/{user_id}`]: {
      id: `showAny${kind}Member`,
      summary: "A direct or inherited member",
      path: { user_id: { description: "The id. Negative: the user of a token of the project.", schema: whole() } },
      gives: one,
      ...open,
    },
    [`GET ${path}/{user_id}`]: { id: `show${kind}Member`, summary: `A direct member of a ${place}`, gives: one, ...open },
    [`PUT ${path}/{user_id}`]: {
      id: `edit${kind}Member`,
      summary: `Change a member of a ${place}`,
      body: schemas.MemberParams,
      gives: one,
    },
    [`DELETE ${path}/{user_id}`]: {
      id: `remove${kind}Member`,
      summary: `Remove a member from a ${place}`,
      description: "Every member may leave, except the last owner of a group.",
      gives: { 204: null },
    },
  });
}

export const pathsOfMembers = {
  groupMembers: membersOf("Group", "/groups/{id}/members"),
  projectMembers: membersOf("Project", "/projects/{id}/members"),
  projectUsers: paths("Members", {
    "GET /projects/{id}/users": {
      id: "listProjectUsers",
      summary: "List all members, including members of the group and the owner",
      query: filters,
      paged: "known",
      gives: { 200: list(ref("UserBasic")) },
      open: visitors,
    },
  }),
};
