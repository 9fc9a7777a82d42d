-- issues: moves copy participants
-- Binds: ?1 issue_id, ?2 to
-- Rows in the small world: 0 given, 2 written

insert into participants (issue_id, user_id, note_id)
select distinct (
  select n.id
  from issues n
  where n.project_id = (select ?2) and n.iid = (
    select last_iid
    from issue_counts
    where project_id = (select ?2)
  )
), user_id, 0
from participants
where issue_id = (select ?1)

-- Plan:
-- SEARCH participants USING PRIMARY KEY (issue_id=?)
-- SCALAR SUBQUERY
--   SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--   SCALAR SUBQUERY
--     SEARCH issue_counts USING INTEGER PRIMARY KEY (rowid=?)
-- USE TEMP B-TREE FOR DISTINCT
