-- Tokens that were revoked.
-- Binds: ?1 before
-- Rows in the small world: 0 given, 0 written

delete from tokens
where hash in (
  select t.hash
  from tokens t
  where t.revoked_at < (select ?1)
  order by t.revoked_at
  limit 200
)

-- Plan:
-- SEARCH tokens USING PRIMARY KEY (hash=?)
-- LIST SUBQUERY
--   SEARCH t USING COVERING INDEX tokens_by_revocation (revoked_at<?)
