-- The group that was asked for, and the first hundred of its projects that the caller may see.
-- Rows in the small world: 2 given, 0 written

-- call/group_head.sql
union all
select v
from (
  with shown as materialized (
    select s.user_id, s.group_id, (
      select json_group_array(id)
      from (
        select id
        from (
          select id
          from (
            select id
            from projects
            where namespace_id = iif(s.access > 0, s.group_id, null)
              and deleted_at is null
            order by id
            limit 100
          )
          union
          select id
          from (
            select id
            from projects indexed by projects_of_namespace_by_visibility
            where namespace_id = iif(s.access = 0, s.group_id, null)
              and visibility = 20 and deleted_at is null
            order by id
            limit 100
          )
          union
          select id
          from (
            select id
            from projects indexed by projects_of_namespace_by_visibility
            where namespace_id = iif(s.access = 0 and s.sees_from <= 10, s.group_id, null)
              and visibility = 10 and deleted_at is null
            order by id
            limit 100
          )
          union
          select id
          from (
            select h.id
            from project_members m
            cross join projects h
            on h.id = m.project_id
            where m.user_id = iif(s.access = 0, s.user_id, null)
              and h.namespace_id = s.group_id and h.deleted_at is null
            order by h.id
            limit 100
          )
        )
        order by id
        limit 100
      )
    ) as ids
    from scope s
  )
  select iif(d.value = 0, (
    select json_object('group', json_array(g.id, g.name, g.path, g.description, g.visibility, g.created_at, (
      select default_branch_protection
      from settings
    )))
    from groups g
    where g.id = shown.group_id
  ), json_object('project', json(json_array(json_array(p.id, p.name, p.path, p.full_name, p.full_path, p.description,
    p.visibility, p.default_branch, p.issues_enabled, p.builds_enabled, p.archived, p.creator_id, p.created_at,
    p.updated_at), json((
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
    where m.user_id = shown.user_id and m.project_id = p.id
  ), (
    select m.access
    from group_members m
    where m.user_id = shown.user_id and m.group_id = p.namespace_id
  ))))) as v
  from shown
  cross join json_each(json_insert(shown.ids, '$[#]', 0)) d
  left join projects p
  on p.id = d.value
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     MATERIALIZE shown
--       SCAN s
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE (subquery)
--           CO-ROUTINE (subquery)
--             MERGE (UNION)
--               LEFT
--                 MERGE (UNION)
--                   LEFT
--                     CO-ROUTINE (subquery)
--                       SEARCH projects USING INDEX projects_of_namespace (namespace_id=?)
--                     SCAN (subquery)
--                     USE TEMP B-TREE FOR ORDER BY
--                   RIGHT
--                     CO-ROUTINE (subquery)
--                       SEARCH projects USING INDEX projects_of_namespace_by_visibility (namespace_id=? AND visibility=?)
--                     SCAN (subquery)
--                     USE TEMP B-TREE FOR ORDER BY
--               RIGHT
--                 MERGE (UNION)
--                   LEFT
--                     CO-ROUTINE (subquery)
--                       SEARCH projects USING INDEX projects_of_namespace_by_visibility (namespace_id=? AND visibility=?)
--                     SCAN (subquery)
--                     USE TEMP B-TREE FOR ORDER BY
--                   RIGHT
--                     CO-ROUTINE (subquery)
--                       SEARCH m USING PRIMARY KEY (user_id=?)
--                       SEARCH h USING INTEGER PRIMARY KEY (rowid=?)
--                       USE TEMP B-TREE FOR ORDER BY
--                     SCAN (subquery)
--                     USE TEMP B-TREE FOR ORDER BY
--           SCAN (subquery)
--         SCAN (subquery)
--     SCAN shown
--     SCAN d VIRTUAL TABLE INDEX 1:
--     SEARCH p USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     CORRELATED SCALAR SUBQUERY
--       SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
--       SCALAR SUBQUERY
--         SCAN settings
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
