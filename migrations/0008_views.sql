-- Views that several statements read, named after their rows. SQLite flattens them. Callers and their access are defined here
-- only.

-- Callers and their access. Ask for one caller by its key, and never in a correlated subquery, because SQLite would
-- scan a table.

-- key: the hash of a token. For ADMIN_TOKEN: the word user and an id or name. Without a token: anybody.
-- A token of a project acts as its own user (id) with the rights of the member who made it (member_id).
create view callers as
select t.hash as key, coalesce(t.expires_at, 9007199254740991) as expires_at, t.expires_at as token_expires_at, t.scopes,
  t.project_id as token_project_id, coalesce(t.access, 40) as token_access,
  u.id, u.username, u.name, u.state, u.email, u.admin, iif(u.external, 20, 10) as sees_from, m.id as member_id, m.admin as member_admin
from tokens t cross join users u on u.id = coalesce(t.bot_id, t.user_id) cross join users m on m.id = t.user_id
where t.revoked_at is null and u.state = 'active' and m.state = 'active'
union all
select 'user ' || u.id, 9007199254740991, null, 1, null, 40,
  u.id, u.username, u.name, u.state, u.email, u.admin, iif(u.external, 20, 10), u.id, u.admin
from users u where u.state = 'active' and u.id > 0
union all
select 'user ' || u.username, 9007199254740991, null, 1, null, 40,
  u.id, u.username, u.name, u.state, u.email, u.admin, iif(u.external, 20, 10), u.id, u.admin
from users u where u.state = 'active' and u.id > 0
union all
select 'anybody', 9007199254740991, null, 2, null, 40, null, null, null, null, null, 0, 20, null, 0;

-- The access of each caller to each project that is not deleted. access: 0 none, 10 guest, 20 reporter, 30 developer,
-- 40 master, 50 owner, 60 administrator. visibility: 10 or 20 if the caller sees the project without being a member,
-- else 0.
create view project_access as
select c.key, c.expires_at, c.scopes, c.token_project_id, c.id as user_id, c.member_id, c.admin, c.sees_from,
  p.id as project_id, p.namespace_id, p.path_key, p.full_path, p.default_branch, p.issues_enabled, p.builds_enabled,
  iif(p.visibility < c.sees_from, 0, p.visibility) as visibility,
  min(iif(c.member_admin, 60, iif(p.namespace_id = c.member_id, 50, max(
      coalesce((select m.access from project_members m where m.user_id = c.member_id and m.project_id = p.id), 0),
      coalesce((select m.access from group_members m where m.user_id = c.member_id and m.group_id = p.namespace_id), 0)))),
    iif(c.token_project_id is null, 60, c.token_access * (c.token_project_id = p.id))) as access
from callers c cross join projects p
where p.deleted_at is null and (c.id is not null or p.visibility = 20);

-- The access of each caller to each group. A member of one project of a group sees the group. A token of a project
-- has no access to groups.
create view group_access as
select c.key, c.expires_at, c.scopes, c.token_project_id, c.id as user_id, c.member_id, c.admin, c.sees_from,
  g.id as group_id, g.path as full_path,
  iif(c.token_project_id is null, iif(c.admin, 60,
    coalesce((select m.access from group_members m where m.user_id = c.id and m.group_id = g.id), 0)), 0) as access,
  iif(g.visibility >= c.sees_from, g.visibility, iif(c.token_project_id is null and exists (
    select 1 from project_members m cross join projects p on p.id = m.project_id
    where m.user_id = c.id and m.namespace_id = g.id and p.deleted_at is null), 10, 0)) as visibility
from callers c cross join groups g;

create view profile_rows as
select id, username, name, state, email, created_at, admin, external, bio, location, skype, linkedin, twitter, website_url,
  coalesce(projects_limit, (select default_projects_limit from settings where id = 1)) as projects_limit, projects_count
from users;

create view token_rows as
select id, kind, user_id, project_id, name, created_at, expires_at, revoked_at, bot_id, scopes, access from tokens;

