-- issues: moves copy labels
-- Binds: ?1 issue_id, ?2 to
-- Rows in the small world: 0 given, 0 written

insert into issue_labels (issue_id, label_id)
select n.id, t.id
from issue_labels b
join labels l
on l.id = b.label_id
join labels t
on t.project_id = (select ?2) and t.title = l.title
join issues n
on n.id = (
  select n.id
  from issues n
  where n.project_id = (select ?2) and n.iid = (
    select last_iid
    from issue_counts
    where project_id = (select ?2)
  )
)
where b.issue_id = (select ?1)

-- Plan:
-- SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--   SCALAR SUBQUERY
--     SEARCH issue_counts USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH b USING PRIMARY KEY (issue_id=?)
-- SEARCH l USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH t USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?)
