-- retention: delete statuses
-- Rows in the small world: 0 given, 14 written

delete from statuses
where id in (
  select s.id
  from statuses s
  where s.commit_id in (
    select c.id
    from commits c
    where c.project_id = (
      select min(project_id)
      from project_remains
    )
    order by c.sha
    limit 20
  ) and not exists (
    select 1
    from status_heads h
    where h.commit_id = s.commit_id
  ) and not exists (
    select 1
    from deployments d
    where d.status_id = s.id
  )
  limit 100
)

-- Plan:
-- SEARCH statuses USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH s USING COVERING INDEX statuses_of_name (commit_id=?)
--   LIST SUBQUERY
--     SEARCH c USING COVERING INDEX commits_by_sha (project_id=?)
--     SCALAR SUBQUERY
--       SEARCH project_remains
--   CORRELATED SCALAR SUBQUERY
--     SEARCH h USING COVERING INDEX status_heads_in_order (commit_id=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH d USING COVERING INDEX deployments_of_status (status_id=?)
-- SEARCH deployments USING COVERING INDEX deployments_of_status (status_id=?)
