-- A request names the issue by its id (v3) or its number in the project (v4). Without access to the issue a statement
-- returns no row.

-- piece: is_shown
i.deleted_at is null and {shows_issue}

-- piece: seen_thread
select i.id, s.user_id from {issue_at_route} where {is_shown}

-- piece: sees_reference(user)
coalesce((select v.sees from reference_viewers v where v.note_id = r.id and v.user_id = {user}), r.public_reference)
  as sees_reference

-- piece: awards_of_comment
-- The emoji of the comment r, if the request asks for them. An issue with its comments has a thousand at most.
iif(:awards,
  (select json_group_array(json_object('id', a.id, 'issue_id', a.issue_id, 'note_id', a.note_id, 'name', a.name,
      'created_at', a.created_at, 'user', json({user_object(a.user_id)}))
      order by a.id)
    from awards a
    where a.issue_id = r.issue_id and a.note_id = r.id), null) as awards

-- piece: is_listed_note
(:system is null or n.system = :system) and (:events or not n.has_event)

-- piece: note
-- The comment :note_id, or the newest.
coalesce(:note_id, {made(notes)})

-- piece: comment
-- The comment :note_id, or the newest of people on the issue :issue_id, or the newest.
coalesce(:note_id, (select x.id
  from notes x
  where x.issue_id = :issue_id and x.system = 0
  order by x.id desc
  limit 1), {made(notes)})

-- name: total
-- scope: project
-- returns: ListTotal?
-- The number of comments on the issue, without those that have an event unless :events.
select i.user_notes_count + i.system_notes_count - iif(:events, 0, i.event_notes_count) as total, 0 as counted
from {issue_at_route}
where {is_shown};

-- list: in_order
-- scope: project
-- shows: NoteRow of note_rows
-- beside: {sees_reference(p.user_id)}
-- beside: {awards_of_comment}
-- weighs: note_lengths
-- order: n.created_at, n.id either way
-- filters: without_events
-- total: total
-- The comments in the order of their making, without those that have an event unless :events.
with seen as materialized ({seen_thread})
select n.id, n.created_at, (select user_id from seen) as user_id, n.has_event = 0 or :events as fits
from notes n
where n.issue_id = (select id from seen) and {after};

-- list: sorted
-- scope: project
-- shows: NoteRow of note_rows
-- beside: {sees_reference(p.user_id)}
-- beside: {awards_of_comment}
-- weighs: note_lengths
-- order: position, place
-- total: total_of_newest
-- The thousand newest comments in the order of the last change or of their making, forwards (:ascends) or
-- backwards: system comments (:system 1), others (0) or all (null).
with seen as materialized ({seen_thread})
select id, user_id, position, place
from (select n.id, i.user_id, iif(:by_update, n.updated_at, n.created_at) * iif(:ascends, 1, -1) as position,
    n.id * iif(:ascends, 1, -1) as place
  from seen i
  cross join (select n.id, n.created_at, n.updated_at, n.system, n.has_event
    from notes n
    where n.issue_id = (select id from seen)
    order by n.created_at desc, n.id desc
    limit 1000) n
  where {is_listed_note})
where {after};

-- name: total_of_newest
-- scope: project
-- returns: ListTotal?
-- The number of these among the thousand newest comments.
select (select count(*)
  from (select n.system, n.has_event
    from notes n
    where n.issue_id = i.id
    order by n.created_at desc, n.id desc
    limit 1000) n
  where {is_listed_note}) as total, 0 as counted
from {issue_at_route}
where {is_shown};

-- name: one
-- scope: project
-- returns: NoteRow?
-- The comment with the id :note_id.
select r.*, {sees_reference(s.user_id)}
from {issue_at_route}
cross join note_rows r on r.id = :note_id and r.issue_id = i.id
where {is_shown};

-- name: may_comment
-- scope: project
-- returns: NoteChecks?
-- A row if the caller sees the issue. Only members may comment in a locked discussion.
select s.access > 0 or i.discussion_locked is not 1 as may_comment from {issue_at_route} where {is_shown};

