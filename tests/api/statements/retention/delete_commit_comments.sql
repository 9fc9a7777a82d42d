-- retention: delete commit comments
-- Rows in the small world: 0 given, 2 written

delete from commit_comments
where id in (
  select m.id
  from commit_comments m
  where m.commit_id in (
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
-- SEARCH commit_comments USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH m USING COVERING INDEX commit_comments_of_commit (commit_id=?)
--   LIST SUBQUERY
--     SEARCH c USING COVERING INDEX commits_by_sha (project_id=?)
--     SCALAR SUBQUERY
--       SEARCH project_remains