-- owner: the user of a personal namespace.
create view namespace_rows as
select n.id, n.kind, n.path, n.path_key, coalesce(g.name, n.path) as name, coalesce(g.description, '') as description,
  coalesce(g.created_at, u.created_at) as created_at,
  iif(u.id is null, null, json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)) as owner
from namespaces n left join groups g on g.id = n.id left join users u on u.id = n.id;

create view group_rows as
select g.id, g.name, g.path, g.description, g.visibility, g.created_at,
  (select default_branch_protection from settings where id = 1) as branch_protection
from groups g;

-- A project in answers, the same for every caller. opened: its open issues. opened_hidden: its open confidential
-- issues.
create view project_rows as
select p.id, p.namespace_id, p.name, p.path, p.full_name, p.full_path, p.description, p.visibility, p.default_branch, p.issues_enabled,
  p.builds_enabled, p.archived, p.creator_id, p.created_at, p.updated_at,
  (select json_object('id', n.id, 'kind', n.kind, 'path', n.path, 'name', n.name, 'description', n.description,
    'created_at', n.created_at, 'owner', json(n.owner)) from namespace_rows n where n.id = p.namespace_id) as namespace,
  (select c.opened from issue_counts c where c.project_id = p.id) as opened,
  (select c.opened_hidden from issue_counts c where c.project_id = p.id) as opened_hidden,
  (select b.commits from branch_counts b where b.project_id = p.id and b.branch = p.default_branch) as commits
from projects p where p.deleted_at is null;

-- The texts that a search reads, in lower case. kind 0: name and path. 1: name and whole path. 2: name, path and
-- description.
create view project_texts as
select id, 0 as kind, lower(name || char(10) || path) as text from projects
union all
select id, 1, lower(name || char(10) || full_path) from projects
union all
select id, 2, lower(name || char(10) || path || char(10) || coalesce(description, '')) from projects;

-- counts: JSON array of opened, closed, opened_hidden and closed_hidden.
create view project_totals as select project_id as id, json_array(opened, closed, opened_hidden, closed_hidden) as counts from issue_counts;

create view label_totals as select id, json_array(opened, closed, opened_hidden, closed_hidden) as counts from labels;

create view milestone_totals as select id, json_array(opened, closed, opened_hidden, closed_hidden) as counts from milestones;

-- The access of each user to each project that is not deleted, for mentioned users and assignees. Ask for one user
-- and one project. access is as in project_access. sees is 1 if the user sees the project.
create view project_viewers as
select u.id as user_id, u.username, u.state = 'active' and u.id > 0 as is_active, p.id as project_id, p.namespace_id, p.issues_enabled,
  iif(u.admin, 60, iif(p.namespace_id = u.id, 50, max(
    coalesce((select m.access from project_members m where m.user_id = u.id and m.project_id = p.id), 0),
    coalesce((select m.access from group_members m where m.user_id = u.id and m.group_id = p.namespace_id), 0)))) as access,
  p.visibility >= iif(u.external, 20, 10) or u.admin or p.namespace_id = u.id
    or exists (select 1 from project_members m where m.user_id = u.id and m.project_id = p.id)
    or exists (select 1 from group_members m where m.user_id = u.id and m.group_id = p.namespace_id) as sees
from users u cross join projects p where p.deleted_at is null;

-- The users who see the project of an issue. is_restricted: the issue is confidential, and the user is neither its
-- author nor its assignee, so the access decides.
create view issue_readers as
select i.id as issue_id, v.user_id, v.username, v.is_active, v.namespace_id, v.access,
  i.confidential and not coalesce(v.user_id in (i.author_id, i.assignee_id), 0) as is_restricted
from issues i cross join project_viewers v on v.project_id = i.project_id
where i.deleted_at is null and v.issues_enabled and v.sees;

-- The issue that an issue was moved to, for users who see that issue.
create view issue_successors as
select i.id as issue_id, r.user_id, r.issue_id as moved_to_id
from issues i cross join issue_readers r on r.issue_id = i.moved_to_id where not r.is_restricted or r.access >= 20;

-- The texts that a search reads. They are limited so that a thousand long descriptions do not take seconds.
create view issue_texts as
select id, title, iif(octet_length(description) <= 50000, substr(description, 1, 4000), '') as description from issues;

