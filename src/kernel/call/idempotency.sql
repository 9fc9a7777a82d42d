-- Answers kept for requests with an Idempotency-Key, for one day.

-- name: kept
-- scope: project
-- The answer of the caller under the key :key, for requests in a project.
select r.digest, r.answer
from scope s
cross join idempotency_keys r on r.user_id = s.user_id and r.key = :key and r.answer is not null
  and r.created_at > s.now - 86400000

-- name: kept_of_caller
-- scope: caller
-- The same for requests outside of projects.
select r.digest, r.answer
from caller c
cross join idempotency_keys r on r.user_id = c.id and r.key = :key and r.answer is not null and r.created_at > c.now
  - 86400000

-- name: expect_unused
-- scope: project
-- Ends the batch if the caller has an answer under this key.
insert into expectations (holds)
select not exists (select 1
  from idempotency_keys r
  where r.user_id = s.user_id and r.key = :key and r.answer is not null and r.created_at > s.now - 86400000)
from scope s

-- name: kept_by
-- The answer of the user :user_id under the key :key.
select digest, answer
from idempotency_keys
where user_id = :user_id and key = :key and answer is not null and created_at > :now - 86400000

-- name: expect_unused_by
-- Ends the batch if the user :user_id has an answer under this key.
insert into expectations (holds)
select not exists (select 1
  from idempotency_keys
  where user_id = :user_id and key = :key and answer is not null and created_at > :now - 86400000)
