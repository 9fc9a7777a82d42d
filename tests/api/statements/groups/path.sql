-- Takes the path, and with it the next id.
-- Binds: ?1 path, ?2 key.as_str()
-- Rows in the small world: 0 given, 1 written

insert into namespaces (kind, path, path_key)
values ('group', ?1, ?2)

-- Plan:
