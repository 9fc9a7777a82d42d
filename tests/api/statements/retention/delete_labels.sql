-- retention: delete labels
-- Rows in the small world: 0 given, 2 written

delete from labels
where id in (
  select l.id
  from labels l
  where l.project_id = (
    select min(project_id)
    from project_remains
  )
  limit 100
)

-- Plan:
-- SEARCH labels USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH l USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=?)
--   SCALAR SUBQUERY
--     SEARCH project_remains
-- SEARCH issue_labels USING COVERING INDEX issue_labels_of_label (label_id=?)
