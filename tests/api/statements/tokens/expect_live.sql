-- Nobody ended it meanwhile.
-- Binds: ?1 old.id
-- Rows in the small world: 0 given, 0 written

insert into expectations (holds)
select exists (
  select 1
  from tokens
  where id = (select ?1) and revoked_at is null
)

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH tokens USING INDEX sqlite_autoindex_tokens_2 (id=?)
