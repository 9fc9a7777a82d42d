-- What are the settings now?
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select json_object('id', id, 'created_at', created_at, 'updated_at', updated_at, 'default_projects_limit', default_projects_limit,
  'signup_enabled', signup_enabled, 'signin_enabled', signin_enabled, 'avatar_enabled', avatar_enabled, 'sign_in_text',
  sign_in_text, 'home_page_url', home_page_url, 'default_branch_protection', default_branch_protection, 'restricted_visibility_levels',
  json(restricted_visibility_levels), 'max_attachment_size', max_attachment_size, 'session_expire_delay', session_expire_delay,
  'default_project_visibility', default_project_visibility, 'default_snippet_visibility', default_snippet_visibility,
  'domain_whitelist', json(domain_whitelist), 'domain_blacklist_enabled', domain_blacklist_enabled, 'domain_blacklist',
  json(domain_blacklist), 'user_oauth_applications', user_oauth_applications, 'after_sign_out_path', after_sign_out_path,
  'container_registry_token_expire_delay', container_registry_token_expire_delay, 'repository_storage', repository_storage,
  'enabled_git_access_protocol', enabled_git_access_protocol)
from settings
where (
  select id
  from caller
) is not null

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN settings
--     SCALAR SUBQUERY
--       SCAN caller
