-- groups: v4 list select
-- Binds: ?7 least, ?8 key, ?9 id, ?10 walk::steps(page, offset, is_filtered), ?11 page.size + 1, ?12 offset, ?13
--   filter.search.as_deref(), ?14 filter.visibility.map(|level| level as i64), ?15
--   json!(filter.skip_groups).to_string()
-- Rows in the small world: 4 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  with walk as materialized (
    select (
      select json_group_array(json_array(id, k))
      from (
        select id, k
        from (
          select e.value ->> 0 as id, e.value ->> 1 as k
          from json_each(iif(?7 is not null, '[]', iif(s.admin, json_array(0, 10, 20), iif(s.sees_from <= 10, json_array(10,
            20), json_array(20))))) l
          cross join json_each((
            select json_group_array(json_array(id, k))
            from (
              select distinct x.id, x.id as k
              from groups x
              where x.visibility = l.value and x.id >= (select ?8)
                and (x.id > (select ?8) or x.id > (select ?9))
              order by x.id asc, x.id asc
              limit (select ?10)
            )
          )) e
          union
          select e.value ->> 0, e.value ->> 1
          from json_each((
            select json_group_array(json_array(id, k))
            from (
              select distinct x.id, x.id as k
              from group_members m
              cross join groups x
              on x.id = m.group_id
              where m.user_id = s.id and m.access >= coalesce(?7, 0)
                and x.id >= (select ?8) and (x.id > (select ?8) or x.id > (select ?9))
              order by x.id asc, x.id asc
              limit (select ?10)
            )
          )) e
          union
          select e.value ->> 0, e.value ->> 1
          from json_each((
            select json_group_array(json_array(id, k))
            from (
              select distinct x.id, x.id as k
              from project_members m
              cross join projects p
              on p.id = m.project_id and p.deleted_at is null
              cross join groups x
              on x.id = p.namespace_id
              where m.user_id = iif(?7 is null, s.id, null) and x.id >= (select ?8)
                and (x.id > (select ?8) or x.id > (select ?9))
              order by x.id asc, x.id asc
              limit (select ?10)
            )
          )) e
        )
        order by k asc, id asc
        limit (select ?10)
      )
    ) as items
    from caller s
  ), page as materialized (
    select w.items, (
      select json_group_array(json(v))
      from (
        select json_object('row', json_array(g.id, g.name, g.path, g.description, g.visibility, g.created_at, (
          select default_branch_protection
          from settings
        ))) as v
        from json_each(w.items) e
        cross join groups g
        on g.id = e.value ->> 0
        where (?13 is null or instr(lower(g.name), lower(?13)) or instr(lower(g.path), lower(?13)))
          and g.visibility = coalesce(?14, g.visibility) and g.id not in (
          select value
          from json_each(?15)
        )
        limit (select ?11) offset (select ?12)
      )
    ) as found
    from walk w
  )
  select d.value as v
  from page
  cross join json_each(json_insert(page.found, '$[#]', json_object('end', json(iif(json_array_length(page.found) < ?11,
    page.items -> cast(?10 - 1 as integer), null))))) d
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     MATERIALIZE page
--       MATERIALIZE walk
--         SCAN s
--         CORRELATED SCALAR SUBQUERY
--           CO-ROUTINE (subquery)
--             CO-ROUTINE (subquery)
--               MERGE (UNION)
--                 LEFT
--                   MERGE (UNION)
--                     LEFT
--                       SCAN l VIRTUAL TABLE INDEX 1:
--                       SCAN e VIRTUAL TABLE INDEX 1:
--                       CORRELATED SCALAR SUBQUERY
--                         CO-ROUTINE (subquery)
--                           SEARCH x USING COVERING INDEX groups_by_visibility (visibility=? AND id>?)
--                         SCAN (subquery)
--                       USE TEMP B-TREE FOR ORDER BY
--                     RIGHT
--                       SCAN e VIRTUAL TABLE INDEX 1:
--                       CORRELATED SCALAR SUBQUERY
--                         CO-ROUTINE (subquery)
--                           SEARCH m USING PRIMARY KEY (user_id=? AND group_id>?)
--                           SEARCH x USING INTEGER PRIMARY KEY (rowid=?)
--                           REUSE SUBQUERY
--                           USE TEMP B-TREE FOR DISTINCT
--                         SCAN (subquery)
--                       USE TEMP B-TREE FOR ORDER BY
--                 RIGHT
--                   SCAN e VIRTUAL TABLE INDEX 1:
--                   CORRELATED SCALAR SUBQUERY
--                     CO-ROUTINE (subquery)
--                       SEARCH m USING PRIMARY KEY (user_id=?)
--                       SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--                       SEARCH x USING INTEGER PRIMARY KEY (rowid=?)
--                       USE TEMP B-TREE FOR DISTINCT
--                     SCAN (subquery)
--                   USE TEMP B-TREE FOR ORDER BY
--             SCAN (subquery)
--             USE TEMP B-TREE FOR ORDER BY
--           SCAN (subquery)
--       SCAN w
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE (subquery)
--           SCAN e VIRTUAL TABLE INDEX 1:
--           SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
--           LIST SUBQUERY
--             SCAN json_each VIRTUAL TABLE INDEX 1:
--             CREATE BLOOM FILTER
--           SCALAR SUBQUERY
--             SCAN settings
--         SCAN (subquery)
--     SCAN page
--     SCAN d VIRTUAL TABLE INDEX 1:
