-- Removes objects of repositories that no branch or tag needs.

-- piece: unneeded
-- The next objects that have not been needed since :before.
(select project_id, sha
  from objects
  where unneeded_at < :before and unneeded_at is not null
  order by unneeded_at
  limit 200)

-- name: unneeded_objects
-- Their keys.
select p.own || o.sha as object_key
from {unneeded} o
cross join object_places p on p.project_id = o.project_id;

-- name: remove_objects
delete from objects where (project_id, sha) in {unneeded};

-- name: unnamed_objects
-- The keys in :keys of objects of repositories without a row. Omits keys of a different shape.
select k.store || '/' || k.name as object_key
from {listed_keys(n.name glob '[1-9]*/objects/[0-9a-f]*')} k
where substr(k.name, slash, 9) = '/objects/'
  and not exists (select 1
    from objects o
    where o.project_id = cast(substr(k.name, 1, slash - 1) as integer) and o.sha = substr(k.name, slash + 9)
      and o.left_out is null);
