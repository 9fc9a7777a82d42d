-- Of the first `?9` namespaces behind the id `?7` those with `?12` in path or (`?13`) name, `?11` at most behind `?8`
--   others. `?10`: the level of their groups that the caller must have; an administrator of all, without one.
-- Binds: ?7 after, ?8 offset, ?9 steps, ?10 least, ?11 page.size + 1, ?12 search, ?13 by_name
-- Rows in the small world: 11 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  with walk as materialized (
    select (
      select json_group_array(id)
      from (
        select id
        from (
          select id
          from (
            select n.id
            from namespaces n
            where n.id > iif(s.admin and ?10 is null, (select ?7), null)
              and n.path <> '/'
            order by n.id
            limit (select ?9)
          )
          union
          select id
          from (
            select s.id as id
            union all
            select m.group_id
            from group_members m
            where m.user_id = s.id and m.access >= coalesce(?10, 0)
          )
          where id > (select ?7)
        )
        order by id
        limit (select ?9)
      )
    ) as items
    from caller s
  ), page as materialized (
    select w.items, (
      select json_group_array(id)
      from (
        select n.id
        from json_each(w.items) e
        cross join namespaces n
        on n.id = e.value
        where ?12 is null or instr(n.path_key, lower(?12)) or ?13
          and instr(lower(coalesce((
          select g.name
          from groups g
          where g.id = n.id
        ), (
          select u.name
          from users u
          where u.id = n.id
        ))), lower(?12))
        limit (select ?11) offset (select ?8)
      )
    ) as ids
    from walk w
  )
  select iif(d.value = 0, json_object('end', iif(json_array_length(page.ids) < ?11, page.items ->> cast(?9 - 1 as integer),
    null)), json_object('row', json((
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
    where n.id = d.value
  )))) as v
  from page
  cross join json_each(json_insert(page.ids, '$[#]', 0)) d
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
--                   CO-ROUTINE (subquery)
--                     SEARCH n USING INTEGER PRIMARY KEY (rowid>?)
--                   SCAN (subquery)
--                   USE TEMP B-TREE FOR ORDER BY
--                 RIGHT
--                   CO-ROUTINE (subquery)
--                     COMPOUND QUERY
--                       UNION ALL
--                         SEARCH m USING PRIMARY KEY (user_id=? AND group_id>?)
--                   SCAN (subquery)
--                   USE TEMP B-TREE FOR ORDER BY
--             SCAN (subquery)
--           SCAN (subquery)
--       SCAN w
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE (subquery)
--           SCAN e VIRTUAL TABLE INDEX 1:
--           SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--           CORRELATED SCALAR SUBQUERY
--             SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
--           CORRELATED SCALAR SUBQUERY
--             SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--         SCAN (subquery)
--     SCAN page
--     SCAN d VIRTUAL TABLE INDEX 1:
--     CORRELATED SCALAR SUBQUERY
--       SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--       SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       CORRELATED SCALAR SUBQUERY
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
