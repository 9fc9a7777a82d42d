-- retention: delete issue labels
-- Rows in the small world: 0 given, 13 written

delete from issue_labels
where issue_id in (
  select i.id
  from issues i
  where i.project_id = (
    select min(project_id)
    from project_remains
  )
  order by i.iid
  limit 5
)

-- Plan:
-- SEARCH issue_labels USING PRIMARY KEY (issue_id=?)
-- LIST SUBQUERY
--   SEARCH i USING COVERING INDEX issues_number (project_id=?)
--   SCALAR SUBQUERY
--     SEARCH project_remains
