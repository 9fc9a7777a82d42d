-- groups: list select
-- Binds: ?7 after, ?8 offset, ?9 page.size + 1, ?10 filter.search.as_deref()
-- Rows in the small world: 3 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  select json_array(g.id, g.name, g.path, g.description, g.visibility, g.created_at, (
    select default_branch_protection
    from settings
  )) as v
  from (
    select id
    from (
      select id
      from (
        select distinct g.id
        from groups g
        where g.id > (select ?7 from caller where admin) and (?10 is null or instr(lower(g.name), lower(?10)) or instr(lower(g.path),
          lower(?10)))
        order by g.id
        limit (select ?8 + ?9)
      )
      union
      select id
      from (
        select distinct g.id
        from groups g
        where g.visibility = (
          select 10
          from caller
          where sees_from <= 10
        ) and g.id > (select ?7) and (?10 is null or instr(lower(g.name), lower(?10)) or instr(lower(g.path), lower(?10)))
        order by g.id
        limit (select ?8 + ?9)
      )
      union
      select id
      from (
        select distinct g.id
        from groups g
        where g.visibility = (
          select 20
          from caller
        ) and g.id > (select ?7) and (?10 is null or instr(lower(g.name), lower(?10)) or instr(lower(g.path), lower(?10)))
        order by g.id
        limit (select ?8 + ?9)
      )
      union
      select id
      from (
        select id
        from (
          select distinct g.id
          from group_members m
          join groups g
          on g.id = m.group_id
          where m.user_id = (
            select id
            from caller
          ) and m.group_id > (select ?7) and (?10 is null or instr(lower(g.name), lower(?10)) or instr(lower(g.path),
            lower(?10)))
          order by g.id
          limit (select ?8 + ?9)
        )
        union
        select id
        from (
          select distinct g.id
          from project_members m
          join projects p
          on p.id = m.project_id and p.deleted_at is null
          join groups g
          on g.id = p.namespace_id
          where m.user_id = (
            select id
            from caller
          ) and g.id > (select ?7) and (?10 is null or instr(lower(g.name), lower(?10)) or instr(lower(g.path),
            lower(?10)))
          order by g.id
          limit (select ?8 + ?9)
        )
      )
    )
    order by id
    limit (select ?9) offset (select ?8)
  ) page
  cross join groups g
  on g.id = page.id
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE page
--       CO-ROUTINE (subquery)
--         MERGE (UNION)
--           LEFT
--             MERGE (UNION)
--               LEFT
--                 CO-ROUTINE (subquery)
--                   SEARCH g USING INTEGER PRIMARY KEY (rowid>?)
--                   SCALAR SUBQUERY
--                     SCAN caller
--                 SCAN (subquery)
--                 USE TEMP B-TREE FOR ORDER BY
--               RIGHT
--                 CO-ROUTINE (subquery)
--                   SEARCH g USING INDEX groups_by_visibility (visibility=? AND id>?)
--                   SCALAR SUBQUERY
--                     SCAN caller
--                 SCAN (subquery)
--                 USE TEMP B-TREE FOR ORDER BY
--           RIGHT
--             MERGE (UNION)
--               LEFT
--                 CO-ROUTINE (subquery)
--                   SEARCH g USING INDEX groups_by_visibility (visibility=? AND id>?)
--                   SCALAR SUBQUERY
--                     SCAN caller
--                 SCAN (subquery)
--                 USE TEMP B-TREE FOR ORDER BY
--               RIGHT
--                 CO-ROUTINE (subquery)
--                   MERGE (UNION)
--                     LEFT
--                       CO-ROUTINE (subquery)
--                         SEARCH m USING PRIMARY KEY (user_id=? AND group_id>?)
--                         SCALAR SUBQUERY
--                           SCAN caller
--                         SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
--                         USE TEMP B-TREE FOR DISTINCT
--                       SCAN (subquery)
--                       USE TEMP B-TREE FOR ORDER BY
--                     RIGHT
--                       CO-ROUTINE (subquery)
--                         SEARCH m USING PRIMARY KEY (user_id=?)
--                         SCALAR SUBQUERY
--                           SCAN caller
--                         SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--                         SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
--                         USE TEMP B-TREE FOR DISTINCT
--                       SCAN (subquery)
--                       USE TEMP B-TREE FOR ORDER BY
--                 SCAN (subquery)
--                 USE TEMP B-TREE FOR ORDER BY
--       SCAN (subquery)
--     SCAN page
--     SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SCAN settings
