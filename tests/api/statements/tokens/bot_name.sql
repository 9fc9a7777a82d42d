-- The name of a user of a project's token, under an id that no person has. -1 and 0 mean something else in lists.
-- Binds: ?1 bot.as_str()
-- Rows in the small world: 0 given, 1 written

insert into namespaces (id, kind, path, path_key)
values (min(-100, (
  select min(id)
  from namespaces
)) - 1, 'user', ?1, ?1)

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH namespaces
