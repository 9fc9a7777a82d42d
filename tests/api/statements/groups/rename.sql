-- Gives its namespace its new path.
-- Binds: ?1 group_id, ?2 path.as_str(), ?3 path.to_lowercase()
-- Rows in the small world: 0 given, 1 written

update namespaces
set path = ?2, path_key = ?3
where id = (select ?1)

-- Plan:
-- SEARCH namespaces USING INTEGER PRIMARY KEY (rowid=?)
