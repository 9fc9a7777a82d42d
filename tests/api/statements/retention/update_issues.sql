-- retention: update issues
-- Binds: ?1 now
-- Rows in the small world: 0 given, 12 written

update issues
set deleted_at = ?1, user_notes_count = 0, system_notes_count = 0
where deleted_at is null and id in (
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
-- SEARCH issues USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH i USING COVERING INDEX issues_number (project_id=?)
--   SCALAR SUBQUERY
--     SEARCH project_remains
