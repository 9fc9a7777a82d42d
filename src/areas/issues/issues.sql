-- A request names an issue by its id (v3) or by its number in the project (v4). Only the author, the assignee and reporters see
-- a confidential issue.

-- name: one
-- scope: project
-- The issue with the id :id, or else the number :iid, as the caller sees it.
select r.*, coalesce((select v.subscribed from issue_subscribers v where v.issue_id = r.id and v.user_id = s.user_id), 0) as subscribed,
  coalesce(r.public_successor_id,
    (select v.moved_to_id from issue_successors v where v.issue_id = r.id and v.user_id = s.user_id)) as moved_to_id,
  ifnull((select b.blocking from issue_blocking b where b.issue_id = r.id and b.user_id = s.user_id), r.public_blocking) as blocking
from scope s cross join issue_rows r
on r.id = coalesce(:id, (select id from issues where project_id = s.project_id and iid = :iid)) and r.project_id = s.project_id
where s.issues_enabled and (r.confidential = 0 or s.reads_confidential or s.user_id in (r.author_id, r.assignee_id))

-- name: anywhere
-- scope: caller
-- The issue with the id :id in any project, for an administrator.
select r.*, coalesce((select v.subscribed from issue_subscribers v where v.issue_id = r.id and v.user_id = c.id), 0) as subscribed,
  (select v.moved_to_id from issue_successors v where v.issue_id = r.id and v.user_id = c.id) as moved_to_id,
  ifnull((select b.blocking from issue_blocking b where b.issue_id = r.id and b.user_id = c.id), r.public_blocking) as blocking
from caller c cross join issue_rows r on r.id = :id
where exists (select 1 from projects p where p.id = r.project_id and p.deleted_at is null and p.issues_enabled)

-- name: seen
-- scope: project
-- The id of the issue with the number :iid, if the caller sees it.
select i.id from scope s cross join issues i on i.project_id = s.project_id and i.iid = :iid and i.deleted_at is null
where s.issues_enabled and (i.confidential = 0 or s.reads_confidential or s.user_id in (i.author_id, i.assignee_id))

-- name: participants
-- scope: project
-- Author, assignee, commenters and mentioned users in the order of their ids, after :after. Each step looks up the next user, because
-- one user may have written thousands of comments. No id is greater than 9007199254740992.
, seen as materialized (
  select i.id, i.author_id, coalesce(i.assignee_id, i.author_id) as assignee_id
  from scope s cross join issues i on i.project_id = s.project_id and i.iid = :iid and i.deleted_at is null
  where s.issues_enabled and (i.confidential = 0 or s.reads_confidential or s.user_id in (i.author_id, i.assignee_id))
), taking_part(user_id) as (
  select cast(:after as integer) from seen
  union all
  select min(
    coalesce((select t.user_id from participants t where t.issue_id = i.id and t.user_id > k.user_id order by t.user_id limit 1),
      9007199254740992),
    iif(i.author_id > k.user_id, i.author_id, 9007199254740992),
    iif(i.assignee_id > k.user_id, i.assignee_id, 9007199254740992))
  from taking_part k cross join seen i where k.user_id < 9007199254740992
  limit 1 + :most + :skip
)
select u.id, u.username, u.name, u.state, u.email
from (select user_id from taking_part limit :most offset 1 + :skip) k cross join users u on u.id = k.user_id

-- name: subscribe
-- Overrides the subscription that participants have. No row if nothing changed.
insert into subscriptions (issue_id, user_id, subscribed)
select id, :user_id, :subscribed from issues where id = :issue_id and deleted_at is null
on conflict do update set subscribed = excluded.subscribed where subscribed <> excluded.subscribed
returning issue_id

-- name: hide
-- No read shows the issue from now on. Its row stays, without its texts.
update issues set deleted_at = :now, title = '', description = null, user_notes_count = 0, system_notes_count = 0, event_notes_count = 0 where id = :issue_id and deleted_at is null

-- name: take_labels_off
-- Some hundreds at most.
delete from issue_labels where issue_id = :issue_id

-- name: leave_remains
-- Queues the issue. This and later requests remove its rows in chunks.
insert into issue_remains (issue_id) values (:issue_id) on conflict do nothing

-- name: remove_todos
-- Removes items of the first queued issue. They go before their comments.
delete from todos where id in (select id from todos where issue_id = (select min(issue_id) from issue_remains) limit :most)

-- name: remove_notes
delete from notes where id in (select n.id from notes n where n.issue_id = (select min(issue_id) from issue_remains)
  and not exists (select 1 from todos t where t.note_id = n.id) limit :most)

-- name: remove_participants
delete from participants where (issue_id, user_id, note_id) in (select issue_id, user_id, note_id from participants
  where issue_id = (select min(issue_id) from issue_remains) limit :most)

-- name: remove_subscriptions
delete from subscriptions where (issue_id, user_id) in (select issue_id, user_id from subscriptions
  where issue_id = (select min(issue_id) from issue_remains) limit :most)

-- name: remove_references
delete from commit_references where id in (
  select id from commit_references where issue_id = (select min(issue_id) from issue_remains) limit :most)

-- name: remove_events
delete from resource_events where id in (select id from resource_events
  where issue_id = (select min(issue_id) from issue_remains) limit :most)

-- name: remove_awards
delete from awards where id in (select id from awards where issue_id = (select min(issue_id) from issue_remains) limit :most)

-- name: remove_links
delete from issue_links where id in (
  select * from (select id from issue_links where source_id = (select min(issue_id) from issue_remains) limit :most)
  union all select * from (select id from issue_links where target_id = (select min(issue_id) from issue_remains) limit :most))

-- name: end_remains
-- Removes the first issue from the queue when its rows are gone.
delete from issue_remains where issue_id = (select min(issue_id) from issue_remains)
  and not exists (select 1 from todos x where x.issue_id = issue_remains.issue_id)
  and not exists (select 1 from notes x where x.issue_id = issue_remains.issue_id)
  and not exists (select 1 from participants x where x.issue_id = issue_remains.issue_id)
  and not exists (select 1 from subscriptions x where x.issue_id = issue_remains.issue_id)
  and not exists (select 1 from commit_references x where x.issue_id = issue_remains.issue_id)
  and not exists (select 1 from resource_events x where x.issue_id = issue_remains.issue_id)
  and not exists (select 1 from awards x where x.issue_id = issue_remains.issue_id)
  and not exists (select 1 from issue_links x where x.source_id = issue_remains.issue_id)
  and not exists (select 1 from issue_links x where x.target_id = issue_remains.issue_id)
