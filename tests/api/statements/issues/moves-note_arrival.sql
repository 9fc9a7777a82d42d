-- issues: moves note arrival
-- Binds: ?1 issue_id, ?2 to, ?3 user_id, ?4 now, ?5 arrival
-- Rows in the small world: 0 given, 2 written

insert into notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)
select ?2, (
  select n.id
  from issues n
  where n.project_id = (select ?2) and n.iid = (
    select last_iid
    from issue_counts
    where project_id = (select ?2)
  )
), ?3, ?5, 1, p.full_path || '#' || i.iid, p.id, ?4, ?4
from issues i
join projects p
on p.id = i.project_id
where i.id = (select ?1)

-- Plan:
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--   SCALAR SUBQUERY
--     SEARCH issue_counts USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH todos USING COVERING INDEX todos_of_note (note_id=?)
