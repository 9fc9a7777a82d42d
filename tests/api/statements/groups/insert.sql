-- Makes the group of that path.
-- Binds: ?1 key.as_str(), ?2 name, ?3 description, ?4 visibility, ?5 now
-- Rows in the small world: 0 given, 1 written

insert into groups (id, name, path, description, visibility, created_at)
select id, ?2, path, ?3, ?4, ?5
from namespaces
where path_key = (select ?1)

-- Plan:
-- SEARCH namespaces USING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
-- SEARCH group_members USING INDEX group_members_of_group (group_id=?)
