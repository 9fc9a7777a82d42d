-- Objects of repositories: which there are, and which the hook needs.

-- name: before_objects
-- scope: project
-- returns: String
-- place: the start of the keys of the project's objects.
select coalesce(w.own, w.store) || '/' || s.project_id || '/objects/' as place
from scope s
cross join object_sweeps w on w.id = 1;

-- name: add_objects
-- Adds the objects :objects, and overwrites those that were left out.
insert into objects (project_id, sha, kind, size, packed, about, readme, license, person_id)
select :project_id, value ->> 'sha', value ->> 'kind', value ->> 'size', value ->> 'packed', value ->> 'about',
  value ->> 'readme', value ->> 'license', :person_id
from json_each(:objects)
where true
on conflict (project_id, sha) do update set kind = excluded.kind, size = excluded.size, packed = excluded.packed,
  about = excluded.about, readme = excluded.readme, license = excluded.license, left_out = null, unneeded_at = null,
  person_id = excluded.person_id
where left_out is not null or unneeded_at is not null;

-- name: set_trees
-- Sets the root trees of commits that have none. The whole list is read for each commit.
update commits
set tree = (select value ->> 'tree' from json_each(:trees) where value ->> 'commit' = commits.sha)
where project_id = :project_id and tree is null and sha in (select value ->> 'commit' from json_each(:trees));

-- name: objects
-- scope: project
-- returns: Stored*
-- The objects after the hash :after.
select sha as id, kind, size, left_out
from objects
where project_id = (select project_id from scope) and sha > :after
order by sha
limit :most;

-- name: need
-- Keeps those of the objects :shas that were not needed.
update objects
set unneeded_at = null
where project_id = :project_id and unneeded_at is not null and sha in (select value from json_each(:shas));

-- name: lacking
-- The hashes in :shas that are neither objects of the project nor commits with a root tree. A file that was left out
-- for its size is lacking if it is at most :most bytes long, where 0 means no limit.
select named.value as sha
from json_each(:shas) named
where not exists (select 1
  from objects o
  where o.project_id = :project_id and o.sha = named.value
    and (o.left_out is not 'size' or (:most > 0 and o.size > :most) or o.kind = 'tree'))
  and not exists (select 1
    from commits c
    where c.project_id = :project_id and c.sha = named.value and c.tree is not null);

-- name: set_extent
insert into mirrors (project_id, version, contents)
values (:project_id, 0, :extent)
on conflict (project_id) do update set contents = excluded.contents
where contents is not excluded.contents;

-- name: leave_out
-- Notes why the objects :objects are not stored.
insert into objects (project_id, sha, kind, size, packed, left_out)
select :project_id, value ->> 'id', value ->> 'kind', value ->> 'size', 0, value ->> 'reason'
from json_each(:objects)
where true
on conflict (project_id, sha) do nothing;

-- name: begin_contents
-- Notes that objects of the commits :shas may be stored from now on. 3 is more than any extent, and does not count as
-- complete.
update commits
set contents = 3
where project_id = :project_id and contents = 0 and sha in (select value from json_each(:shas));

-- name: complete
-- Notes that all objects of the commits :shas are stored or left out.
update commits
set contents = :level
where project_id = :project_id and sha in (select value from json_each(:shas)) and tree is not null
  and (contents < :level or contents = 3);

-- name: unneeded
update objects
set unneeded_at = :now
where project_id = :project_id and unneeded_at is null and sha in (select value from json_each(:shas));

-- name: end_contents
-- Only for commits at which no branch or tag ends.
update commits
set contents = 0
where project_id = :project_id and contents > 0 and sha in (select value from json_each(:shas))
  and not exists (select 1 from refs r where r.commit_id = commits.id);

-- name: lose_object
delete from objects where project_id = :project_id and left_out is null and sha in (select value from json_each(:shas));

-- name: doubt_contents
-- Marks all commits of the project as incomplete, so that the hook asks for their objects again. Only if the object
-- :sha counts as stored or the commit :of as complete: else this was done, and the hook has not sent the objects since.
update commits
set contents = 0
where project_id = :project_id and contents > 0
  and (exists (select 1 from objects o where o.project_id = :project_id and o.sha = :sha and o.left_out is null)
    or exists (select 1 from commits c where c.project_id = :project_id and c.sha = :of and c.contents in (1, 2)));
