-- name: current
-- scope: caller
-- returns: SettingsRow
select s.* from caller c cross join settings s on s.id = 1

-- name: expect_unmodified
-- Ends the batch if the settings were changed after :since.
insert into expectations (holds) select exists (select 1 from settings where id = 1 and updated_at <= :since)

-- name: update
-- returns: SettingsRow
-- Writes only the members of the JSON object :change, null included, so that a concurrent change of other settings
-- stays.
update settings
set updated_at = max(updated_at + 1, :now),
  default_projects_limit = iif(:change -> '$.default_projects_limit' is null, default_projects_limit,
    :change ->> '$.default_projects_limit'),
  signup_enabled = iif(:change -> '$.signup_enabled' is null, signup_enabled, :change ->> '$.signup_enabled'),
  signin_enabled = iif(:change -> '$.signin_enabled' is null, signin_enabled, :change ->> '$.signin_enabled'),
  avatar_enabled = iif(:change -> '$.avatar_enabled' is null, avatar_enabled, :change ->> '$.avatar_enabled'),
  sign_in_text = iif(:change -> '$.sign_in_text' is null, sign_in_text, :change ->> '$.sign_in_text'),
  home_page_url = iif(:change -> '$.home_page_url' is null, home_page_url, :change ->> '$.home_page_url'),
  default_branch_protection = iif(:change -> '$.default_branch_protection' is null, default_branch_protection,
    :change ->> '$.default_branch_protection'),
  restricted_visibility_levels = iif(:change -> '$.restricted_visibility_levels' is null, restricted_visibility_levels,
    :change ->> '$.restricted_visibility_levels'),
  max_attachment_size = iif(:change -> '$.max_attachment_size' is null, max_attachment_size,
    :change ->> '$.max_attachment_size'),
  session_expire_delay = iif(:change -> '$.session_expire_delay' is null, session_expire_delay,
    :change ->> '$.session_expire_delay'),
  default_project_visibility = iif(:change -> '$.default_project_visibility' is null, default_project_visibility,
    :change ->> '$.default_project_visibility'),
  default_snippet_visibility = iif(:change -> '$.default_snippet_visibility' is null, default_snippet_visibility,
    :change ->> '$.default_snippet_visibility'),
  domain_whitelist = iif(:change -> '$.domain_whitelist' is null, domain_whitelist, :change ->> '$.domain_whitelist'),
  domain_blacklist_enabled = iif(:change -> '$.domain_blacklist_enabled' is null, domain_blacklist_enabled,
    :change ->> '$.domain_blacklist_enabled'),
  domain_blacklist = iif(:change -> '$.domain_blacklist' is null, domain_blacklist, :change ->> '$.domain_blacklist'),
  user_oauth_applications = iif(:change -> '$.user_oauth_applications' is null, user_oauth_applications,
    :change ->> '$.user_oauth_applications'),
  after_sign_out_path = iif(:change -> '$.after_sign_out_path' is null, after_sign_out_path,
    :change ->> '$.after_sign_out_path'),
  container_registry_token_expire_delay = iif(:change -> '$.container_registry_token_expire_delay' is null,
    container_registry_token_expire_delay, :change ->> '$.container_registry_token_expire_delay'),
  repository_storage = iif(:change -> '$.repository_storage' is null, repository_storage,
    :change ->> '$.repository_storage'),
  enabled_git_access_protocol = iif(:change -> '$.enabled_git_access_protocol' is null, enabled_git_access_protocol,
    :change ->> '$.enabled_git_access_protocol'),
  push_event_hooks_limit = iif(:change -> '$.push_event_hooks_limit' is null, push_event_hooks_limit,
    :change ->> '$.push_event_hooks_limit')
where id = 1
returning *
