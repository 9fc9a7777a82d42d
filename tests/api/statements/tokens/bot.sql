-- That user, who sees no more than anybody without an account beyond the project.
-- Binds: ?1 bot.as_str(), ?2 name.as_str(), ?3 now
-- Rows in the small world: 0 given, 1 written

insert into users (id, username, name, email, email_key, external, projects_limit, created_at)
select id, path, ?2 || ' (token)', path || '@noreply.invalid', path || '@noreply.invalid', 1, 0, ?3
from namespaces
where path_key = (select ?1)

-- Plan:
-- SEARCH namespaces USING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
-- SEARCH hourly_writes USING INTEGER PRIMARY KEY (rowid=?)
-- SCAN tokens
-- SEARCH tokens USING INDEX tokens_of_user (user_id=?)
-- SEARCH idempotency_keys USING PRIMARY KEY (user_id=?)
-- SCAN deployments
-- SCAN statuses
-- SCAN commit_comments
-- SCAN todos USING COVERING INDEX todos_by_author
-- SEARCH todos USING COVERING INDEX todos_by_project (user_id=?)
-- SCAN participants
-- SCAN notes
-- SCAN subscriptions
-- SEARCH issue_authors USING PRIMARY KEY (author_id=?)
-- SCAN issues
-- SCAN issues
-- SCAN issues
-- SEARCH project_members USING PRIMARY KEY (user_id=?)
-- SCAN projects
-- SEARCH group_members USING PRIMARY KEY (user_id=?)
