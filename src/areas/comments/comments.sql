-- Comments on commits, oldest first.

-- name: list
-- scope: project
-- The comments on the commit :name after the id :after. ends: the next comment would pass the limit of 3 MB.
, page as (
  select x.id, sum(l.answered) over (order by x.id) as bytes from (
    select l.id, sum(l.bytes) over (order by l.id) - l.bytes as before from (
      select id from commit_comments where commit_id = (select commit_id from commit_names
        where project_id = (select project_id from scope) and name = json_array(:name)) and id > :after order by id limit :most offset :skip) k
    cross join comment_lengths l on l.id = k.id) x
  cross join comment_lengths l on l.id = x.id where x.before <= 3000000
), ended as (
  select id, bytes, max(bytes) over () > 3000000 as ends from page
)
select k.*, p.ends from ended p cross join comment_rows k on k.id = p.id where p.bytes <= 3000000 order by p.id

-- name: total
-- scope: project
-- The number of comments on the commit, null if more than 10,000. No row without the commit.
, counted as materialized (
  select (select count(*) from (select 1 from commit_comments k where k.commit_id = n.commit_id limit 10001)) as counted
  from scope s cross join commit_names n on n.project_id = s.project_id and n.name = json_array(:name) where n.commit_id is not null
)
select iif(counted > 10000, null, counted) as total, counted from counted

-- name: expect_place
-- scope: project
-- Ends the batch without the commit. Also ends it if :no_line is set and the request names the commit by its hash.
insert into expectations (holds)
select exists (select 1 from commit_names n cross join commits c on c.id = n.commit_id
  where n.project_id = s.project_id and n.name = json_array(:name) and not (:no_line and substr(c.sha, 1, length(:name)) = lower(:name)))
from scope s

-- name: create
-- scope: project
-- Adds a comment on the commit :name.
insert into commit_comments (project_id, commit_id, author_id, note, path, line, line_type, created_at)
select s.project_id, n.commit_id, s.user_id, :note, :path, :line, :line_type, s.now
from scope s cross join commit_names n on n.project_id = s.project_id and n.name = json_array(:name)

-- name: created
-- scope: project
-- The comment that the previous statement added.
select k.* from scope s cross join comment_rows k on k.id = (select max(id) from commit_comments) and k.project_id = s.project_id

-- name: keep
-- scope: project
-- Stores the comment as the answer to the idempotency key.
insert into idempotency_keys (user_id, key, digest, answer, created_at)
select s.user_id, :key, :digest, json_object('base', :base, 'avatars', (select avatar_enabled from settings where id = 1), 'row', json_object(
  'id', k.id, 'note', k.note, 'path', k.path, 'line', k.line, 'line_type', k.line_type, 'created_at', k.created_at,
  'author', json(k.author), 'author_created_at', k.author_created_at)), s.now
from scope s cross join comment_rows k on k.id = (select max(id) from commit_comments) and k.project_id = s.project_id
where true on conflict (user_id, key) do update set digest = excluded.digest, answer = excluded.answer, record_id = null,
  created_at = excluded.created_at

-- name: target
-- scope: project
-- returns: Target?
-- A row if the commit :name exists: whether the request names it by its hash.
select substr(c.sha, 1, length(:name)) = lower(:name) as is_by_hash
from scope s cross join commit_names n on n.project_id = s.project_id and n.name = json_array(:name) cross join commits c on c.id = n.commit_id
