-- To-do items of the caller. The owner sees an item only while they see its issue or its commit.

-- piece: sees_target(group)
-- Whether the owner of the item x sees what it is about, in the group, if that is not null.
iif(x.comment_id is null,
  exists (select 1
    from issue_readers r
    where r.issue_id = x.issue_id and r.user_id = x.user_id and r.namespace_id = coalesce({group}, r.namespace_id)
      and (not r.is_restricted or r.access >= :confidential_level)),
  exists (select 1
    from commit_comments k
    cross join project_viewers v on v.project_id = k.project_id and v.user_id = x.user_id
    where k.id = x.comment_id and v.sees and (v.access >= :member or v.visibility >= :anyone)
      and v.namespace_id = coalesce({group}, v.namespace_id)))

-- piece: todo_matches
x.action in (select value from json_each(:actions)) and x.author_id is f.author_id and x.project_id is f.project_id

-- piece: filters
select :user_id as user_id, :author_id as author_id, :project_id as project_id

-- piece: pending
filters f cross join todos_by_filter x on x.user_id = f.user_id and x.state = 'pending' and {todo_matches} limit :most

-- list: list
-- scope: caller
-- shows: TodoRow of todo_rows
-- weighs: todo_lengths
-- order: t.id desc
-- total: count
-- The items of a state with the actions :actions (JSON), newest first. Finds the newest items of each action, then the
-- newest of these. The list ends after 10,000 items whose targets the owner no longer sees. The filters are a row, so
-- that SQLite reads no rows for those arms of the view that do not apply.
with filters as materialized (select :state as state, :author_id as author_id, :project_id as project_id,
    :group_id as group_id, :after_1 as before)
select t.id
from caller c
cross join filters f
cross join json_each(:actions) a
cross join todos t
where t.id in (
  select x.id
  from (select x.id, x.user_id, x.issue_id, x.comment_id
    from todos_by_filter x
    where x.user_id = c.id and x.state = f.state and x.action = a.value and x.author_id is f.author_id
      and x.project_id is f.project_id and x.id < f.before
    order by x.id desc
    limit 10000 + :most + :skip) x
  where {sees_target(f.group_id)}
  order by x.id desc
  limit :most + :skip);

-- name: count
-- scope: caller
-- returns: ListTotal?
-- The number of items that the owner sees among the first ten thousand, null if there are more. counted: the rows read.
with
  filters as
  materialized (select :state as state, :author_id as author_id, :project_id as project_id, :group_id as group_id)
select iif(max(number) > 10000, null, coalesce(sum(sees), 0)) as total, 5 * count(*) as counted
from (
  select row_number() over () as number, {sees_target(x.group_id)} as sees
  from (select x.issue_id, x.comment_id, x.user_id, f.group_id
    from caller c
    cross join filters f
    cross join todos_by_filter x on x.user_id = c.id and x.state = f.state and {todo_matches}
    limit 10001) x);

-- name: one
-- scope: caller
-- returns: TodoRow?
select x.*
from caller c
cross join todo_rows x on x.id = :id and x.user_id = c.id
where {sees_target(null)};

-- name: marked
-- returns: TodoRow?
-- The item that the previous statement added.
select *
from todo_rows
where changes() = 1 and id = last_insert_rowid() and user_id = :user_id and issue_id = :issue_id;

-- name: settle
update todos set state = 'done', updated_at = :now where user_id = :user_id and state = 'pending' and id = :id;

-- name: settle_all
-- Marks at most :most matching items done. An item also has a row in every index.
with filters as materialized ({filters}) update todos
set state = 'done', updated_at = :now
where id in (select x.id from {pending});

-- name: to_settle
-- returns: Chunk
-- The number of items that the next statement marks done, and how many of them their owner sees.
with filters as materialized ({filters})
select count(*) as number,
  coalesce(sum({sees_target(null)}), 0) as seen
from (select x.issue_id, x.comment_id, x.user_id from {pending}) x;
