-- projects: list select
-- Binds: ?7 filter.search.as_deref(), ?8 filter.archived, ?9 visibility, ?10 past, ?11 offset, ?12 page.size + 1
-- Rows in the small world: 3 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  select json_array(json_array(p.id, p.name, p.path, p.full_name, p.full_path, p.description, p.visibility, p.default_branch,
    p.issues_enabled, p.builds_enabled, p.archived, p.creator_id, p.created_at, p.updated_at), json((
    select json_array(n.id, n.kind, n.path, coalesce(g.name, n.path), coalesce(g.description, ''), coalesce(g.created_at,
      (
      select u.created_at
      from users u
      where u.id = n.id
    )), json((
      select json_array(u.id, u.username, u.name, u.state, u.email)
      from users u
      where u.id = n.id
    )))
    from namespaces n
    left join groups g
    on g.id = n.id
    where n.id = p.namespace_id
  )), json((
    select json_array(c.opened, c.opened_hidden)
    from issue_counts c
    where c.project_id = p.id
  )), (
    select m.access
    from project_members m
    where m.user_id = (
      select id
      from caller
    ) and m.project_id = p.id
  ), (
    select m.access
    from group_members m
    where m.user_id = (
      select id
      from caller
    ) and m.group_id = p.namespace_id
  )) as v
  from caller
  cross join projects p
  where p.id > ?10 and caller.admin and p.deleted_at is null and p.visibility = coalesce(?9, p.visibility)
    and p.archived = coalesce(?8, p.archived) and (?7 is null or instr(lower(p.name), lower(?7)) or instr(lower(p.path),
    lower(?7)) or instr(lower(p.description), lower(?7)))
  order by p.id asc
  limit (select ?12) offset (select ?11)
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE (subquery)
--       SCAN caller
--       SEARCH p USING INTEGER PRIMARY KEY (rowid>?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--         CORRELATED SCALAR SUBQUERY
--           SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--         SCALAR SUBQUERY
--           SCAN caller
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--         SCALAR SUBQUERY
--           SCAN caller
--       USE TEMP B-TREE FOR ORDER BY
--     SCAN (subquery)