create view issue_projects as
select id, namespace_id, visibility, archived from projects where deleted_at is null and issues_enabled;

-- Whether a user is subscribed to an issue: by choice, else as its author, its assignee or a participant.
create view issue_subscribers as
select i.id as issue_id, u.id as user_id, coalesce(
  (select s.subscribed from subscriptions s where s.issue_id = i.id and s.user_id = u.id),
  u.id in (i.author_id, i.assignee_id) or exists (select 1 from participants t where t.issue_id = i.id and t.user_id = u.id), 0) as subscribed
from issues i cross join users u;

-- Labels without those that are being deleted.
create view label_rows as
select id, project_id, title, color, description, opened, closed, opened_hidden, closed_hidden from labels
where not (title >= ',' and title < '-');

-- Milestones without the deleted ones. A deleted milestone keeps its row, so that its number is not reused. Its
-- number is negative, and its title is not valid for other milestones.
create view milestone_rows as
select id, iid, project_id, title, description, state, due_date, start_date, created_at, updated_at, opened, closed, opened_hidden, closed_hidden
from milestones where iid > 0;

-- Milestones with the due date of the open milestone before. Statements find the next milestone of any day with it.
create view milestone_turns as
select m.id, m.title, m.state = 'active' as is_active, m.start_date, m.due_date, (select max(b.due_date) from milestones b
  where b.project_id = m.project_id and b.iid > 0 and b.state = 'active' and (b.due_date, b.id) < (m.due_date, m.id)) as due_before
from milestones m where m.iid > 0;

create view issue_titles as select b.issue_id, l.title from issue_labels b cross join label_rows l on l.id = b.label_id;

-- An estimate of the length of an issue in a list.
create view issue_lengths as
select i.id, coalesce(octet_length(i.description), 0) + 2000 + coalesce((select octet_length(m.description) from milestones m where m.id = i.milestone_id), 0) as bytes
from issues i;

-- An issue in answers, the same for every caller. people: the author, the assignee and the user who closed it, each
-- once. public_successor_id: the issue that it was moved to, if anybody may see that issue.
create view issue_rows as
select i.id, i.iid, i.project_id, (select p.full_path from projects p where p.id = i.project_id) as full_path, i.title, i.description,
  i.state, i.created_at, i.updated_at, i.author_id, i.assignee_id, i.user_notes_count, i.due_date, i.confidential, i.closed_at,
  i.closed_by_id, i.discussion_locked,
  (select json_group_array(l.title) from issue_labels b cross join label_rows l on l.id = b.label_id where b.issue_id = i.id) as labels,
  (select json_object('id', m.id, 'iid', m.iid, 'project_id', m.project_id, 'title', m.title, 'description', m.description,
    'state', m.state, 'due_date', m.due_date, 'start_date', m.start_date, 'created_at', m.created_at, 'updated_at', m.updated_at)
    from milestones m where m.id = i.milestone_id and m.iid > 0) as milestone,
  (select json_group_array(json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email))
    from users u where u.id = i.author_id or u.id is i.assignee_id or u.id is i.closed_by_id) as people,
  (select n.id from issues n cross join projects q on q.id = n.project_id where n.id = i.moved_to_id and n.deleted_at is null
    and n.confidential = 0 and q.deleted_at is null and q.issues_enabled and q.visibility = 20) as public_successor_id
from issues i where i.deleted_at is null;

-- issue_rows for each user, as one JSON object.
create view issue_records as
select r.id as issue_id, u.id as user_id, json_object('id', r.id, 'iid', r.iid, 'project_id', r.project_id, 'full_path', r.full_path,
  'title', r.title, 'description', r.description, 'state', r.state, 'created_at', r.created_at, 'updated_at', r.updated_at,
  'labels', json(r.labels), 'milestone', json(r.milestone), 'people', json(r.people), 'author_id', r.author_id,
  'assignee_id', r.assignee_id, 'subscribed', (
    select s.subscribed from issue_subscribers s where s.issue_id = r.id and s.user_id = u.id),
  'user_notes_count', r.user_notes_count, 'due_date', r.due_date, 'confidential', r.confidential, 'closed_at', r.closed_at,
  'closed_by_id', r.closed_by_id, 'discussion_locked', r.discussion_locked, 'moved_to_id', (
    select s.moved_to_id from issue_successors s where s.issue_id = r.id and s.user_id = u.id)) as row
