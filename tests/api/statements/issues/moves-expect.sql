-- It is still there and has not moved, or may have (`?2`).
-- Binds: ?1 issue_id, ?2 how.clones
-- Rows in the small world: 0 given, 0 written

insert into expectations (holds)
select exists (
  select 1
  from issues
  where id = (select ?1) and (moved_to_id is null or ?2) and deleted_at is null
)

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH issues USING INTEGER PRIMARY KEY (rowid=?)
