-- Those with ids above `?3`, to `?4`.
-- Binds: ?1 issue_id, ?2 to, ?3 after, ?4 end
-- Rows in the small world: 0 given, 16 written

insert into notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)
select ?2, (
  select n.id
  from issues n
  where n.project_id = (select ?2) and n.iid = (
    select last_iid
    from issue_counts
    where project_id = (select ?2)
  )
), author_id, body, system, reference, reference_project_id, created_at, updated_at
from notes
where issue_id = (select ?1) and id > (select ?3) and id <= (select ?4)
order by id

-- Plan:
-- SEARCH notes USING INDEX notes_of_issue (issue_id=? AND id>? AND id<?)
-- SCALAR SUBQUERY
--   SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--   SCALAR SUBQUERY
--     SEARCH issue_counts USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH todos USING COVERING INDEX todos_of_note (note_id=?)
