-- name: state
-- Whether the migration :newest is applied, and whether a person has a token.
select exists (select 1 from d1_migrations where name = :newest) as is_migrated,
  exists (select 1 from tokens where kind = 'personal' and id > 0) as has_tokens;