from issue_rows r cross join users u;

-- reference: what a move refers to, for users who see reference_project_id.
create view note_rows as
select n.id, n.project_id, n.issue_id, n.body, n.system, n.reference, n.reference_project_id, n.created_at, n.updated_at,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = n.author_id) as author
from notes n;

-- A to-do item with its issue as the owner of the item sees it. body: of the comment that it comes from.
create view todo_rows as
select t.id, t.user_id, t.issue_id, t.note_id, t.action, t.state, t.created_at, t.updated_at,
  (select json_object('id', p.id, 'name', p.name, 'name_with_namespace', p.full_name, 'path', p.path,
    'path_with_namespace', p.full_path, 'description', p.description, 'created_at', p.created_at)
    from projects p where p.id = t.project_id) as project,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = t.author_id) as author,
  (select n.body from notes n where n.id = t.note_id) as body,
  (select r.row from issue_records r where r.issue_id = t.issue_id and r.user_id = t.user_id) as issue
from todos t;

-- To-do items by each filter of their list. author_id and project_id are null if the list has no such filter, so
-- compare both with is. For each combination of filters, one index has the items of a user, a state and an action in
-- order. The casts give each column the same affinity in all arms. Without them SQLite would build the whole view in
-- a correlated subquery.
create view todos_by_filter as
select id, user_id, state, action, cast(null as integer) as author_id, cast(null as integer) as project_id, issue_id
from todos indexed by todos_by_action
union all
select id, user_id, state, action, author_id, cast(null as integer), issue_id from todos indexed by todos_by_author
union all
select id, user_id, state, action, cast(null as integer), project_id, issue_id from todos indexed by todos_by_project
union all
select id, user_id, state, action, author_id, project_id, issue_id from todos indexed by todos_by_project_and_author;

-- The commit that a name in a request means: a hash, a tag, a branch, an abbreviated hash, or HEAD, by the rules of
-- git. Ask for one project and name = json_array(the name): json_each reads this column, so the view has one row for
-- the pair. The name null means the default branch. commit_id is null if the project has no such commit. branch: the
-- full name of a branch with this name.
create view commit_names as
select project_id, name, branch, coalesce(
  (select c.id from commits c where c.project_id = n.project_id and c.sha = lower(n.text)),
  (select r.commit_id from refs r where r.project_id = n.project_id and r.name = iif(substr(n.text, 1, 10) = 'refs/tags/', '', 'refs/tags/') || n.text),
  (select r.commit_id from refs r where r.project_id = n.project_id and r.name = n.branch),
  (select iif(count(*) = 1, max(c.id), null) from (select c.id from commits c where c.project_id = n.project_id
    and c.sha >= n.abbreviation and c.sha < n.abbreviation || 'g' limit 2) c)) as commit_id
from (
  select p.id as project_id, j.json as name, j.value as text,
    iif(coalesce(j.value, 'HEAD') = 'HEAD', 'refs/heads/' || p.default_branch,
      iif(substr(j.value, 1, 11) = 'refs/heads/', '', 'refs/heads/') || j.value) as branch,
    iif(length(j.value) between 4 and 63 and j.value not glob '*[^0-9a-fA-F]*', lower(j.value), null) as abbreviation
  from projects p cross join json_each j
) n;

-- Branches and tags with their commits.
create view ref_rows as
select r.project_id, r.name, r.message as tag_message, r.tag_sha, c.branch, (select default_branch_protection from settings where id = 1) as protection,
  c.sha, c.author_name, c.author_email, c.authored_at, c.author_zone, c.committer_name, c.committer_email, c.committed_at, c.committer_zone,
  c.message, c.additions, c.deletions, c.parent_shas
from refs r cross join commits c on c.id = r.commit_id;

-- An estimate of the length of a row of ref_rows.
create view ref_bytes as
select r.project_id, r.name, octet_length(c.message) + coalesce(octet_length(r.message), 0) + 1000 as bytes
from refs r cross join commits c on c.id = r.commit_id;

