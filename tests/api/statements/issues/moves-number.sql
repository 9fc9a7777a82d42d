-- issues: moves number
-- Binds: ?1 to
-- Rows in the small world: 0 given, 1 written

update issue_counts
set last_iid = last_iid + 1
where project_id = (select ?1)

-- Plan:
-- SEARCH issue_counts USING INTEGER PRIMARY KEY (rowid=?)
