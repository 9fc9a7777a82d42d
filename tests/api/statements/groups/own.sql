-- Its maker owns it.
-- Binds: ?1 key.as_str(), ?2 owner_id, ?3 now
-- Rows in the small world: 0 given, 1 written

insert into group_members (user_id, group_id, access, created_at)
select ?2, id, 50, ?3
from namespaces
where path_key = (select ?1)

-- Plan:
-- SEARCH namespaces USING COVERING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
