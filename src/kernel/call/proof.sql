-- What a JWT of a CI has to fit.

-- name: trust
-- returns: TrustRow?
-- The trust with the key :key, also if it has ended.
select issuer, claims as rules from tokens where hash = (select :key) and issuer is not null;
