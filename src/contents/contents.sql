-- Contents of repositories. The database has which objects there are, the object store has their bytes.

-- name: at?
-- The commit with the name :name (null: the default branch), and where its objects lie. own: the start of the keys. original: the same
-- for objects of the database of which this one is a copy.
select c.sha, c.tree, c.contents > 0 as is_complete, exists (select 1 from refs r where r.commit_id = c.id) as is_tip,
  coalesce((select m.contents from mirrors m where m.project_id = s.project_id), 'none') as extent, p.own, p.original
from scope s cross join commit_names n on n.project_id = s.project_id and n.name = json_array(:name)
cross join commits c on c.id = n.commit_id cross join object_places p on p.project_id = s.project_id

-- name: blob?
-- The file with the hash :sha, as an object of the project, and where it lies.
select o.sha, null as tree, 1 as is_complete, 1 as is_tip, 'none' as extent, p.own, p.original
from scope s cross join objects o on o.project_id = s.project_id and o.sha = :sha and o.kind = 'blob'
cross join object_places p on p.project_id = s.project_id

-- name: object
select size, left_out, about from objects where project_id = :project_id and sha = :sha

-- name: ends
-- The commits :ids and where their objects lie, as in `at`.
select c.id, c.sha, c.tree, c.contents > 0 as is_complete, exists (select 1 from refs r where r.commit_id = c.id) as is_tip,
  coalesce((select m.contents from mirrors m where m.project_id = c.project_id), 'none') as extent, p.own, p.original
from json_each(:ids) cross join commits c on c.id = value and c.project_id = :project_id
cross join object_places p on p.project_id = c.project_id

-- name: length_of
-- An estimate of the bytes of the commits :ids as JSON.
select coalesce(sum(l.answered), 0) as bytes from json_each(:ids) cross join commit_lengths l on l.id = value

-- name: commits
-- The commits :ids in this order.
select c.document as "commit" from json_each(:ids) j cross join commit_documents c on c.id = j.value and c.project_id = :project_id order by j.key

-- name: known?
-- Those of :names that name a commit.
select n.value as name, x.commit_id as id from scope s cross join json_each(:names) n
cross join commit_names x on x.project_id = s.project_id and x.name = json_array(n.value) where x.commit_id is not null
