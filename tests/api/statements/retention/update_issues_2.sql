-- retention: update issues
-- Rows in the small world: 0 given, 0 written

update issues
set moved_to_id = null
where moved_to_id in (
  select i.id
  from issues i
  where i.project_id = (
    select min(project_id)
    from project_remains
  )
  order by i.iid
  limit 5
)

-- Plan:
-- SEARCH issues USING COVERING INDEX issues_moved_to (moved_to_id=?)
-- LIST SUBQUERY
--   SEARCH i USING COVERING INDEX issues_number (project_id=?)
--   SCALAR SUBQUERY
--     SEARCH project_remains
