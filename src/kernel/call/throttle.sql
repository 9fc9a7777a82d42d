-- What the limits need to know of a caller before the request is authorized.

-- name: person_of
-- The person who answers for the token with the hash :key. No row if it is not accepted.
select member_id as id from callers where key = (select :key) and expires_at > :now;
