-- Copies those behind the last that was copied.
-- Binds: ?1 issue_id, ?2 to
-- Rows in the small world: 0 given, 2 written

insert into participants (issue_id, user_id, note_id)
with recursive next(user_id) as (
  select min(p.user_id)
  from participants p
  where p.issue_id = (select ?1) and p.user_id > coalesce((
    select max(t.user_id)
    from participants t
    where t.issue_id = (
      select n.id
      from issues n
      where n.project_id = (select ?2) and n.iid = (
        select last_iid
        from issue_counts
        where project_id = (select ?2)
      )
    )
  ), -9007199254740992)
  union all
  select (
    select min(p.user_id)
    from participants p
    where p.issue_id = (select ?1) and p.user_id > next.user_id
  )
  from next
  where next.user_id is not null
  limit 1000
)
select (
  select n.id
  from issues n
  where n.project_id = (select ?2) and n.iid = (
    select last_iid
    from issue_counts
    where project_id = (select ?2)
  )
), user_id, 0
from next
where user_id is not null

-- Plan:
-- CO-ROUTINE next
--   SETUP
--     SEARCH p USING PRIMARY KEY (issue_id=? AND user_id>?)
--     SCALAR SUBQUERY
--       SEARCH t USING PRIMARY KEY (issue_id=?)
--       SCALAR SUBQUERY
--         SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--         SCALAR SUBQUERY
--           SEARCH issue_counts USING INTEGER PRIMARY KEY (rowid=?)
--   RECURSIVE STEP
--     SCAN next
--     CORRELATED SCALAR SUBQUERY
--       SEARCH p USING PRIMARY KEY (issue_id=? AND user_id>?)
-- SCAN next
-- SCALAR SUBQUERY
--   SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--   SCALAR SUBQUERY
--     SEARCH issue_counts USING INTEGER PRIMARY KEY (rowid=?)
