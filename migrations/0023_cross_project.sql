-- 1: commits that this hook pushes also close and mention issues of other projects, where the maker of the token may edit them
alter table tokens add column cross_project integer not null default 0 check (cross_project in (0, 1));

drop view token_rows;
create view token_rows as
select id, kind, user_id, project_id, name, created_at, expires_at, revoked_at, bot_id, scopes, access, cross_project from tokens;
