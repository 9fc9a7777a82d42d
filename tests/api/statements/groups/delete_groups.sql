-- groups: delete groups
-- Binds: ?1 group_id
-- Rows in the small world: 0 given, 1 written

delete from groups
where id = (select ?1) and not exists (
  select 1
  from projects
  where namespace_id = (select ?1) and deleted_at is null
)

-- Plan:
-- SEARCH groups USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH projects USING INDEX projects_within_by_update (namespace_id=?)
-- SEARCH group_members USING INDEX group_members_of_group (group_id=?)
