-- Comments on commits, oldest first.

-- piece: new_comment
scope s cross join comment_rows k on k.id = {made(commit_comments)} and k.project_id = s.project_id

-- list: list
-- scope: project
-- shows: CommentRow of comment_rows
-- weighs: comment_lengths
-- order: id
-- total: total
-- The comments on the commit :name.
select id from commit_comments where commit_id = (select n.commit_id from {commit_named(:name)}) and {after};

-- name: total
-- scope: project
-- returns: ListTotal?
-- The number of comments on the commit, null if more than 10,000. No row without the commit.
with counted as materialized (
  select (select count(*) from (select 1 from commit_comments k where k.commit_id = n.commit_id limit 10001)) as counted
  from {commit_named(:name)}
  where n.commit_id is not null
)
select iif(counted > 10000, null, counted) as total, counted
from counted;

-- name: expect_place
-- scope: project
-- Ends the batch if the caller may not comment, without the commit, or if no room is left to the caller. Also ends it
-- if :no_line is set and the request names the commit by its hash.
insert into expectations (holds)
select coalesce((select {leaves_room}
    and exists (select 1
      from commit_names n
      cross join commits c on c.id = n.commit_id
      where n.project_id = s.project_id and n.name = json_array(:name)
        and not (:no_line and substr(c.sha, 1, length(:name)) = lower(:name)))
  from scope s), 0);

-- name: create
-- scope: project
-- Adds a comment on the commit :name.
insert into commit_comments (project_id, commit_id, author_id, note, path, line, line_type, created_at, updated_at)
select s.project_id, n.commit_id, s.user_id, :note, :path, :line, :line_type, s.now, s.now
from {commit_named(:name)};

-- name: settle_todos
-- scope: project
-- Marks the pending items of the author on the commit done.
update todos
set state = 'done', updated_at = s.now
from (select s.user_id, s.now, k.commit_id
  from scope s
  cross join commit_comments k on k.id = {made(commit_comments)}) s
where todos.commit_id = s.commit_id and todos.user_id = s.user_id and state = 'pending';

-- name: add_todos_of_mentioned
-- scope: project
-- Adds to-do items for the people :names who may read commits and have no pending item on the commit.
insert into todos (user_id, author_id, project_id, commit_id, comment_id, action, created_at, updated_at)
select v.user_id, s.user_id, k.project_id, k.commit_id, k.id,
  iif(max(w.value), 'addressed_at_commit', 'mentioned_at_commit'), s.now, s.now
from scope s
cross join commit_comments k on k.id = {made(commit_comments)} and k.project_id = s.project_id
cross join json_each(:names) w
cross join project_viewers v on v.user_id in {people} and v.project_id = k.project_id
where v.sees and v.is_active and (v.access >= :member or v.visibility >= :anyone) and v.user_id <> s.user_id
  and not exists (select 1
    from todos t
    where t.commit_id = k.commit_id and t.user_id = v.user_id and t.state = 'pending')
group by v.user_id;

-- name: created
-- scope: project
-- returns: CommentRow?
-- The comment that the previous statement added.
select k.* from {new_comment};

-- name: keep
-- scope: project
-- Stores the comment as the answer to the idempotency key.
{keep_answer(json_object('id', k.id, 'project_id', k.project_id, 'note', k.note, 'path', k.path, 'line', k.line,
    'line_type', k.line_type, 'position', json(k.position), 'created_at', k.created_at, 'updated_at', k.updated_at,
    'author', json(k.author), 'author_created_at', k.author_created_at),
  from {new_comment})};

-- name: target
-- scope: project
-- returns: Target?
-- A row if the commit :name exists: whether the request names it by its hash.
select substr(c.sha, 1, length(:name)) = lower(:name) as is_by_hash
from {commit_named(:name)}
cross join commits c on c.id = n.commit_id;

-- name: one
-- scope: project
-- returns: CommentRow?
-- The comment :id on the commit :name.
select k.* from {commit_named(:name)} cross join comment_rows k on k.id = :id and k.commit_id = n.commit_id;

-- name: expect_unmodified
-- scope: project
-- Ends the batch if the comment was deleted, or changed after :since. A comment with the text :note passes, so that the
-- batch may be repeated.
insert into expectations (holds)
select exists (select 1 from commit_comments where id = :id and (updated_at <= :since or note = :note))
from scope;

-- name: update
-- scope: project
update commit_comments
set note = :note, updated_at = max(commit_comments.updated_at + 1, s.now)
from (select now from scope) s
where id = :id;

-- name: delete
delete from commit_comments where id = :id;
