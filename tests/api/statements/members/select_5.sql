-- members: select
-- Binds: ?7 after, ?8 offset, ?9 steps, ?10 inherited, ?11 page.size + 1, ?12 word, ?13 among, ?14 without
-- Rows in the small world: 6 given, 0 written

-- call/project_head.sql
union all
select v
from (
  with walk as materialized (
    select s.project_id as home, (
      select json_group_array(id)
      from (
        select id
        from (
          select id
          from (
            select m.user_id as id
            from project_members m
            where m.project_id = s.project_id and m.user_id > (select ?7)
            order by m.user_id
            limit (select ?9)
          )
          union
          select id
          from (
            select m.user_id as id
            from projects p
            cross join group_members m
            where ?10 and p.id = s.project_id and m.group_id = p.namespace_id
              and m.user_id > (select ?7)
            order by m.user_id
            limit (select ?9)
          )
          union
          select o.id
          from projects p
          cross join users o
          on o.id = p.namespace_id
          where ?10 and p.id = s.project_id and o.id > (select ?7)
        )
        order by id
        limit (select ?9)
      )
    ) as items
    from scope s
  ), page as materialized (
    select w.items, (
      select json_group_array(json(v))
      from (
        select json_object('row', json_array(json_array(u.id, u.username, u.name, u.state, u.email), u.standing ->> 0,
          u.standing ->> 1)) as v
        from (
          select u.*, (
            select json_array(max(access), created_at)
            from (
              select m.access, m.created_at
              from project_members m
              where m.user_id = u.id and m.project_id = w.home
              union all
              select m.access, m.created_at
              from projects p
              cross join group_members m
              where ?10 and p.id = w.home and m.group_id = p.namespace_id
                and m.user_id = u.id
              union all
              select 50, p.created_at
              from projects p
              where ?10 and p.id = w.home and p.namespace_id = u.id
            )
          ) as standing
          from json_each(w.items) e
          cross join users u
          on u.id = e.value
          where (?12 is null or instr(lower(u.name), lower(?12)) or instr(lower(u.username), lower(?12)))
            and (?13 is null or u.id in (
            select value
            from json_each(?13)
          )) and u.id not in (
            select value
            from json_each(?14)
          )
          limit (select ?11) offset (select ?8)
        ) u
      )
    ) as found
    from walk w
  )
  select d.value as v
  from page
  cross join json_each(json_insert(page.found, '$[#]', json_object('end', iif(json_array_length(page.found) < ?11,
    page.items ->> cast(?9 - 1 as integer), null)))) d
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
--                       CO-ROUTINE (subquery)
--                         SEARCH m USING COVERING INDEX project_members_of_project (project_id=? AND user_id>?)
--                       SCAN (subquery)
--                       USE TEMP B-TREE FOR ORDER BY
--                     RIGHT
--                       CO-ROUTINE (subquery)
--                         SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--                         SEARCH m USING COVERING INDEX group_members_of_group (group_id=? AND user_id>?)
--                       SCAN (subquery)
--                       USE TEMP B-TREE FOR ORDER BY
--                 RIGHT
--                   SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--                   SEARCH o USING INTEGER PRIMARY KEY (rowid=?)
--             SCAN (subquery)
--           SCAN (subquery)
--       SCAN w
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE u
--           SCAN e VIRTUAL TABLE INDEX 1:
--           SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--           LIST SUBQUERY
--             SCAN json_each VIRTUAL TABLE INDEX 1:
--             CREATE BLOOM FILTER
--           LIST SUBQUERY
--             SCAN json_each VIRTUAL TABLE INDEX 1:
--             CREATE BLOOM FILTER
--           CORRELATED SCALAR SUBQUERY
--             CO-ROUTINE (subquery)
--               COMPOUND QUERY
--                 UNION ALL
--                   SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--                   SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--                 UNION ALL
--                   SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--             SEARCH (subquery)
--         SCAN u
--     SCAN page
--     SCAN d VIRTUAL TABLE INDEX 1:
