-- Takes off the labels `?2`; with `?3` all but these.
-- Binds: ?1 self.row.id, ?2 off, ?3 all_but
-- Rows in the small world: 0 given, 10 written

delete from issue_labels
where issue_id = (select ?1) and (label_id in (
  select l.id
  from issues i
  cross join json_each(?2) named
  cross join labels l
  on l.project_id = i.project_id and l.title = named.value
  where i.id = (select ?1)
)) <> (select ?3)

-- Plan:
-- SEARCH issue_labels USING PRIMARY KEY (issue_id=?)
-- LIST SUBQUERY
--   SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
--   SCAN named VIRTUAL TABLE INDEX 1:
--   SEARCH l USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?)
--   CREATE BLOOM FILTER
