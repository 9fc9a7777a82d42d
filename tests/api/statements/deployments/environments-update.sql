-- Changes what is set (`?3`, `?5`, `?7`) of the environment `?1`; `?9`: its state, null: as it is.
-- Binds: ?1 id, ?2 now
-- Rows in the small world: 0 given, 1 written

update environments
set external_url = iif(?3, ?4, external_url), tier = iif(?5, ?6, tier), description = iif(?7, ?8, description),
  state = coalesce(?9, state), updated_at = ?2
where id = (select ?1)

-- Plan:
-- SEARCH environments USING INTEGER PRIMARY KEY (rowid=?)
