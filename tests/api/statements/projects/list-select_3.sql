-- projects: list select
-- Binds: ?7 filter.search.as_deref(), ?8 filter.archived, ?9 visibility, ?10 past, ?11 offset, ?12 page.size + 1
-- Rows in the small world: 3 given, 0 written

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
          select id
          from (
            select p.id
            from projects p
            where p.visibility = iif(c.sees_from <= 10, 10, null)
              and p.id < ?10 and p.deleted_at is null and p.visibility = coalesce(?9, p.visibility)
              and p.archived = coalesce(?8, p.archived) and (?7 is null or instr(lower(p.name), lower(?7)) or instr(lower(p.path),
              lower(?7)) or instr(lower(p.description), lower(?7)))
            order by p.id desc
            limit (select ?11 + ?12)
          )
          union
          select id
          from (
            select p.id
            from projects p
            where p.visibility = 20 and p.id < ?10 and p.deleted_at is null
              and p.visibility = coalesce(?9, p.visibility) and p.archived = coalesce(?8, p.archived)
              and (?7 is null or instr(lower(p.name), lower(?7)) or instr(lower(p.path), lower(?7)) or instr(lower(p.description),
              lower(?7)))
            order by p.id desc
            limit (select ?11 + ?12)
          )
          union
          select id
          from (
            select p.id
            from project_members m
            cross join projects p
            on p.id = m.project_id
            where m.user_id = c.id and p.id < ?10 and p.deleted_at is null
              and p.visibility = coalesce(?9, p.visibility) and p.archived = coalesce(?8, p.archived)
              and (?7 is null or instr(lower(p.name), lower(?7)) or instr(lower(p.path), lower(?7)) or instr(lower(p.description),
              lower(?7)))
            order by p.id desc
            limit (select ?11 + ?12)
          )
          union
          select e.value
          from (
            select c.id as id
            union all
            select m.group_id
            from group_members m
            where m.user_id = c.id
          ) own
          cross join json_each((
            select json_group_array(id)
            from (
              select x.id
              from projects x
              where x.namespace_id = own.id and x.id < ?10 and x.deleted_at is null
                and x.visibility = coalesce(?9, x.visibility)
                and x.archived = coalesce(?8, x.archived) and (?7 is null or instr(lower(x.name), lower(?7)) or instr(lower(x.path),
                lower(?7)) or instr(lower(x.description), lower(?7)))
              order by x.id desc
              limit (select ?11 + ?12)
            )
          )) e
        )
        order by id desc
        limit (select ?12) offset (select ?11)
      )
    ) as ids
    from caller c
  )
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
    where m.user_id = page.user_id and m.project_id = p.id
  ), (
    select m.access
    from group_members m
    where m.user_id = page.user_id and m.group_id = p.namespace_id
  )) as v
  from page
  cross join json_each(page.ids) d
  cross join projects p
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
--             MERGE (UNION)
--               LEFT
--                 MERGE (UNION)
--                   LEFT
--                     CO-ROUTINE (subquery)
--                       SEARCH p USING INDEX projects_by_visibility (visibility=? AND id<?)
--                     SCAN (subquery)
--                     USE TEMP B-TREE FOR ORDER BY
--                   RIGHT
--                     CO-ROUTINE (subquery)
--                       SEARCH p USING INDEX projects_by_visibility (visibility=? AND id<?)
--                     SCAN (subquery)
--                     USE TEMP B-TREE FOR ORDER BY
--               RIGHT
--                 MERGE (UNION)
--                   LEFT
--                     CO-ROUTINE (subquery)
--                       SEARCH m USING PRIMARY KEY (user_id=? AND project_id<?)
--                       SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--                       USE TEMP B-TREE FOR ORDER BY
--                     SCAN (subquery)
--                     USE TEMP B-TREE FOR ORDER BY
--                   RIGHT
--                     CO-ROUTINE own
--                       COMPOUND QUERY
--                         UNION ALL
--                           SEARCH m USING PRIMARY KEY (user_id=?)
--                     SCAN own
--                     SCAN e VIRTUAL TABLE INDEX 1:
--                     CORRELATED SCALAR SUBQUERY
--                       CO-ROUTINE (subquery)
--                         SEARCH x USING INDEX projects_of_namespace (namespace_id=? AND id<?)
--                       SCAN (subquery)
--                     USE TEMP B-TREE FOR ORDER BY
--           SCAN (subquery)
--           USE TEMP B-TREE FOR ORDER BY
--         SCAN (subquery)
--     SCAN page
--     SCAN d VIRTUAL TABLE INDEX 1:
--     SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
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
