-- Pieces that every `.sql` file may use, and how statements with a scope begin (ARCHITECTURE.md, Authorization).

-- piece: project_scope
-- ?1 key of the caller, ?2 now, ?3 id or path of the project, ?4 least access, ?5 least visibility, ?6 allowed scopes of tokens,
-- ?7 least access to confidential issues.
with place as materialized (select * from project_access where key = (select ?1) and expires_at > ?2 and project_id =
  ifnull((select id from projects where path_key = ?3), ?3)
), scope as materialized (select *, ?2 as now, access >= ?7 as reads_confidential from place
  where (access >= ?4 or visibility >= ?5) and scopes & ?6 and (access > 0 or token_project_id is null))

-- piece: group_scope
-- The same binds.
with place as materialized (select * from group_access where key = (select ?1) and expires_at > ?2 and group_id =
  ifnull((select id from namespaces where path_key = ?3), ?3)
), scope as materialized (select *, ?2 as now, access >= ?7 as reads_confidential from place
  where (access >= ?4 or visibility >= ?5) and scopes & ?6 and (access > 0 or token_project_id is null))

-- piece: caller_scope
-- ?1 key of the caller, ?2 now, ?3 allowed scopes of tokens, ?4 1 if only administrators may, ?5 least access to confidential issues.
with caller as materialized (
  select c.*, ?2 as now, ?5 as confidential_level from callers c
  where c.key = (select ?1) and c.expires_at > ?2 and c.scopes & ?3 and (c.admin or not ?4))
