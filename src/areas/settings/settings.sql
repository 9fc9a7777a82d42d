-- piece: changed(column, member)
iif(:change -> {member} is null, {column}, :change ->> {member})

-- name: current
-- scope: caller
-- returns: SettingsRow
select s.* from caller c cross join settings s on s.id = 1;

-- name: expect_unmodified
-- Ends the batch if the settings were changed after :since.
insert into expectations (holds) select exists (select 1 from settings where id = 1 and updated_at <= :since);

-- name: update
-- returns: SettingsRow
-- Writes only the members of the JSON object :change, null included, so that a concurrent change of other settings
-- stays.
update settings
set updated_at = max(updated_at + 1, :now),
  default_projects_limit = {changed(default_projects_limit, '$.default_projects_limit')},
  signup_enabled = {changed(signup_enabled, '$.signup_enabled')},
  signin_enabled = {changed(signin_enabled, '$.signin_enabled')},
  avatar_enabled = {changed(avatar_enabled, '$.avatar_enabled')},
  sign_in_text = {changed(sign_in_text, '$.sign_in_text')},
  home_page_url = {changed(home_page_url, '$.home_page_url')},
  default_branch_protection = {changed(default_branch_protection, '$.default_branch_protection')},
  restricted_visibility_levels = {changed(restricted_visibility_levels, '$.restricted_visibility_levels')},
  max_attachment_size = {changed(max_attachment_size, '$.max_attachment_size')},
  session_expire_delay = {changed(session_expire_delay, '$.session_expire_delay')},
  default_project_visibility = {changed(default_project_visibility, '$.default_project_visibility')},
  default_snippet_visibility = {changed(default_snippet_visibility, '$.default_snippet_visibility')},
  domain_whitelist = {changed(domain_whitelist, '$.domain_whitelist')},
  domain_blacklist_enabled = {changed(domain_blacklist_enabled, '$.domain_blacklist_enabled')},
  domain_blacklist = {changed(domain_blacklist, '$.domain_blacklist')},
  user_oauth_applications = {changed(user_oauth_applications, '$.user_oauth_applications')},
  after_sign_out_path = {changed(after_sign_out_path, '$.after_sign_out_path')},
  container_registry_token_expire_delay = {changed(container_registry_token_expire_delay,
    '$.container_registry_token_expire_delay')},
  repository_storage = {changed(repository_storage, '$.repository_storage')},
  enabled_git_access_protocol = {changed(enabled_git_access_protocol, '$.enabled_git_access_protocol')},
  push_event_hooks_limit = {changed(push_event_hooks_limit, '$.push_event_hooks_limit')}
where id = 1
returning *;
