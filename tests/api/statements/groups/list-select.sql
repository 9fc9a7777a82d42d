-- groups: list select
-- Binds: ?7 after, ?8 offset, ?9 page.size + 1, ?10 filter.search.as_deref()
-- Rows in the small world: 10 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  select json_object('id', n.id, 'path', n.path, 'kind', n.kind) as v
  from (
    select id
    from (
      select id
      from namespaces
      where id > (select ?7 from caller where admin) and path <> '/'
        and (?10 is null or instr(path_key, lower(?10)))
      order by id
      limit (select ?8 + ?9)
    )
    union
    select n.id
    from (
      select id
      from caller
      union all
      select m.group_id
      from group_members m
      where m.user_id = (
        select id
        from caller
      )
    ) mine
    cross join namespaces n
    on n.id = mine.id
    where n.id > (select ?7) and (?10 is null or instr(n.path_key, lower(?10)))
    order by 1
    limit (select ?9) offset (select ?8)
  ) page
  cross join namespaces n
  on n.id = page.id
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE page
--       MERGE (UNION)
--         LEFT
--           CO-ROUTINE (subquery)
--             SEARCH namespaces USING INTEGER PRIMARY KEY (rowid>?)
--             SCALAR SUBQUERY
--               SCAN caller
--           SCAN (subquery)
--           USE TEMP B-TREE FOR ORDER BY
--         RIGHT
--           MERGE (UNION ALL)
--             LEFT
--               SCAN caller
--               SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--               USE TEMP B-TREE FOR ORDER BY
--             RIGHT
--               SEARCH m USING PRIMARY KEY (user_id=? AND group_id>?)
--               SCALAR SUBQUERY
--                 SCAN caller
--               SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--               REUSE SUBQUERY
--               USE TEMP B-TREE FOR ORDER BY
--     SCAN page
--     SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
