-- labels: remove
-- Binds: ?1 project_id, ?2 PORTION
-- Rows in the small world: 0 given, 0 written

delete from issue_labels
where (issue_id, label_id) in (
  select issue_id, label_id
  from issue_labels
  where label_id = (
    select id
    from labels
    where project_id = (select ?1) and title >= ',' and title < '-'
    order by title
    limit 1
  )
  limit (select ?2)
)

-- Plan:
-- SEARCH issue_labels USING PRIMARY KEY (issue_id=? AND label_id=?)
-- LIST SUBQUERY
--   SEARCH issue_labels USING COVERING INDEX issue_labels_of_label (label_id=?)
--   SCALAR SUBQUERY
--     SEARCH labels USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=? AND title>? AND title<?)