-- name: expect_commentable
-- scope: project
-- Ends the batch if the caller may not comment on the issue, if no room is left to the caller, or if the caller may set
-- the time and it is invalid.
insert into expectations (holds)
select coalesce((select {leaves_room} and (s.access < :sets_times or :is_time)
    and exists (select 1
      from issues i
      where i.id = {issue_of_route} and i.project_id = s.project_id and {is_shown}
        and (s.access > 0 or i.discussion_locked is not 1))
  from scope s), 0);

-- name: create
-- scope: project
insert into notes (project_id, issue_id, author_id, body, created_at, updated_at)
select s.project_id, {issue_of_route}, s.user_id, :body,
  coalesce(iif(s.access >= :sets_times, :created_at, null), s.now),
  coalesce(iif(s.access >= :sets_times, :created_at, null), s.now)
from scope s;

-- name: take_part
-- Adds the author as a participant.
insert into participants (issue_id, user_id, note_id)
select n.issue_id, n.author_id, n.id
from notes n
where n.id = {made(notes)}
on conflict do nothing;

-- name: settle_todos
-- Marks the pending items of the author on the issue done.
update todos
set state = 'done', updated_at = :now
from notes n
where n.id = {made(notes)} and todos.issue_id = n.issue_id and todos.user_id = n.author_id
  and todos.state = 'pending';

-- name: mention
-- scope: project
-- Adds the people :names who see the issue as participants by the comment :note_id, or by the newest.
insert into participants (issue_id, user_id, note_id)
select r.issue_id, r.user_id, n.id
from scope s
cross join notes n on n.id = {note}
cross join {readers_named(n.issue_id)}
where true
on conflict do nothing;

-- name: add_todos_of_mentioned
-- scope: project
-- Adds to-do items for the people :names who have no pending item on the issue.
insert into todos (user_id, author_id, project_id, issue_id, note_id, action, created_at, updated_at)
select r.user_id, s.user_id, n.project_id, n.issue_id, n.id, iif(max(w.value), 'directly_addressed', 'mentioned'),
  s.now, s.now
from scope s
cross join notes n on n.id = {made(notes)}
cross join {readers_named(n.issue_id)}
where r.user_id <> s.user_id
  and not exists (select 1 from todos t where t.issue_id = n.issue_id and t.user_id = r.user_id and t.state = 'pending')
group by r.user_id;

-- name: touch
-- scope: project
-- Marks the issue of the comment :note_id, or of the newest one, as changed, so that clients that follow updated_at
-- find the comment.
update issues
set updated_at = max(updated_at + 1, (select now from scope))
where id = (select n.issue_id from scope cross join notes n on n.id = {note});

-- name: written
-- scope: project
-- returns: NoteRow?
select r.*, :commands as commands from scope cross join note_rows r on r.id = {comment};

-- name: keep
-- scope: project
-- Stores the new comment as the answer to the idempotency key.
{keep_answer(json_object('id', r.id, 'project_id', r.project_id, 'issue_id', r.issue_id, 'author', json(r.author),
    'body', r.body, 'system', r.system, 'created_at', r.created_at, 'updated_at', r.updated_at, 'commands', :commands),
  from scope s
  cross join note_rows r on r.id = {comment})};

-- name: expect_unmodified
-- scope: project
-- Ends the batch if the comment was deleted, or changed after :since. A comment with the text :body passes, so that the
-- batch may be repeated.
insert into expectations (holds)
select exists (select 1 from notes where id = :note_id and (updated_at <= :since or body = :body))
from scope;

-- name: update
-- scope: project
update notes
set body = :body, updated_at = max(notes.updated_at + 1, s.now)
from (select now from scope) s
where id = :note_id and system = 0;

-- name: leave
-- scope: project
-- Deletes the participants that the comment mentions, but not its author.
delete from participants
where issue_id = (select n.issue_id from scope cross join notes n on n.id = :note_id) and note_id = :note_id
  and user_id <> (select author_id from notes where id = :note_id);

