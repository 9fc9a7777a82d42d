-- issues: delete delete participants
-- Binds: ?1 PORTION
-- Rows in the small world: 0 given, 2 written

delete from participants
where (issue_id, user_id, note_id) in (
  select issue_id, user_id, note_id
  from participants
  where issue_id = (
    select min(issue_id)
    from issue_remains
  )
  limit (select ?1)
)

-- Plan:
-- SEARCH participants USING PRIMARY KEY (issue_id=? AND user_id=? AND note_id=?)
-- LIST SUBQUERY
--   SEARCH participants USING PRIMARY KEY (issue_id=?)
--   SCALAR SUBQUERY
--     SEARCH issue_remains