-- Commits as one JSON value, for rows that hold more than a commit.
create view commit_documents as
select id, project_id, committed_at, lift, json_object('sha', sha, 'author_name', author_name, 'author_email', author_email,
  'authored_at', authored_at, 'author_zone', author_zone, 'committer_name', committer_name, 'committer_email', committer_email,
  'committed_at', committed_at, 'committer_zone', committer_zone, 'message', message, 'additions', additions, 'deletions', deletions,
  'parent_shas', json(parent_shas)) as document
from commits;

create view comment_rows as
select k.id, k.project_id, k.commit_id, k.note, k.path, k.line, k.line_type, k.created_at,
  json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email) as author,
  u.created_at as author_created_at
from commit_comments k cross join users u on u.id = k.author_id;

-- Changes of refs in portions, until the last portion arrives.
create view staged_changes as
select s.project_id, s.portion, x.value ->> 'name' as name, x.value ->> 'old' as old, x.value ->> 'new' as new,
  x.value ->> 'tag_sha' as tag_sha, x.value ->> 'message' as message, x.value ->> 'commits' as commits
from staged_swaps s cross join json_each(s.changes) x;

-- The commit that a name in a request means. tip_of: the branch of that name, if the commit is its tip. first_branch:
-- the branch that the commit belongs to. Ask for one project and name = json_array(the name), as in commit_names.
create view status_targets as
select n.project_id, n.name, c.id as commit_id, c.sha, c.branch as first_branch,
  (select substr(r.name, 12) from refs r where r.project_id = n.project_id and r.commit_id = c.id and r.name = n.branch) as tip_of
from commit_names n cross join commits c on c.id = n.commit_id;

create view status_rows as
select s.id, s.commit_id, s.user_id, s.ref as git_ref, s.state, s.name, s.target_url, s.description, s.coverage, s.skipped, s.created_at,
  s.started_at, s.finished_at, (select c.sha from commits c where c.id = s.commit_id) as sha,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = s.user_id) as author
from statuses s;

-- job: the status of the deployment. author: the user of that status.
create view deployment_rows as
select d.id, d.iid, d.project_id, d.environment_id, d.created_at,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = d.user_id) as user,
  (select json_object('id', e.id, 'number', e.number, 'name', e.name, 'external_url', e.external_url, 'created_at', e.created_at,
    'updated_at', e.updated_at, 'state', e.state, 'tier', e.tier, 'description', e.description)
    from environments e where e.id = d.environment_id) as environment,
  json_object('id', s.id, 'git_ref', s.ref, 'state', s.state, 'name', s.name, 'target_url', s.target_url, 'description', s.description,
    'coverage', s.coverage, 'skipped', s.skipped, 'created_at', s.created_at, 'started_at', s.started_at, 'finished_at', s.finished_at,
    'commit_id', s.commit_id, 'stage', s.stage, 'tag', s.tag, 'user_id', s.user_id) as job,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email, 'created_at', u.created_at,
    'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location, 'skype', u.skype,
    'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url,
    'projects_limit', coalesce(u.projects_limit, (select default_projects_limit from settings)), 'projects_count', u.projects_count)
    from users u where u.id = s.user_id) as author,
  (select c.document from commit_documents c where c.id = s.commit_id) as "commit",
  iif(s.skipped, 'skipped', iif(s.state = 'pending', 'created', s.state)) as v4_state,
  coalesce(s.finished_at, s.started_at, s.created_at) as updated_at, s.finished_at, s.ref as git_ref, 500 + coalesce(octet_length(s.description), 0) + (select octet_length(c.message) from commits c where c.id = s.commit_id) as bytes
from deployments d cross join statuses s on s.id = d.status_id;

-- The next deleted project to purge, and the next of its issues and commits.
create view ending_project as select min(project_id) as project_id from project_remains;

create view ending_issues as
select id from issues where project_id = (select project_id from ending_project) order by iid limit 5;

create view ending_commits as
select id from commits where project_id = (select project_id from ending_project) order by sha limit 20;