-- name: touch_before_delete
update issues
set updated_at = max(:now, updated_at + 1)
where id = :issue_id and exists (select 1 from notes where id = :note_id);

-- name: forget_participants
delete from participants where note_id = :note_id and issue_id = (select issue_id from notes where id = :note_id);

-- name: forget_awards
-- Deletes the participants by the emoji on the comment.
delete from participants
where issue_id = :issue_id
  and note_id in (select -a.id from awards a where a.issue_id = :issue_id and a.note_id = :note_id);

-- name: remove_awards
delete from awards where issue_id = :issue_id and note_id = :note_id;

-- name: forget_todos
-- To-do items stay without the comment.
update todos
set note_id = null
where note_id = :note_id and issue_id = (select issue_id from notes where id = :note_id);

-- name: delete
delete from notes where id = :note_id;

-- piece: hidden_by(column)
-- Confidential issues of the caller.
select *
from (select x.id
  from issues x
  where x.{column} = s.user_id and x.project_id = s.project_id and x.section in (2, 3)
  limit 500)

-- list: found_in_project
-- scope: project
-- shows: NoteSearchRow of note_rows
-- beside: p.iid
-- weighs: note_lengths
-- order: l.id desc
-- filters: inexact
-- looks: 1000
-- total: 10000
-- The newest comments of people with the words :asked, of which the index finds 10,000 behind the page before. It reads
-- the texts of 1,000 comments that are not indexed yet, and of 1,000 on confidential issues of a caller who sees no
-- others. :words: patterns of all words. :inexact: the same if the index finds more than the search does, else null.
with seen as materialized (
  select s.project_id, k.value as class
  from scope s
  cross join json_each(iif(s.reads_confidential, '[0, 1]', '[0]')) k
  where s.issues_enabled
), unread as materialized (
  select *
  from (select u.note_id as id
    from seen v
    cross join unindexed_notes u on u.project_id = v.project_id and u.class = v.class
    limit 1000)
  union
  select *
  from (select n.id
    from scope s
    cross join notes n on n.issue_id in ({hidden_by(author_id)} union {hidden_by(assignee_id)})
    where s.issues_enabled and not s.reads_confidential
    limit 1000)
), looked as materialized (
  select *
  from (select w.rowid as id, 0 as is_read
    from note_words w
    where w.note_words match ifnull((select group_concat('(' || replace(:asked, '#', key) || ')', ' OR ')
        from (select {word_key(v.project_id, v.class)} as key from seen v)), '_')
      and w.rowid < :after_1
      and not exists (select 1
        from seen v
        cross join unindexed_notes u on u.project_id = v.project_id and u.class in (0, 1, 2) and u.note_id = w.rowid)
    order by w.rowid desc
    limit 10001)
  union all
  select n.id, 1
  from unread u
  cross join notes n on n.id = u.id
  where {has_begun({searched(n.body)}, :words)}
)
select l.id, i.iid, l.is_read or :inexact is null or {has_begun({searched(n.body)}, :inexact)} as fits
from looked l
cross join notes n on n.id = l.id
cross join issues i indexed by issues_narrow on i.id = n.issue_id
where {after} and n.system = 0 and i.section < 4 and (l.is_read or i.section / 2 in (select class from seen));

-- name: is_whole
-- scope: project
-- returns: bool?
-- Whether found_in_project looks at all comments: the index has those that were there before it, and no more issues and
-- comments are to be read than it reads.
select not exists (select 1 from note_index x cross join notes n on n.id < x.below)
  and (select count(*)
    from (select 1
      from unindexed_notes
      where project_id = s.project_id and class in (0, s.reads_confidential)
      limit 1001)) < 1001
  and (s.reads_confidential
    or (select count(*) from ({hidden_by(author_id)})) < 500
      and (select count(*) from ({hidden_by(assignee_id)})) < 500
      and (select count(*)
        from (select 1
          from notes
          where issue_id in ({hidden_by(author_id)} union {hidden_by(assignee_id)})
          limit 1001)) < 1001) as is_whole
from scope s;
