-- issues: delete delete subscriptions
-- Binds: ?1 PORTION
-- Rows in the small world: 0 given, 1 written

delete from subscriptions
where (issue_id, user_id) in (
  select issue_id, user_id
  from subscriptions
  where issue_id = (
    select min(issue_id)
    from issue_remains
  )
  limit (select ?1)
)

-- Plan:
-- SEARCH subscriptions USING PRIMARY KEY (issue_id=? AND user_id=?)
-- LIST SUBQUERY
--   SEARCH subscriptions USING PRIMARY KEY (issue_id=?)
--   SCALAR SUBQUERY
--     SEARCH issue_remains
