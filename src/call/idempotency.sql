-- Requests that may be sent again: what the caller was answered under the key of the request, for a day.

-- name: kept?
-- The answer to the key :key in a project.
select r.digest, r.answer from scope s cross join idempotency_keys r
on r.user_id = s.user_id and r.key = :key and r.answer is not null and r.created_at > s.now - 86400000

-- name: kept_of_caller@
-- The same outside of projects.
select r.digest, r.answer from caller c cross join idempotency_keys r
on r.user_id = c.id and r.key = :key and r.answer is not null and r.created_at > c.now - 86400000

-- name: expect_unused?
-- Ends the batch if the caller was answered under this key before.
insert into expectations (holds) select not exists (select 1 from idempotency_keys r
  where r.user_id = s.user_id and r.key = :key and r.answer is not null and r.created_at > s.now - 86400000) from scope s

-- name: kept_by
-- The answer to the key :key of the user :user_id.
select digest, answer from idempotency_keys
where user_id = :user_id and key = :key and answer is not null and created_at > :now - 86400000

-- name: expect_unused_by
-- Ends the batch if the user :user_id was answered under this key before.
insert into expectations (holds) select not exists (select 1 from idempotency_keys
  where user_id = :user_id and key = :key and answer is not null and created_at > :now - 86400000)
