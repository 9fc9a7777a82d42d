-- People, their tokens and memberships as statements read them.

-- Tokens without what they open with.
create view token_rows as
select id, kind, user_id, project_id, name, created_at, expires_at, revoked_at, bot_id, scopes, access from tokens;

-- Users with all that a profile shows.
create view profile_rows as
select id, username, name, state, email, created_at, admin, external, bio, location, skype, linkedin, twitter, website_url,
  coalesce(projects_limit, (select default_projects_limit from settings where id = 1)) as projects_limit, projects_count
from users;
