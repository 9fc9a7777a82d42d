-- What comes after belongs to this batch.
-- Binds: ?1 project_id
-- Rows in the small world: 0 given, 1 written

insert into mirrors (project_id, version, before_batch)
values (?1, 0, (
  select coalesce(max(id), 0)
  from commits
))
on conflict (project_id) do update set before_batch = excluded.before_batch

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH commits
