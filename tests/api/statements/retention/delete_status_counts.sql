-- retention: delete status counts
-- Rows in the small world: 0 given, 2 written

delete from status_counts
where (commit_id, ref, stage) in (
  select n.commit_id, n.ref, n.stage
  from status_counts n
  where n.commit_id in (
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
    from statuses s
    where s.commit_id = n.commit_id
  )
  limit 100
)

-- Plan:
-- SEARCH status_counts USING PRIMARY KEY (commit_id=? AND ref=? AND stage=?)
-- LIST SUBQUERY
--   SEARCH n USING PRIMARY KEY (commit_id=?)
--   LIST SUBQUERY
--     SEARCH c USING COVERING INDEX commits_by_sha (project_id=?)
--     SCALAR SUBQUERY
--       SEARCH project_remains
--   CORRELATED SCALAR SUBQUERY
--     SEARCH s USING COVERING INDEX statuses_of_name (commit_id=?)
