-- Makes the user of that name.
-- Binds: ?1 key.as_str(), ?2 new.name, ?3 new.email.as_str(), ?4 new.email.to_lowercase(), ?5 new.admin, ?6 new.bio,
--   ?7 new.location, ?8 new.skype, ?9 new.linkedin, ?10 new.twitter, ?11 new.website_url, ?12 new.projects_limit, ?13
--   now, ?14 new.external
-- Rows in the small world: 0 given, 1 written

insert into users (id, username, name, email, email_key, admin, bio, location, skype, linkedin, twitter, website_url,
  projects_limit, created_at, external)
select id, path, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14
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
