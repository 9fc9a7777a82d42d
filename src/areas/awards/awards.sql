-- Emoji on issues and comments. A request names the issue by its id (v3) or its number in the project (v4), and a
-- comment or null.

-- piece: is_awardable
-- Whether the caller sees the issue and the comment.
i.deleted_at is null and {shows_issue}
  and (:note_id is null or exists (select 1 from notes n where n.id = :note_id and n.issue_id = i.id and n.system = 0))

-- piece: award
a.id, a.issue_id, a.note_id, a.name, a.created_at, {user_object(a.user_id)} as user

-- name: awardable
-- scope: project
-- returns: AwardableRow?
-- The issue or the comment, if the caller sees it, and the number of its emoji. Comments of the service have none.
-- is_taken: it has the caller's emoji :name. is_full: it has 200, or the issue with its comments has 1,000.
select i.id as issue_id, s.access > 0 or i.discussion_locked is not 1 as may_award, k.total, 0 as counted,
  exists (select 1
    from awards a
    where a.issue_id = i.id and a.note_id = coalesce(:note_id, 0) and a.user_id = s.user_id and a.name = :name)
  as is_taken, k.total >= 200 or i.awards_count >= 1000 as is_full
from {issue_at_route}
left join (select count(*) as total
  from awards
  where issue_id = coalesce(:id,
    (select id from issues where project_id = (select project_id from scope) and iid = :iid))
    and note_id = coalesce(:note_id, 0)) k
where {is_awardable};

-- list: list
-- scope: project
-- shows: AwardRow
-- order: a.id
-- total: none
-- Its emoji.
select {award}
from {issue_at_route}
cross join awards a on a.issue_id = i.id and a.note_id = coalesce(:note_id, 0) and {after}
where {is_awardable};

-- name: one
-- scope: project
-- returns: AwardRow?
-- Its emoji with the id :award_id.
select {award}
from {issue_at_route}
cross join awards a on a.id = :award_id and a.issue_id = i.id and a.note_id = coalesce(:note_id, 0)
where {is_awardable};

-- name: expect_awardable
-- scope: project
-- Ends the batch unless the caller may give the emoji :name.
insert into expectations (holds)
select exists (select 1
  from issues i
  where i.id = {issue_of_route} and i.project_id = s.project_id and {is_awardable}
    and (s.access > 0 or i.discussion_locked is not 1) and i.awards_count < 1000
    and (select count(*) from awards a where a.issue_id = i.id and a.note_id = coalesce(:note_id, 0)) < 200
    and not exists (select 1
      from awards a
      where a.issue_id = i.id and a.note_id = coalesce(:note_id, 0) and a.user_id = s.user_id and a.name = :name))
from scope s;

-- name: create
-- scope: project
insert into awards (issue_id, note_id, user_id, name, created_at)
select {issue_of_route}, coalesce(:note_id, 0), s.user_id, :name, s.now
from scope s;

-- name: take_part
-- scope: project
-- Adds the user as a participant by this emoji.
insert into participants (issue_id, user_id, note_id)
select a.issue_id, a.user_id, -a.id
from scope
cross join awards a on a.id = {made(awards)}
where true
on conflict do nothing;

-- name: settle_todos
-- scope: project
-- Marks the pending items of the user on the issue done.
update todos
set state = 'done', updated_at = s.now
from (select s.user_id, s.now, a.issue_id from scope s cross join awards a on a.id = {made(awards)}) s
where todos.issue_id = s.issue_id and todos.user_id = s.user_id and state = 'pending';

-- name: written
-- scope: project
-- returns: AwardRow?
-- The emoji that the batch has just made, as the answer shows it.
select {award} from scope cross join awards a on a.id = {made(awards)};

-- name: leave
-- Deletes the participant by the emoji :award_id.
delete from participants where issue_id = :issue_id and note_id = -:award_id;

-- name: remove
delete from awards where id = :award_id and issue_id = :issue_id and user_id = :user_id;
