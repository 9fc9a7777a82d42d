-- projects: own select
-- Binds: ?7 filter.search.as_deref(), ?8 filter.archived, ?9 visibility, ?10 key, ?11 id, ?12 offset, ?13 page.size +
--   1
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  with page as materialized (
    select c.id as user_id, (
      select json_group_array(id)
      from (
        select id
        from (
          select id, k
          from (
            select p.id, lower(p.path) as k
            from projects p
            where p.namespace_id = c.id and lower(p.path) <= (select ?10)
              and (lower(p.path) < (select ?10) or p.id < (select ?11))
              and p.deleted_at is null and p.visibility = coalesce(?9, p.visibility)
              and p.archived = coalesce(?8, p.archived) and (?7 is null or instr(lower(p.name), lower(?7)) or instr(lower(p.path),
              lower(?7)) or instr(lower(p.description), lower(?7)))
            order by lower(p.path) desc, p.id desc
            limit (select ?12 + ?13)
          )
        )
        order by k desc, id desc
        limit (select ?13) offset (select ?12)
      )
    ) as ids, iif(?7 is null and ?8 is null and ?9 is null, (
      select u.projects_count
      from users u
      where u.id = c.id
    ), (
      select iif(count(*) > 10000, null, count(*))
      from (
        select 1
        from (
          select id
          from projects
          where namespace_id = c.id
        ) w
        cross join projects p
        on p.id = w.id
        where p.deleted_at is null and p.visibility = coalesce(?9, p.visibility)
          and p.archived = coalesce(?8, p.archived) and (?7 is null or instr(lower(p.name), lower(?7)) or instr(lower(p.path),
          lower(?7)) or instr(lower(p.description), lower(?7)))
        limit 10001
      )
    )) as total
    from caller c
  )
  select iif(d.value = 0, json_object('total', page.total), json_object('project', json(json_array(json_array(p.id,
    p.name, p.path, p.full_name, p.full_path, p.description, p.visibility, p.default_branch, p.issues_enabled, p.builds_enabled,
    p.archived, p.creator_id, p.created_at, p.updated_at), json((
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
    where m.user_id = page.user_id and m.project_id = p.id
  ), (
    select m.access
    from group_members m
    where m.user_id = page.user_id and m.group_id = p.namespace_id
  ))))) as v
  from page
  cross join json_each(json_insert(page.ids, '$[#]', 0)) d
  left join projects p
  on p.id = d.value
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     MATERIALIZE page
--       SCAN c
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE (subquery)
--           CO-ROUTINE (subquery)
--             SEARCH p USING INDEX projects_by_path (namespace_id=? AND <expr><?)
--           SCAN (subquery)
--         SCAN (subquery)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE (subquery)
--           SEARCH projects USING COVERING INDEX projects_of_namespace (namespace_id=?)
--           SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--         SCAN (subquery)
--     SCAN page
--     SCAN d VIRTUAL TABLE INDEX 1:
--     SEARCH p USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     CORRELATED SCALAR SUBQUERY
--       SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--       SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       CORRELATED SCALAR SUBQUERY
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
