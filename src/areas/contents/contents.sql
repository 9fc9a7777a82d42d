-- Contents of repositories. The database lists the objects, the object store has their bytes.

-- piece: revision
-- The commit c, and where its objects lie. own: the start of the keys. original: the same for objects of the database
-- of which this one is a copy.
c.sha, c.tree, c.contents in (1, 2) as is_complete,
  exists (select 1 from refs r where r.commit_id = c.id) as is_tip,
  coalesce((select m.contents from mirrors m where m.project_id = c.project_id), 'none') as extent, p.own,
  p.original

-- name: at
-- scope: project
-- returns: reader::Revision?
-- The commit with the name :name (null: the default branch).
select {revision}, c.committed_at
from {commit_named(:name)}
cross join commits c on c.id = n.commit_id
cross join object_places p on p.project_id = s.project_id;

-- name: blob
-- scope: project
-- returns: reader::Revision?
-- The file with the hash :sha, if it is an object of the project, and where it is.
select o.sha, null as tree, 1 as is_complete, 1 as is_tip, 'none' as extent, p.own, p.original
from scope s
cross join objects o on o.project_id = s.project_id and o.sha = :sha and o.kind = 'blob'
cross join object_places p on p.project_id = s.project_id;

-- name: object
select kind, size, left_out, about from objects where project_id = :project_id and sha = :sha;

-- name: too_long
-- Those of the objects :ids, JSON, whose bytes are not stored because they are too long.
select o.sha
from json_each(:ids) j
cross join objects o on o.project_id = :project_id and o.sha = j.value
where o.left_out = 'size';

-- name: at_longest
-- scope: project
-- returns: v4::address::RefRow?
-- The same for the first of :names (JSON) that names a commit, and which it is.
select x.name, {revision}, c.committed_at
from (select j.value as name, n.commit_id
  from scope s
  cross join json_each(:names) j
  cross join commit_names n on n.project_id = s.project_id and n.name = json_array(j.value)
  where n.commit_id is not null
  order by j.key
  limit 1) x
cross join commits c on c.id = x.commit_id
cross join object_places p on p.project_id = c.project_id;

-- name: sizes
-- The bytes of the files :ids, JSON, in this order. -1 for one that is not stored.
select json_group_array(coalesce((select iif(o.left_out is null and o.kind = 'blob', o.size, -1)
  from objects o
  where o.project_id = :project_id and o.sha = j.value), -1)) as sizes
from (select value from json_each(:ids) order by key) j;

-- name: contributors
-- scope: project
-- returns: super::contributors::Person*
-- The people who wrote the newest 10,000 commits of :name, in the order :sort, by their e-mail addresses, with the name
-- in the newest commit. Ends after 3 MB. Past the end it returns one row without a name.
with line (id, at) as (
  select n.commit_id, c.committed_at
  from {commit_named(:name)}
  cross join commits c on c.id = n.commit_id
  union
  select p.parent_id, c.committed_at
  from line
  cross join parents p on p.child_id = line.id
  cross join commits c on c.id = p.parent_id
  order by 2 desc
  limit 10000
), people as materialized (
  select c.author_email as email, c.author_name as name, count(*) as commits, max(l.at) as newest
  from line l
  cross join commits c on c.id = l.id
  group by c.author_email
), ordered as (
  select email, name, commits,
    row_number() over (order by iif(:sort = 'commits_asc', commits, null),
      iif(:sort = 'commits_desc', commits, null) desc, iif(:sort = 'name_asc', name, null) collate nocase,
      iif(:sort = 'name_desc', name, null) collate nocase desc, iif(:sort = 'email_asc', email, null) collate nocase,
      iif(:sort = 'email_desc', email, null) collate nocase desc, email) as number
  from people
), page as (
  select *, sum(octet_length(name) + octet_length(email) + 100) over (order by number) as bytes
  from ordered
  where number > :skip and number <= :skip + :most
)
select p.email, p.name, p.commits, t.total
from (select count(*) as total from people) t
left join page p on p.bytes <= {page_bytes}
order by p.number;

-- name: ends
-- The commits :ids and where their objects lie, as in `at`.
select c.id, {revision}
from json_each(:ids)
cross join commits c on c.id = value and c.project_id = :project_id
cross join object_places p on p.project_id = c.project_id;

-- name: length_of
-- An estimate of the bytes of the commits :ids as JSON.
select coalesce(sum(l.answered), 0) as bytes from json_each(:ids) cross join commit_lengths l on l.id = value;

-- name: commits
-- The commits :ids in this order.
select c.document as "commit"
from json_each(:ids) j
cross join commit_documents c on c.id = j.value and c.project_id = :project_id
order by j.key;

-- name: known
-- scope: project
-- returns: v4::compare::KnownRef*
-- Those of :names that name a commit.
select n.value as name, x.commit_id as id
from scope s
cross join json_each(:names) n
cross join commit_names x on x.project_id = s.project_id and x.name = json_array(n.value)
where x.commit_id is not null;
