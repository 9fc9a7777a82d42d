-- Answers kept for requests with an Idempotency-Key, for one day.

-- piece: is_kept(user, now)
-- Whether r is the answer of the user under the key :key.
r.user_id = {user} and r.key = :key and r.answer is not null and r.created_at > {now} - 86400000

-- name: kept
-- scope: project
-- The answer of the caller under the key :key, for requests in a project.
select r.digest, r.answer from scope s cross join idempotency_keys r on {is_kept(s.user_id, s.now)};

-- name: kept_of_caller
-- scope: caller
-- The same for requests outside of projects.
select r.digest, r.answer from caller c cross join idempotency_keys r on {is_kept(c.id, c.now)};

-- name: expect_unused
-- scope: project
-- Ends the batch if the caller has an answer under this key.
insert into expectations (holds)
select not exists (select 1 from idempotency_keys r where {is_kept(s.user_id, s.now)})
from scope s;

-- name: kept_by
-- The answer of the user :user_id under the key :key.
select r.digest, r.answer from idempotency_keys r where {is_kept(:user_id, :now)};

-- name: expect_unused_by
-- Ends the batch if the user :user_id has an answer under this key.
insert into expectations (holds)
select not exists (select 1 from idempotency_keys r where {is_kept(:user_id, :now)});
