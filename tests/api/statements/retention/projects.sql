-- From here on a project that was deleted before `?1` does not come back.
-- Binds: ?1 before
-- Rows in the small world: 0 given, 0 written

insert into project_remains (project_id)
select id
from (
  select p.id
  from projects p
  where p.deleted_at < (select ?1) and p.deleted_at is not null
    and p.purged_at is null
  order by p.deleted_at
  limit 20
)
where true
on conflict do nothing

-- Plan:
-- CO-ROUTINE (subquery)
--   SEARCH p USING INDEX projects_to_purge (deleted_at>? AND deleted_at<?)
-- SCAN (subquery)
