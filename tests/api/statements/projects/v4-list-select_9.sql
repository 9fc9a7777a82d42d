-- projects: v4 list select
-- Binds: ?7 self.least(), ?8 key, ?9 if is_by_id { farthest.into() } else { id }, ?10 walk::steps(page, offset,
--   self.is_filtered(text)), ?11 page.size + 1, ?12 offset, ?13 filter.search.as_deref(), ?14
--   filter.search_namespaces, ?15 filter.archived, ?16 filter.visibility.map(|level| level as i64), ?17
--   filter.with_issues_enabled.then_some(1), ?18 *after, ?19 *before, ?20 filter.id_after, ?21 filter.id_before
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  with walk as materialized (
    select s.user_id, (
      select json_group_array(json_array(id, k))
      from (
        select id, k
        from (
          select e.value ->> 0 as id, e.value ->> 1 as k
          from json_each((
            select json_group_array(json_array(id, k))
            from (
              select x.id, x.updated_at as k
              from projects x
              where x.namespace_id = iif(s.access > 0, s.group_id, null)
                and x.deleted_at is null and x.updated_at >= (select ?8)
                and (x.updated_at > (select ?8) or x.id > (select ?9))
              order by x.updated_at asc, x.id asc
              limit (select ?10)
            )
          )) e
          union
          select e.value ->> 0, e.value ->> 1
          from json_each(iif(s.access > 0, '[]', iif(s.sees_from <= 10, json_array(10, 20), json_array(20)))) l
          cross join json_each((
            select json_group_array(json_array(id, k))
            from (
              select x.id, x.updated_at as k
              from projects x indexed by projects_seen_of_namespace
              where x.visibility = l.value and x.namespace_id = s.group_id
                and x.deleted_at is null and x.updated_at >= (select ?8)
                and (x.updated_at > (select ?8) or x.id > (select ?9))
              order by x.updated_at asc, x.id asc
              limit (select ?10)
            )
          )) e
          union
          select e.value ->> 0, e.value ->> 1
          from json_each((
            select json_group_array(json_array(id, k))
            from (
              select x.id, x.updated_at as k
              from project_members m
              cross join projects x
              on x.id = m.project_id
              where m.user_id = iif(s.access = 0, s.user_id, null)
                and x.namespace_id = s.group_id and x.deleted_at is null
                and x.updated_at >= (select ?8) and (x.updated_at > (select ?8) or x.id > (select ?9))
              order by x.updated_at asc, x.id asc
              limit (select ?10)
            )
          )) e
        )
        order by k asc, id asc
        limit (select ?10)
      )
    ) as items
    from (
      select c.id as user_id, u.id as group_id, c.sees_from, iif(c.admin or c.id = u.id, 50, 0) as access
      from caller c
      cross join users u
      on u.id = coalesce(?22, (
        select n.id
        from namespaces n
        where n.path_key = (select ?23)
      )) and u.id > 0
    ) s
  ), page as materialized (
    select w.user_id, w.items, (
      select json_group_array(id)
      from (
        select p.id
        from json_each(w.items) e
        cross join projects p
        on p.id = e.value ->> 0
        where (?13 is null or instr(lower(p.name), lower(?13)) or instr(lower(p.path), lower(?13)) or ?14 and instr(lower(p.full_path),
          lower(?13))) and p.archived = coalesce(?15, p.archived)
          and p.visibility = coalesce(?16, p.visibility) and p.issues_enabled >= coalesce(?17, 0)
          and p.updated_at >= coalesce(?18, p.updated_at) and p.updated_at <= coalesce(?19, p.updated_at)
          and p.id > coalesce(?20, 0) and p.id < coalesce(?21, p.id + 1)
          and (?7 is null or case when false then 60 when p.namespace_id = w.user_id then 50 else max(coalesce((
          select m.access
          from project_members m
          where m.user_id = w.user_id and m.project_id = p.id
        ), 0), coalesce((
          select m.access
          from group_members m
          where m.user_id = w.user_id and m.group_id = p.namespace_id
        ), 0)) end >= (select ?7))
        limit (select ?11) offset (select ?12)
      )
    ) as ids
    from walk w
  )
  select iif(d.value = 0, json_object('end', json(iif(json_array_length(page.ids) < ?11, page.items -> cast(?10 - 1 as integer),
    null))), json_object('row', json(json_array(json_array(p.id, p.name, p.path, p.full_name, p.full_path, p.description,
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
--       MATERIALIZE walk
--         SCAN c
--         SEARCH u USING COVERING INDEX users_of_people (id=? AND rowid=?)
--         SCALAR SUBQUERY
--           SEARCH n USING COVERING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
--         REUSE SUBQUERY
--         CORRELATED SCALAR SUBQUERY
--           CO-ROUTINE (subquery)
--             CO-ROUTINE (subquery)
--               MERGE (UNION)
--                 LEFT
--                   MERGE (UNION)
--                     LEFT
--                       SCAN e VIRTUAL TABLE INDEX 1:
--                       CORRELATED SCALAR SUBQUERY
--                         CO-ROUTINE (subquery)
--                           SEARCH x USING INDEX projects_by_update (namespace_id=? AND updated_at>?)
--                         SCAN (subquery)
--                       USE TEMP B-TREE FOR ORDER BY
--                     RIGHT
--                       SCAN l VIRTUAL TABLE INDEX 1:
--                       SCAN e VIRTUAL TABLE INDEX 1:
--                       CORRELATED SCALAR SUBQUERY
--                         CO-ROUTINE (subquery)
--                           SEARCH x USING INDEX projects_seen_of_namespace (visibility=? AND namespace_id=?)
--                           USE TEMP B-TREE FOR ORDER BY
--                         SCAN (subquery)
--                       USE TEMP B-TREE FOR ORDER BY
--                 RIGHT
--                   SCAN e VIRTUAL TABLE INDEX 1:
--                   CORRELATED SCALAR SUBQUERY
--                     CO-ROUTINE (subquery)
--                       SEARCH m USING PRIMARY KEY (user_id=?)
--                       SEARCH x USING INTEGER PRIMARY KEY (rowid=?)
--                       USE TEMP B-TREE FOR ORDER BY
--                     SCAN (subquery)
--                   USE TEMP B-TREE FOR ORDER BY
--             SCAN (subquery)
--             USE TEMP B-TREE FOR ORDER BY
--           SCAN (subquery)
--       SCAN w
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE (subquery)
--           SCAN e VIRTUAL TABLE INDEX 1:
--           SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--           CORRELATED SCALAR SUBQUERY
--             SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--           CORRELATED SCALAR SUBQUERY
--             SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
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
