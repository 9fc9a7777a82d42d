-- Whom the comment mentioned take part no more by it; its author still does.
-- Binds: ?1 note_id
-- Rows in the small world: 0 given, 1 written

delete from participants
where issue_id = (
  select issue_id
  from notes
  where id = (select ?1)
) and note_id = (select ?1) and user_id <> (
  select author_id
  from notes
  where id = (select ?1)
)

-- Plan:
-- SEARCH participants USING PRIMARY KEY (issue_id=?)
-- SCALAR SUBQUERY
--   SEARCH notes USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH notes USING INTEGER PRIMARY KEY (rowid=?)
