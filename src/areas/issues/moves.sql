-- Moves or clones an issue into another project in one transaction (behaviour 6.5). The newest issue of all is the new
-- one.

-- piece: next_participants(user)
select (select min(p.user_id) from participants p where p.issue_id = :id and p.user_id > {user})
union all
select (select min(p.user_id) from participants p where p.issue_id = :id and p.user_id > next.user_id)
from next
where next.user_id is not null
limit :chunk

-- name: target
-- scope: project
-- returns: Target?
-- The project :to_project_id, if the caller sees it.
select a.project_id as id, a.visibility, a.issues_enabled, a.archived, a.access
from scope
cross join project_access a on a.key = (select ?1) and a.project_id = :to_project_id
where a.access > 0 or a.visibility > 0;

-- name: extent
-- scope: project
-- returns: Extent?
-- Whether the issue has moved, the numbers of its comments and emoji, the number of its rows in participants, counted
-- up to one more than :chunk, and whether its project has uploads.
select i.moved_to_id is not null as has_moved, i.user_notes_count + i.system_notes_count as notes,
  (select count(*) from (select 1 from participants t where t.issue_id = i.id limit :chunk + 1)) as participants,
  i.awards_count as awards, exists (select 1 from uploads u where u.project_id = s.project_id) as may_have_uploads
from scope s
cross join issues i on i.id = {issue_of_route} and i.project_id = s.project_id;

-- name: ends_of_chunks
-- returns: End*
-- Splits the comments of the issue :id after :after into chunks of :chunk. The last id of each chunk, at most nine.
with ends (id, number) as (
  select :after, 0
  union all
  select (select n.id from notes n where n.issue_id = :id and n.id > ends.id order by n.id limit 1 offset :chunk - 1),
    number + 1
  from ends
  where ends.id is not null and number < 9
)
select id
from ends
where id is not null and number > 0;

-- name: chunk_of_participants
-- returns: Chunk
-- The number of participants after the user :after, at most :chunk, and the last of them.
with next (user_id) as ({next_participants(:after)})
select count(user_id) as number, max(user_id) as last
from next;

-- name: expect_movable
-- Ends the batch if the issue was deleted, or has moved. An issue that has moved can still be cloned.
insert into expectations (holds)
select exists (select 1 from issues where id = :id and (moved_to_id is null or :clones) and deleted_at is null);

-- name: mark_copy
-- Until unmark_copy, new comments count as copies and make no events, and the user :user_id counts as the maker of the
-- new issue.
insert into request_marks (id, copier_id) values (2, :user_id);

-- name: unmark_copy
delete from request_marks where id = 2;

-- name: copy_labels
-- Adds the labels whose titles the new project has.
insert into issue_labels (issue_id, label_id, section, created_at)
select n.id, t.id, n.section, n.created_at
from issues n
cross join issue_labels b on b.issue_id = :id
cross join labels l on l.id = b.label_id
cross join labels t on t.project_id = n.project_id and t.title = l.title
where n.id = {made(issues)};

-- name: copy_notes
-- The comments after the id :after, up to :last. texts: JSON [{id, text}, ..] of those whose links change.
insert into notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, reference_issue_id,
  created_at, updated_at) with texts as materialized (
    select value ->> 'id' as note_id, value ->> 'text' as text
    from json_each(:texts)
  )
select :to_project_id, {made(issues)}, author_id, coalesce(t.text, body), system, reference, reference_project_id,
  reference_issue_id, created_at, updated_at
from notes n
left join texts t on t.note_id = n.id
where n.issue_id = :id and n.id > :after and n.id <= :last
order by n.id;

-- name: copy_awards
-- Copies the emoji of the issue itself.
insert into awards (issue_id, note_id, user_id, name, created_at)
select {made(issues)}, 0, user_id, name, created_at
from awards
where issue_id = :id and note_id = 0
order by id;

-- name: copy_awards_of_notes
-- Copies the emoji of the comments after the id :after, up to :last. The previous statement has copied these comments
-- in the same order: the newest comment is the copy of the last.
insert into awards (issue_id, note_id, user_id, name, created_at)
select {made(issues)}, c.id, a.user_id, a.name, a.created_at
from (select id, row_number() over (order by id desc) as place
  from notes
  where issue_id = :id and id > :after and id <= :last) n
cross join (select id, row_number() over (order by id desc) as place
  from (select id
    from notes
    where issue_id = {made(issues)}
    order by id desc
    limit (select count(*) from notes where issue_id = :id and id > :after and id <= :last))) c on c.place = n.place
cross join awards a on a.issue_id = :id and a.note_id = n.id
order by a.id;

-- name: copy_participants
-- The next :chunk users after the last one copied.
insert into participants (issue_id, user_id, note_id)
with next (user_id) as ({next_participants(coalesce((select max(t.user_id)
  from participants t
  where t.issue_id = {made(issues)}), -9007199254740992))})
select {made(issues)}, user_id, 0
from next
where user_id is not null;

-- name: note_arrival
insert into
  notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)
select n.project_id, n.id, :user_id, :text, 1, p.full_path || '#' || i.iid, p.id, :now, :now
from issues i
cross join projects p on p.id = i.project_id
cross join issues n on n.id = {made(issues)}
where i.id = :id;

-- name: describe
-- The description of the new issue. texts: JSON [{id, text}] if its links change.
update issues
set description = coalesce((select value ->> 'text' from json_each(:texts)),
  (select o.description from issues o where o.id = :id))
where id = {made(issues)};

-- name: note_departure
insert into
  notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)
select i.project_id, i.id, :user_id, 'Moved to', 1, p.full_path || '#' || n.iid, p.id, :now, :now
from issues i
cross join issues n on n.id = {made(issues)}
cross join projects p on p.id = n.project_id
where i.id = :id;

-- name: add_event_of_closing
insert into resource_events (issue_id, user_id, kind, action, state, created_at)
select id, :user_id, 'state', 'closed', state, :now
from issues
where id = :id and state = 'opened';

-- name: close
update issues
set state = 'closed', closed_at = iif(state = 'closed', closed_at, :now),
  closed_by_id = iif(state = 'closed', closed_by_id, :user_id), moved_to_id = {made(issues)},
  updated_at = max(:now, updated_at + 1)
where id = :id;

-- name: arrived
-- returns: IssueRow?
-- The new issue as the user :user_id sees it.
select row from issue_records where issue_id = {made(issues)} and user_id = :user_id;
