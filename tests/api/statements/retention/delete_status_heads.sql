-- retention: delete status heads
-- Rows in the small world: 0 given, 4 written

delete from status_heads
where (commit_id, ref, name) in (
  select h.commit_id, h.ref, h.name
  from status_heads h
  where h.commit_id in (
    select c.id
    from commits c
    where c.project_id = (
      select min(project_id)
      from project_remains
    )
    order by c.sha
    limit 20
  )
  limit 100
)

-- Plan:
-- SEARCH status_heads USING PRIMARY KEY (commit_id=? AND ref=? AND name=?)
-- LIST SUBQUERY
--   SEARCH h USING COVERING INDEX status_heads_in_order (commit_id=?)
--   LIST SUBQUERY
--     SEARCH c USING COVERING INDEX commits_by_sha (project_id=?)
--     SCALAR SUBQUERY
--       SEARCH project_remains
