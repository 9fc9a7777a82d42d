-- issues: moves close
-- Binds: ?1 issue_id, ?2 to, ?3 now, ?4 user_id
-- Rows in the small world: 0 given, 57 written

update issues
set state = 'closed', closed_at = iif(state = 'closed', closed_at, ?3), closed_by_id = iif(state = 'closed', closed_by_id,
  ?4), moved_to_id = (
  select n.id
  from issues n
  where n.project_id = (select ?2) and n.iid = (
    select last_iid
    from issue_counts
    where project_id = (select ?2)
  )
), updated_at = ?3
where id = (select ?1)

-- Plan:
-- SEARCH issues USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--   SCALAR SUBQUERY
--     SEARCH issue_counts USING INTEGER PRIMARY KEY (rowid=?)
