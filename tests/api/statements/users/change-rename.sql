-- Gives the user's namespace the user's new name.
-- Binds: ?1 user_id, ?2 username.as_str(), ?3 username.to_lowercase()
-- Rows in the small world: 0 given, 1 written

update namespaces
set path = ?2, path_key = ?3
where id = (select ?1)

-- Plan:
-- SEARCH namespaces USING INTEGER PRIMARY KEY (rowid=?)
