-- issues: delete delete issue labels
-- Binds: ?1 issue_id
-- Rows in the small world: 0 given, 41 written

delete from issue_labels
where issue_id = (select ?1)

-- Plan:
-- SEARCH issue_labels USING PRIMARY KEY (issue_id=?)
