-- retention: delete commits
-- Rows in the small world: 0 given, 5 written

delete from commits
where id in (
  select c.id
  from commits c
  where c.id in (
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
    from status_heads x
    where x.commit_id = c.id
  ) and not exists (
    select 1
    from statuses x
    where x.commit_id = c.id
  ) and not exists (
    select 1
    from status_counts x
    where x.commit_id = c.id
  ) and not exists (
    select 1
    from commit_comments x
    where x.commit_id = c.id
  ) and not exists (
    select 1
    from parents x
    where x.child_id = c.id
  ) and not exists (
    select 1
    from parents x
    where x.parent_id = c.id
  ) and not exists (
    select 1
    from refs x
    where x.commit_id = c.id
  )
)

-- Plan:
-- SEARCH commits USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY
--     SEARCH c USING COVERING INDEX commits_by_sha (project_id=?)
--     SCALAR SUBQUERY
--       SEARCH project_remains
--   CORRELATED SCALAR SUBQUERY
--     SEARCH x USING COVERING INDEX status_heads_in_order (commit_id=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH x USING COVERING INDEX statuses_of_name (commit_id=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH x USING PRIMARY KEY (commit_id=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH x USING COVERING INDEX commit_comments_of_commit (commit_id=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH x USING PRIMARY KEY (child_id=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH x USING COVERING INDEX parents_of_parent (parent_id=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH x USING COVERING INDEX refs_of_commit (commit_id=?)
-- SEARCH status_heads USING PRIMARY KEY (commit_id=?)
-- SEARCH status_counts USING PRIMARY KEY (commit_id=?)
-- SEARCH statuses USING COVERING INDEX statuses_of_name (commit_id=?)
-- SEARCH commit_comments USING COVERING INDEX commit_comments_of_commit (commit_id=?)
-- SEARCH diffs USING PRIMARY KEY (commit_id=?)
-- SEARCH branch_queue USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH forgotten_commits USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH refs USING INDEX refs_of_commit (commit_id=?)
-- SEARCH parents USING INDEX parents_of_parent (parent_id=?)
-- SEARCH parents USING PRIMARY KEY (child_id=?)
