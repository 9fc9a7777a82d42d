-- People, their tokens and memberships as statements read them.

-- Tokens without what they open with.
create view token_rows as
select id, kind, user_id, project_id, name, created_at, expires_at, revoked_at, bot_id, scopes, access from tokens;
