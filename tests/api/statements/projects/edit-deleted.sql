-- Is there a deleted project `?7` that may come back? Not once what hung on it is being removed, nor without its
--   namespace.
-- Binds: ?7 *id
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select json_quote(p.id)
from caller c
cross join projects p
on p.id = (select ?7)
cross join namespaces n
on n.id = p.namespace_id
where c.admin and p.deleted_at is not null and p.purged_at is null
  and n.path <> '/'

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN c
--     SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--     SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
