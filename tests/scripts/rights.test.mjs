// The pages offer exactly the actions that the API allows the user (tests/api/policy/policy.txt).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { LEAST } from "../../page/policy.mjs";
import { opens, refusal, roleIn, seesCommits, seesDeployments, withheld } from "../../page/rights.mjs";

const user = { id: 7 };
const at = (level, more) => ({
  visibility: "private",
  permissions: { project_access: level ? { access_level: level } : null, group_access: null },
  ...more,
});
const issue = { author: { id: 1 }, assignee: null };

test("whoever is below a reporter is offered no change of others' issues, and told why", () => {
  for (const level of [0, 10]) {
    assert.match(refusal.edit(issue, at(level), user), /reporters/);
    assert.match(refusal.move(at(level), user), /reporters/);
    assert.match(refusal.plan(at(level), user), /reporters/);
  }
  for (const level of [20, 30, 40, 50])
    for (const said of [refusal.edit(issue, at(level), user), refusal.move(at(level), user), refusal.plan(at(level), user)])
      assert.equal(said, null);
});

test("authors and assignees change their issues, and move none", () => {
  for (const own of [
    { author: user, assignee: null },
    { author: { id: 1 }, assignee: user },
  ]) {
    assert.equal(refusal.edit(own, at(0), user), null);
    assert.notEqual(refusal.move(at(0), user), null);
  }
});

test("others' comments are changed by maintainers", () => {
  const note = { author: { id: 1 } };
  assert.notEqual(refusal.changeNote(note, at(30), user), null);
  assert.notEqual(refusal.changeNote(note, null, user), null);
  assert.equal(refusal.changeNote(note, at(40), user), null);
  assert.equal(refusal.changeNote({ author: user }, null, user), null);
});

test("members alone comment where the discussion is locked", () => {
  const locked = { ...issue, discussion_locked: true };
  assert.match(refusal.comment(locked, at(0), user), /locked/);
  assert.equal(refusal.comment(locked, at(10), user), null);
  assert.equal(refusal.comment(issue, at(0), user), null);
});

test("a token that may only read is offered nothing to write", () => {
  const reader = { id: 7, is_admin: true, reads: true };
  for (const said of [
    refusal.edit({ author: reader }, at(50), reader),
    refusal.move(at(50), reader),
    refusal.write(at(50), reader),
    refusal.comment(issue, at(50), reader),
    refusal.changeNote({ author: reader }, at(50), reader),
    refusal.attach(reader),
  ])
    assert.match(said, /only read/);
});

test("what is not known holds nothing back", () => {
  for (const said of [
    refusal.edit(issue, null, user),
    refusal.move(null, user),
    refusal.plan(null, user),
    refusal.write(null, user),
    refusal.attach(user),
    refusal.comment({ ...issue, discussion_locked: true }, null, user),
  ])
    assert.equal(said, null);
  assert.equal(roleIn({ visibility: "private" }, user), 50);
});

test("the role is the highest of project and group, and owner for administrators and in one's own namespace", () => {
  assert.equal(roleIn({ permissions: { project_access: { access_level: 20 }, group_access: { access_level: 30 } } }, user), 30);
  assert.equal(roleIn(at(0, { owner: user }), user), 50);
  assert.equal(roleIn(at(0), { id: 7, is_admin: true }), 50);
  assert.equal(roleIn(at(50), null), 0);
});

test("commits and deployments are asked for by who sees the project as a reporter or as anybody", () => {
  const sees = (project, who) => [seesCommits(project, who), seesDeployments(project, who)];
  assert.deepEqual(sees(at(0, { visibility: "public" }), null), [true, true]);
  assert.deepEqual(sees(at(0, { visibility: "internal" }), null), [false, false]);
  assert.deepEqual(sees(at(0, { visibility: "public" }), user), [true, true]);
  assert.deepEqual(sees(at(0, { visibility: "internal" }), user), [true, true]);
  assert.deepEqual(sees(at(10), user), [false, false]);
  assert.deepEqual(sees(at(20), user), [true, true]);
  assert.deepEqual(sees(at(20, { jobs_enabled: false }), user), [true, false]);
});

test("who may change labels, members and settings, and who reads why not", () => {
  for (const [action, least] of /** @type {[string, number][]} */ ([
    ["ManageLabels", 20],
    ["ManageMilestones", 20],
    ["ManageMembers", 40],
    ["EditProject", 40],
    ["DeleteProject", 50],
  ])) {
    for (const level of [0, 10, 20, 30, 40, 50])
      assert.equal(withheld(action, at(level), user) === null, level >= least, `${action} ${level}`);
  }
  assert.equal(withheld("ManageMembers", at(10), user), "Only maintainers of the project can make changes here.");
  assert.match(withheld("ManageLabels", at(50), { ...user, reads: true }), /only read/);
});

