-- A request names an issue by its id (v3) or by its number in the project (v4). Only the author, the assignee and
-- reporters see a confidential issue.

-- piece: remains
-- The first issue in the queue of those whose rows are to be removed.
(select min(issue_id) from issue_remains)

-- name: one
-- scope: project
-- returns: IssueRow?
-- The issue with the id :id, or else the number :iid, as the caller sees it.
select r.*, s.full_path, {issue_as_seen_by(s.user_id)}
from scope s
cross join issue_rows r on r.id = {issue_of_route} and r.project_id = s.project_id
where s.issues_enabled and {sees_issue(r)};

-- name: anywhere
-- scope: caller
-- returns: IssueRow?
-- The issue with the id :id in any project, for an administrator.
select r.*, {path_of_issue} as full_path, {issue_as_seen_by(c.id)}
from caller c
cross join issue_rows r on r.id = :id
where exists (select 1 from projects p where p.id = r.project_id and p.deleted_at is null and p.issues_enabled);

-- name: seen
-- scope: project
-- returns: FoundIssue?
-- The id of the issue with the number :iid, if the caller sees it.
select i.id from {numbered_issue} where {shows_issue};

-- list: participants
-- scope: project
-- shows: UserRow
-- order: u.id
-- total: 1000
-- Author, assignee, commenters and mentioned users. Each step looks up the next user, because one user may have written
-- thousands of comments. No id is greater than 9007199254740992.
with seen as materialized (
  select i.id, i.author_id, coalesce(i.assignee_id, i.author_id) as assignee_id
  from {numbered_issue}
  where {shows_issue}
), taking_part(user_id) as (
  select cast(:after_1 as integer)
  from seen
  union all
  select min(coalesce((select t.user_id
    from participants t
    where t.issue_id = i.id and t.user_id > k.user_id
    order by t.user_id
    limit 1), 9007199254740992), iif(i.author_id > k.user_id, i.author_id, 9007199254740992),
    iif(i.assignee_id > k.user_id, i.assignee_id, 9007199254740992))
  from taking_part k
  cross join seen i
  where k.user_id < 9007199254740992
  limit 1 + :most + :skip
)
select u.id, u.username, u.name, u.state, u.email
from (select user_id from taking_part limit -1 offset 1) k
cross join users u on u.id = k.user_id;

-- name: subscribe
-- returns: FoundIssue?
-- Overrides the subscription that participants have. No row if nothing changed.
insert into subscriptions (issue_id, user_id, subscribed)
select id, :user_id, :subscribed
from issues
where id = :issue_id and deleted_at is null
on conflict do update set subscribed = excluded.subscribed
where subscribed <> excluded.subscribed
returning issue_id;

-- name: hide
-- No read shows the issue from now on. Its row stays, without its texts.
update issues
set deleted_at = :now, title = '', description = null, user_notes_count = 0, system_notes_count = 0,
  event_notes_count = 0
where id = :issue_id and deleted_at is null;

-- name: take_labels_off
-- Deletes some hundred rows at most.
delete from issue_labels where issue_id = :issue_id;

-- name: leave_remains
-- Queues the issue. This and later requests remove its rows in chunks.
insert into issue_remains (issue_id) values (:issue_id) on conflict do nothing;

-- name: remove_todos
-- Removes to-do items of the first queued issue, before the comments that they refer to.
delete from todos where id in (select id from todos where issue_id = {remains} limit :most);

-- name: remove_notes
delete from notes
where id in (select n.id
  from notes n
  where n.issue_id = {remains} and not exists (select 1 from todos t where t.note_id = n.id)
  limit :most);

-- name: remove_participants
delete from participants
where (issue_id, user_id, note_id) in (
  select issue_id, user_id, note_id
  from participants
  where issue_id = {remains}
  limit :most);

-- name: remove_subscriptions
delete from subscriptions
where (issue_id, user_id) in (select issue_id, user_id from subscriptions where issue_id = {remains} limit :most);

-- name: remove_references
delete from commit_references where id in (select id from commit_references where issue_id = {remains} limit :most);

-- name: remove_events
delete from resource_events where id in (select id from resource_events where issue_id = {remains} limit :most);

-- name: remove_awards
delete from awards where id in (select id from awards where issue_id = {remains} limit :most);

-- name: remove_links
delete from issue_links
where id in (
  select *
  from (select id from issue_links where source_id = {remains} limit :most)
  union all
  select *
  from (select id from issue_links where target_id = {remains} limit :most));

-- name: end_remains
-- Removes the first issue from the queue when its rows are gone.
delete from issue_remains
where issue_id = {remains} and {none(todos, issue_id, issue_remains.issue_id)}
  and {none(notes, issue_id, issue_remains.issue_id)} and {none(participants, issue_id, issue_remains.issue_id)}
  and {none(subscriptions, issue_id, issue_remains.issue_id)}
  and {none(commit_references, issue_id, issue_remains.issue_id)}
  and {none(resource_events, issue_id, issue_remains.issue_id)} and {none(awards, issue_id, issue_remains.issue_id)}
  and {none(issue_links, source_id, issue_remains.issue_id)}
  and {none(issue_links, target_id, issue_remains.issue_id)};
