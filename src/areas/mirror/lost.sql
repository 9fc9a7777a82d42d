-- What the object store should have, and what it has lost.

-- name: named_objects
-- returns: lost::NamedObject*
-- The keys of the trees and files :shas, and of the diffs of the commits :shas. original: the key in the database of
-- which this one is a copy. object: the name of the object, if it is a diff.
select o.sha, null as object, p.own || o.sha as key, p.original || o.sha as original
from json_each(:shas)
cross join objects o on o.project_id = :project_id and o.sha = value and o.left_out is null
cross join object_places p on p.project_id = o.project_id
union all
select c.sha, d.object, coalesce(d.store, w.store) || '/' || c.project_id || '/' || c.sha || '-' || d.object, null
from json_each(:shas)
cross join commits c on c.project_id = :project_id and c.sha = value
cross join diffs d on d.commit_id = c.id and d.object is not null
cross join object_sweeps w;

-- name: forget_lost
-- Makes the hook send the diffs :lost again, JSON [{sha, object}, ..], unless another object has come.
insert into forgotten_commits (commit_id, project_id)
select c.id, c.project_id
from json_each(:lost)
cross join commits c on c.project_id = :project_id and c.sha = value ->> 'sha'
cross join diffs d on d.commit_id = c.id and d.object = value ->> 'object'
where true
on conflict do nothing;

-- name: lose_diffs
-- Deletes the diffs of those of these commits that are forgotten.
delete from diffs
where commit_id in (select f.commit_id
  from json_each(:lost)
  cross join commits c on c.project_id = :project_id and c.sha = value ->> 'sha'
  cross join forgotten_commits f on f.commit_id = c.id);
