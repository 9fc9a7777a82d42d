-- Tokens that have expired.
-- Binds: ?1 before
-- Rows in the small world: 0 given, 0 written

delete from tokens
where hash in (
  select t.hash
  from tokens t
  where t.expires_at < (select ?1)
  order by t.expires_at
  limit 200
)

-- Plan:
-- SEARCH tokens USING PRIMARY KEY (hash=?)
-- LIST SUBQUERY
--   SEARCH t USING COVERING INDEX tokens_by_expiry (expires_at<?)
