-- Makes the project, unless its namespace has the `?10` projects that it may hold.
-- Binds: ?1 draft.namespace_id, ?2 draft.creator_id, ?3 draft.name, ?4 draft.path, ?5 draft.description, ?6
--   draft.visibility, ?7 draft.issues_enabled, ?8 draft.builds_enabled, ?9 draft.now, ?10 limit
-- Rows in the small world: 1 given, 2 written

insert into projects (namespace_id, creator_id, name, path, full_path, path_key, full_name, description, visibility,
  issues_enabled, builds_enabled, created_at, updated_at)
select n.id, ?2, ?3, ?4, n.path || '/' || ?4, lower(n.path || '/' || ?4), coalesce(g.name, u.name) || ' / ' || ?3,
  ?5, ?6, ?7, ?8, ?9, ?9
from namespaces n
left join groups g
on g.id = n.id
left join users u
on u.id = n.id
where n.id = (select ?1) and n.path <> '/' and (?10 is null or u.projects_count < (select ?10))
returning json_quote(id) as v

-- Plan:
-- SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
-- SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
-- SEARCH project_remains USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH removed_numbers USING PRIMARY KEY (project_id=?)
-- SEARCH branch_counts USING PRIMARY KEY (project_id=?)
-- SEARCH tokens USING INDEX tokens_of_project (project_id=?)
-- SEARCH deployments USING COVERING INDEX sqlite_autoindex_deployments_1 (project_id=?)
-- SEARCH environments USING COVERING INDEX sqlite_autoindex_environments_2 (project_id=?)
-- SCAN statuses
-- SCAN commit_comments
-- SEARCH staged_swaps USING PRIMARY KEY (project_id=?)
-- SEARCH branch_queue USING COVERING INDEX branch_queue_in_order (project_id=?)
-- SEARCH forgotten_commits USING COVERING INDEX forgotten_commits_of_project (project_id=?)
-- SEARCH mirrors USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH refs USING PRIMARY KEY (project_id=?)
-- SEARCH commits USING COVERING INDEX commits_by_sha (project_id=?)
-- SCAN todos USING COVERING INDEX todos_by_project
-- SCAN notes
-- SCAN notes
-- SCAN issue_authors
-- SEARCH issues USING COVERING INDEX issues_number (project_id=?)
-- SEARCH milestones USING COVERING INDEX sqlite_autoindex_milestones_1 (project_id=?)
-- SEARCH labels USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=?)
-- SEARCH issue_counts USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH project_members USING INDEX project_members_of_project (project_id=?)
