-- Takes off the labels that are not among `?2`.
-- Binds: ?1 self.row.id, ?2 names
-- Rows in the small world: 0 given, 10 written

delete from issue_labels
where issue_id = (select ?1) and label_id not in (
  select l.id
  from issues i
  cross join json_each(?2) named
  cross join labels l
  on l.project_id = i.project_id and l.title = named.value
  where i.id = (select ?1)
)

-- Plan:
-- SEARCH issue_labels USING PRIMARY KEY (issue_id=?)
-- LIST SUBQUERY
--   SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
--   SCAN named VIRTUAL TABLE INDEX 1:
--   SEARCH l USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?)
--   CREATE BLOOM FILTER
