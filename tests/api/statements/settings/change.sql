-- Changes the settings that are members of `?1`, and no other: a change of another field at the same time stays.
-- Binds: ?1 change.text(), ?2 now
-- Rows in the small world: 1 given, 1 written

update settings
set default_projects_limit = iif(?1 -> '$.default_projects_limit' is null, default_projects_limit, ?1 ->> '$.default_projects_limit'),
  signup_enabled = iif(?1 -> '$.signup_enabled' is null, signup_enabled, ?1 ->> '$.signup_enabled'), signin_enabled = iif(?1 -> '$.signin_enabled' is null,
  signin_enabled, ?1 ->> '$.signin_enabled'), avatar_enabled = iif(?1 -> '$.avatar_enabled' is null, avatar_enabled,
  ?1 ->> '$.avatar_enabled'), sign_in_text = iif(?1 -> '$.sign_in_text' is null, sign_in_text, ?1 ->> '$.sign_in_text'),
  home_page_url = iif(?1 -> '$.home_page_url' is null, home_page_url, ?1 ->> '$.home_page_url'), default_branch_protection = iif(?1 -> '$.default_branch_protection' is null,
  default_branch_protection, ?1 ->> '$.default_branch_protection'), restricted_visibility_levels = iif(?1 -> '$.restricted_visibility_levels' is null,
  restricted_visibility_levels, ?1 ->> '$.restricted_visibility_levels'), max_attachment_size = iif(?1 -> '$.max_attachment_size' is null,
  max_attachment_size, ?1 ->> '$.max_attachment_size'), session_expire_delay = iif(?1 -> '$.session_expire_delay' is null,
  session_expire_delay, ?1 ->> '$.session_expire_delay'), default_project_visibility = iif(?1 -> '$.default_project_visibility' is null,
  default_project_visibility, ?1 ->> '$.default_project_visibility'), default_snippet_visibility = iif(?1 -> '$.default_snippet_visibility' is null,
  default_snippet_visibility, ?1 ->> '$.default_snippet_visibility'), domain_whitelist = iif(?1 -> '$.domain_whitelist' is null,
  domain_whitelist, ?1 ->> '$.domain_whitelist'), domain_blacklist_enabled = iif(?1 -> '$.domain_blacklist_enabled' is null,
  domain_blacklist_enabled, ?1 ->> '$.domain_blacklist_enabled'), domain_blacklist = iif(?1 -> '$.domain_blacklist' is null,
  domain_blacklist, ?1 ->> '$.domain_blacklist'), user_oauth_applications = iif(?1 -> '$.user_oauth_applications' is null,
  user_oauth_applications, ?1 ->> '$.user_oauth_applications'), after_sign_out_path = iif(?1 -> '$.after_sign_out_path' is null,
  after_sign_out_path, ?1 ->> '$.after_sign_out_path'), container_registry_token_expire_delay = iif(?1 -> '$.container_registry_token_expire_delay' is null,
  container_registry_token_expire_delay, ?1 ->> '$.container_registry_token_expire_delay'), repository_storage = iif(?1 -> '$.repository_storage' is null,
  repository_storage, ?1 ->> '$.repository_storage'), enabled_git_access_protocol = iif(?1 -> '$.enabled_git_access_protocol' is null,
  enabled_git_access_protocol, ?1 ->> '$.enabled_git_access_protocol'), updated_at = ?2
where id = 1
returning json_object('id', id, 'created_at', created_at, 'updated_at', updated_at, 'default_projects_limit', default_projects_limit,
  'signup_enabled', signup_enabled, 'signin_enabled', signin_enabled, 'avatar_enabled', avatar_enabled, 'sign_in_text',
  sign_in_text, 'home_page_url', home_page_url, 'default_branch_protection', default_branch_protection, 'restricted_visibility_levels',
  json(restricted_visibility_levels), 'max_attachment_size', max_attachment_size, 'session_expire_delay', session_expire_delay,
  'default_project_visibility', default_project_visibility, 'default_snippet_visibility', default_snippet_visibility,
  'domain_whitelist', json(domain_whitelist), 'domain_blacklist_enabled', domain_blacklist_enabled, 'domain_blacklist',
  json(domain_blacklist), 'user_oauth_applications', user_oauth_applications, 'after_sign_out_path', after_sign_out_path,
  'container_registry_token_expire_delay', container_registry_token_expire_delay, 'repository_storage', repository_storage,
  'enabled_git_access_protocol', enabled_git_access_protocol) as v

-- Plan:
-- SEARCH settings USING INTEGER PRIMARY KEY (rowid=?)
