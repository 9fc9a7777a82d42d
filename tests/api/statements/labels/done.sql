-- labels: done
-- Binds: ?1 project_id
-- Rows in the small world: 0 given, 1 written

delete from labels
where project_id = (select ?1) and title >= ',' and title < '-'
  and not exists (
  select 1
  from issue_labels b
  where b.label_id = labels.id
)

-- Plan:
-- SEARCH labels USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=? AND title>? AND title<?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH b USING COVERING INDEX issue_labels_of_label (label_id=?)
-- SEARCH issue_labels USING COVERING INDEX issue_labels_of_label (label_id=?)
