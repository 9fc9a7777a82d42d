-- Changes the user `?1`.
-- Binds: ?1 user_id, ?2 change.email.as_deref(), ?3 change.email.as_ref().map(|email| email.to_lowercase()), ?4
--   change.name.as_deref(), ?5 change.username.as_deref(), ?6 change.admin, ?7 change.bio, ?8 change.location, ?9
--   change.skype, ?10 change.linkedin, ?11 change.twitter, ?12 change.website_url, ?13 change.limit_is_given, ?14
--   change.projects_limit, ?15 change.external
-- Rows in the small world: 0 given, 1 written

update users
set email = coalesce(?2, email), email_key = coalesce(?3, email_key), name = coalesce(?4, name), username = coalesce(?5,
  username), admin = coalesce(?6, admin), bio = nullif(coalesce(?7, bio), ''), location = nullif(coalesce(?8, location),
  ''), skype = coalesce(?9, skype), linkedin = coalesce(?10, linkedin), twitter = coalesce(?11, twitter), website_url = coalesce(?12,
  website_url), projects_limit = iif(?13, ?14, projects_limit), external = coalesce(?15, external)
where id = (select ?1)

-- Plan:
-- SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
