-- It is still there and has not moved.
-- Binds: ?1 issue_id
-- Rows in the small world: 0 given, 0 written

insert into expectations (holds)
select exists (
  select 1
  from issues
  where id = (select ?1) and moved_to_id is null and deleted_at is null
)

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH issues USING INTEGER PRIMARY KEY (rowid=?)
