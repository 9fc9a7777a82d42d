-- The only record of application settings, with the defaults of the specification.
create table settings (
  id integer primary key check (id = 1),
  default_projects_limit integer not null default 10,
  signup_enabled integer not null default 1 check (signup_enabled in (0, 1)),
  signin_enabled integer not null default 1 check (signin_enabled in (0, 1)),
  avatar_enabled integer not null default 1 check (avatar_enabled in (0, 1)),
  sign_in_text text,
  home_page_url text,
  default_branch_protection integer not null default 2 check (default_branch_protection in (0, 1, 2)),
  -- JSON array of 0, 1, 2
  restricted_visibility_levels text not null default '[]',
  -- megabytes
  max_attachment_size integer not null default 10 check (max_attachment_size > 0),
  -- minutes
  session_expire_delay integer not null default 10080 check (session_expire_delay >= 0),
  default_project_visibility integer not null default 0 check (default_project_visibility in (0, 1, 2)),
  default_snippet_visibility integer not null default 0 check (default_snippet_visibility in (0, 1, 2)),
  -- JSON array of domain names, null until it is set
  domain_whitelist text,
  domain_blacklist_enabled integer not null default 0 check (domain_blacklist_enabled in (0, 1)),
  -- JSON array of domain names
  domain_blacklist text not null default '[]',
  user_oauth_applications integer not null default 1 check (user_oauth_applications in (0, 1)),
  after_sign_out_path text,
  -- minutes
  container_registry_token_expire_delay integer not null default 5 check (container_registry_token_expire_delay > 0),
  repository_storage text not null default 'default',
  -- null: both
  enabled_git_access_protocol text check (enabled_git_access_protocol in ('ssh', 'http')),
  created_at integer not null,
  updated_at integer not null,
  -- of one kind that a push makes, moves or removes, the most refs that hooks get
  push_event_hooks_limit integer not null default 50 check (push_event_hooks_limit >= 0)
) strict;
insert into settings (id, created_at, updated_at)
values (1, unixepoch() * 1000, unixepoch() * 1000);

-- Keeps an enabled blacklist from being empty, also if two requests change both at once. Clients get the text of this
-- error.
create trigger settings_blacklist_holds_a_domain before update on settings
when new.domain_blacklist_enabled = 1 and json_array_length(new.domain_blacklist) = 0 BEGIN
  select raise(abort, 'Domain blacklist cannot be empty if Blacklist is enabled.');
END;
