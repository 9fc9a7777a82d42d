-- groups: list select
-- Binds: ?7 self.least, ?8 key, ?9 id, ?10 walk::steps(page, offset, is_filtered), ?11 page.size + 1, ?12 offset, ?13
--   self.search, ?14 self.visibility, ?15 Some(json!(self.without).to_string()).filter(|_| !self.without.is_empty()),
--   ?16 self.order.word()
-- Rows in the small world: 3 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  with asked as materialized (
    select (
      select json_group_array(json(start))
      from (
        select json_array(l.value, ?9, ?8, null) as start
        from json_each(json_array(0, 10, 20)) l
        where l.value >= c.below and l.value = coalesce(?14, l.value)
        union all
        select json_array(null, g.id, case ?16 when 'name' then lower(g.name) when 'path' then lower(g.path) else g.id end,
          ((?13 is null or instr(lower(g.name), lower(?13)) or instr(lower(g.path), lower(?13))) and (?15 is null
          or g.id not in (
          select value
          from json_each(?15)
        ))) is true)
        from (
          select m.group_id as id
          from group_members m
          where m.user_id = c.id and m.access >= coalesce(?7, 0)
          union
          select p.namespace_id
          from project_members m
          cross join projects p
          on p.id = m.project_id and p.deleted_at is null
          where m.user_id = iif(?7 is null, c.id, null)
        ) y
        cross join groups g
        on g.id = y.id
        where g.visibility < c.below and g.visibility = coalesce(?14, g.visibility)
          and (case ?16 when 'name' then lower(g.name) when 'path' then lower(g.path) else g.id end, g.id) < (?8,
          ?9)
      )
    ) as queue
    from (
      select id, iif(?7 is not null, 99, iif(admin, 0, sees_from)) as below
      from caller
    ) c
  )
  select iif(w.fits, json_object(iif(w.number = ?10, 'last', 'row'), json_array(g.id, g.name, g.path, g.description,
    g.visibility, g.created_at, (
    select default_branch_protection
    from settings
  ))), json_object('end', json_array(w.id, w.k))) as v
  from (
    select *, 0 as number
    from (
      with recursive walk(level, id, k, fits) as (
        select value ->> 0, value ->> 1, value ->> 2, value ->> 3
        from asked
        cross join json_each(asked.queue)
        union all
        select w.level, g.id, case ?16 when 'name' then lower(g.name) when 'path' then lower(g.path) else g.id end,
          ((?13 is null or instr(lower(g.name), lower(?13)) or instr(lower(g.path), lower(?13))) and (?15 is null
          or g.id not in (
          select value
          from json_each(?15)
        ))) is true
        from walk w
        cross join groups g
        on g.id = case ?16 when 'name' then coalesce((
          select x.id
          from groups x
          where x.visibility = w.level and lower(x.name) = w.k
            and x.id < w.id
          order by x.id desc
          limit 1
        ), (
          select x.id
          from groups x
          where x.visibility = w.level and lower(x.name) < w.k
          order by lower(x.name) desc, x.id desc
          limit 1
        )) when 'path' then coalesce((
          select x.id
          from groups x
          where x.visibility = w.level and lower(x.path) = w.k
            and x.id < w.id
          order by x.id desc
          limit 1
        ), (
          select x.id
          from groups x
          where x.visibility = w.level and lower(x.path) < w.k
          order by lower(x.path) desc, x.id desc
          limit 1
        )) else (
          select x.id
          from groups x
          where x.visibility = w.level and x.id < w.id
          order by x.id desc
          limit 1
        ) end
        where w.level is not null
        order by 3 desc, 2 desc
      )
      select id, k, fits
      from walk
      where fits is not null
      limit (select ?10)
    )
  ) w
  left join groups g
  on g.id = iif(w.fits, w.id, null)
  where w.fits or w.number = (select ?10)
  limit (select ?11) offset (select ?12)
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE (subquery)
--       CO-ROUTINE (subquery)
--         CO-ROUTINE walk
--           SETUP
--             MATERIALIZE asked
--               SCAN caller
--               CORRELATED SCALAR SUBQUERY
--                 CO-ROUTINE (subquery)
--                   COMPOUND QUERY
--                     UNION ALL
--                       CO-ROUTINE y
--                         MERGE (UNION)
--                           LEFT
--                             SEARCH m USING PRIMARY KEY (user_id=?)
--                           RIGHT
--                             SEARCH m USING PRIMARY KEY (user_id=?)
--                             SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--                             USE TEMP B-TREE FOR ORDER BY
--                       SCAN y
--                       SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
--                       LIST SUBQUERY
--                         SCAN json_each VIRTUAL TABLE INDEX 1:
--                         CREATE BLOOM FILTER
--                 SCAN (subquery)
--             SCAN asked
--             SCAN json_each VIRTUAL TABLE INDEX 1:
--           RECURSIVE STEP
--             SCAN w
--             SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH x USING COVERING INDEX groups_seen_by_name (visibility=? AND <expr>=? AND id<?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH x USING COVERING INDEX groups_seen_by_name (visibility=? AND <expr><?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH x USING COVERING INDEX groups_seen_by_path (visibility=? AND <expr>=? AND id<?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH x USING COVERING INDEX groups_seen_by_path (visibility=? AND <expr><?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH x USING COVERING INDEX groups_by_visibility (visibility=? AND id<?)
--             LIST SUBQUERY
--               SCAN json_each VIRTUAL TABLE INDEX 1:
--               CREATE BLOOM FILTER
--         SCAN walk
--       SCAN (subquery)
--       SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       SCALAR SUBQUERY
--         SCAN settings
--     SCAN (subquery)
