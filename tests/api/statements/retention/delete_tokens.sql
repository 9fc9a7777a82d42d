-- retention: delete tokens
-- Rows in the small world: 0 given, 0 written

delete from tokens
where hash in (
  select t.hash
  from tokens t
  where t.project_id = (
    select min(project_id)
    from project_remains
  )
  limit 100
)

-- Plan:
-- SEARCH tokens USING PRIMARY KEY (hash=?)
-- LIST SUBQUERY
--   SEARCH t USING COVERING INDEX tokens_of_project (project_id=?)
--   SCALAR SUBQUERY
--     SEARCH project_remains
