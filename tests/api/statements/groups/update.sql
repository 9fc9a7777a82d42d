-- Changes the group `?1`.
-- Binds: ?1 group_id, ?2 name.as_deref(), ?3 path.as_deref(), ?4 description, ?5 visibility
-- Rows in the small world: 0 given, 1 written

update groups
set name = coalesce(?2, name), path = coalesce(?3, path), description = coalesce(?4, description), visibility = coalesce(?5,
  visibility)
where id = (select ?1)

-- Plan:
-- SEARCH groups USING INTEGER PRIMARY KEY (rowid=?)