const TABS = ["project", "issues", "files", "commits", "releases", "environments", "members", "settings"];
const tabs = (project, who, level) => TABS.filter((key) => opens(key, project, who, level)).join(" ");

test("a visitor has the tabs of what the API shows without a token: all but the settings", () => {
  const all = "project issues files commits releases environments members";
  assert.equal(tabs(null, null), all);
  assert.equal(tabs(null, null, 0), all);
  assert.equal(tabs(at(0, { visibility: "public" }), null), all);
  for (const key of ["labels", "milestones", "activity", "pipelines"]) assert.ok(opens(key, null, null), key);
});

test("a project without issues has no tab of them", () => {
  assert.ok(!opens("issues", at(50, { issues_enabled: false }), user));
});

test("a visitor is offered no change", () => {
  const open = at(0, { visibility: "public" });
  for (const action of ["ManageLabels", "ManageMilestones", "ManageMembers", "EditProject", "ManageReleases"])
    assert.notEqual(withheld(action, open, null), null, action);
});

test("a guest of a private project has no tab of its code, and of a public one all but the settings", () => {
  assert.equal(tabs(at(10), user), "project issues releases members");
  assert.equal(tabs(at(10, { visibility: "public" }), user), "project issues files commits releases environments members");
});

test("only who may change the project has the tab of its settings, also where just the level is known", () => {
  assert.ok(tabs(at(40), user).endsWith("settings") && !tabs(at(30), user).includes("settings"));
  assert.ok(!tabs(at(40), { ...user, reads: true }).includes("settings"), "a token that only reads");
  assert.ok(tabs(null, user, 40).endsWith("settings") && !tabs(null, user, 30).includes("settings"));
  assert.ok(!tabs(null, user).includes("settings"), "before anything is known");
});

test("a project without builds has no tab of environments", () => {
  assert.ok(!tabs(at(40, { jobs_enabled: false }), user).includes("environments"));
  assert.ok(!tabs(at(0, { visibility: "public", jobs_enabled: false }), null).includes("environments"));
});

test("nothing is offered in an archived project but what its API still takes", () => {
  const archived = at(50, { archived: true });
  for (const said of [
    refusal.edit({ author: user, assignee: null }, archived, user),
    refusal.move(archived, user),
    refusal.plan(archived, user),
    refusal.write(archived, user),
    refusal.comment({}, archived, user),
    refusal.changeNote({ author: user }, archived, user),
    withheld("ManageLabels", archived, user),
    withheld("EditProject", archived, user),
    withheld("ManageHooks", archived, user),
  ])
    assert.match(said, /archived and only read/);
  for (const action of ["DeleteProject", "ManageMembers", "ManageTokens"]) assert.equal(withheld(action, archived, user), null);
  assert.ok(opens("settings", archived, user), "an owner unarchives there");
  assert.ok(opens("issues", archived, user) && seesCommits(archived, user));
});

test("docs/roles.md has each of these actions at the role that the policy asks for", () => {
  const rows = [...readFileSync("docs/roles.md", "utf8").matchAll(/^\| (\w+) \| (\d+) \| (.*) \|$/gm)];
  const NAMED = {
    "read the project": "ReadProject",
    "read confidential issues": "ReadConfidentialIssues",
    "read commits": "ReadCommits",
    "keep labels and milestones": "ManageMilestones",
    "comment on commits": "CommentCommit",
    "label, assign, close and move all issues": "MoveIssue",
    "post statuses and deployments": "PostStatus",
    "write releases": "ManageReleases",
    "publish packages": "PublishPackage",
    "change the project, its members, tokens and web hooks": "EditProject",
    "push with the hook": "PushMirror",
    "change comments of others": "EditAnyNote",
    "delete files and packages": "DeletePackage",
    "archive and delete the project": "DeleteProject",
    "delete issues": "DeleteIssue",
    "set times of issues": "SetTimes",
    "forget a commit": "ForgetCommit",
    "change the group": "ManageGroup",
  };
  assert.equal(rows.length, 5);
  for (const [words, action] of Object.entries(NAMED)) {
    const levels = rows.filter(([, , , may]) => may.includes(words)).map(([, , level]) => Number(level));
    assert.deepEqual(levels, [LEAST[action]], words);
  }
});
