-- call: idempotency expect unused
-- Binds: ?1 user_id, ?2 self.hash.as_str(), ?3 now
-- Rows in the small world: 0 given, 0 written

insert into expectations (holds)
select not exists (
  select 1
  from idempotency_keys r
  where r.user_id = (select ?1) and r.key = (select ?2) and r.answer is not null
    and r.created_at > (select ?3) - 86400000
)

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH r USING PRIMARY KEY (user_id=? AND key=?)
