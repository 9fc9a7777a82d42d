-- notes: creation insert idempotency keys
-- Binds: ?7 issue, ?8 levels
-- Rows in the small world: 0 given, 1 written

-- call/write_head.sql
issues_enabled and (access < (select ?8 ->> 1) or (select ?8 ->> 2))
  and exists (
  select 1
  from issues i
  where i.id = coalesce(?7 ->> 0, (
    select n.id
    from issues n
    where n.iid = (select ?7 ->> 1) and n.project_id = coalesce(?5 ->> 0, (
      select y.id
      from projects y
      where y.path_key = (select ?5 ->> 1)
    ))
  )) and i.project_id = resource.project_id and i.deleted_at is null
    and (i.confidential = 0 or resource.access >= (select ?8 ->> 0) or resource.user_id in (i.author_id, i.assignee_id))
    and (resource.access > 0 or i.discussion_locked is not 1)
) )
insert into idempotency_keys (user_id, key, digest, answer, created_at)
select k.user_id, (select ?6 ->> 3), ?9, json_object('base', ?10, 'avatars', (
  select avatar_enabled
  from settings
), 'row', json((
  select json_array(n.id, n.project_id, n.issue_id, json((
    select json_array(u.id, u.username, u.name, u.state, u.email)
    from users u
    where u.id = n.author_id
  )), n.body, n.system, n.created_at, n.updated_at) as v
  from notes n
  where n.id = (
    select max(k.id)
    from notes k
    where k.issue_id = (
      select coalesce(?7 ->> 0, (
        select n.id
        from issues n
        where n.iid = (select ?7 ->> 1) and n.project_id = coalesce(?5 ->> 0, (
          select y.id
          from projects y
          where y.path_key = (select ?5 ->> 1)
        ))
      ))
      from scope
    )
  )
))), ?4
from scope k
where true
on conflict (user_id, key) do update set digest = excluded.digest, answer = excluded.answer, record_id = excluded.record_id,
  created_at = excluded.created_at

-- Plan:
-- SCAN k
-- SCALAR SUBQUERY
--   SCAN settings
-- SCALAR SUBQUERY
--   SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--   SCALAR SUBQUERY
--     SEARCH k USING COVERING INDEX notes_of_issue (issue_id=?)
--     SCALAR SUBQUERY
--       SCAN scope
--       SCALAR SUBQUERY
--         SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--         SCALAR SUBQUERY
--           SEARCH y USING COVERING INDEX sqlite_autoindex_projects_1 (path_key=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
