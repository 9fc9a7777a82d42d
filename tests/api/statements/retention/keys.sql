-- Answers that were kept for repeats, which nobody can get any more.
-- Binds: ?1 before
-- Rows in the small world: 0 given, 0 written

delete from idempotency_keys
where (user_id, key) in (
  select o.user_id, o.key
  from idempotency_keys o
  where o.created_at < (select ?1)
  order by o.created_at
  limit 500
)

-- Plan:
-- SEARCH idempotency_keys USING PRIMARY KEY (user_id=? AND key=?)
-- LIST SUBQUERY
--   SEARCH o USING COVERING INDEX idempotency_keys_by_age (created_at<?)
