-- retention: delete parents
-- Rows in the small world: 0 given, 0 written

delete from parents
where (child_id, position) in (
  select e.child_id, e.position
  from parents e
  where e.parent_id in (
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
-- SEARCH parents USING PRIMARY KEY (child_id=? AND position=?)
-- LIST SUBQUERY
--   SEARCH e USING COVERING INDEX parents_of_parent (parent_id=?)
--   LIST SUBQUERY
--     SEARCH c USING COVERING INDEX commits_by_sha (project_id=?)
--     SCALAR SUBQUERY
--       SEARCH project_remains
