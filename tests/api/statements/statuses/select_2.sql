-- statuses: select
-- Binds: ?7 name, ?8 abbreviation(name), ?9 refs, ?10 filter.name.as_deref(), ?11 filter.stage.as_deref(), ?12 offset,
--   ?13 page.size + 1, ?14 cursor
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select v
from (
  with target as materialized (
    select c.id, c.sha, case when ?9 is null then null when ?9 ->> 0 is not null then ?9 else json_array('', coalesce((
      select substr(r.name, 12)
      from refs r
      where r.project_id = here.project_id and r.commit_id = c.id
        and r.name = case when ?7 = 'HEAD' then (
        select 'refs/heads/' || h.default_branch
        from projects h
        where h.id = here.project_id
      ) when substr(?7, 1, 11) = 'refs/heads/' then ?7 else 'refs/heads/' || ?7 end
    ), here.default_branch, '')) end as refs
    from scope here
    cross join commits c
    on c.id = coalesce( (
      select k.id
      from commits k
      where k.project_id = here.project_id and k.sha = lower(?7)
    ), (
      select r.commit_id
      from refs r
      where r.project_id = here.project_id and r.name = case when substr(?7, 1, 10) = 'refs/tags/' then ?7 else 'refs/tags/' || ?7 end
    ), (
      select r.commit_id
      from refs r
      where r.project_id = here.project_id and r.name = case when ?7 = 'HEAD' then (
        select 'refs/heads/' || h.default_branch
        from projects h
        where h.id = here.project_id
      ) when substr(?7, 1, 11) = 'refs/heads/' then ?7 else 'refs/heads/' || ?7 end
    ), case when ?8 is not null then (
      select case when count(*) = 1 then max(id) end
      from (
        select k.id
        from commits k
        where k.project_id = here.project_id and k.sha >= (select ?8)
          and k.sha < (select ?8) || 'g'
        limit 2
      )
    ) end)
  ), ranges as materialized (
    select t.id, t.sha, (
      select json_group_array(json_array(n.ref, n.stage, n.pending + n.running + n.success + n.failed + n.canceled))
      from (
        select a.*
        from status_counts a
        where a.commit_id = iif(t.refs is null, t.id, null)
        union all
        select b.*
        from (
          select distinct value as ref
          from json_each(t.refs)
        ) r
        cross join status_counts b
        on b.commit_id = t.id and b.ref = r.ref
      ) n
      where n.stage = coalesce(?11, n.stage)
    ) as ranges
    from target t
  ), page as materialized (
    select g.sha, case when ?11 is null then (
      select coalesce(sum(1), 0)
      from (
        select distinct value ->> 0 as ref, (select ?10) as part
        from json_each(g.ranges)
      ) n
      cross join status_heads h
      on h.commit_id = g.id and h.ref = n.ref and h.name = n.part
    ) else (
      select iif(count(*) > 10000, null, count(*))
      from (
        select 1
        from (
          select distinct value ->> 0 as ref, (select ?10) as part
          from json_each(g.ranges)
        ) n
        cross join status_heads y
        on y.commit_id = g.id and y.ref = n.ref and y.name = n.part
          and y.stage = (select ?11)
        limit 10001
      )
    ) end as total, (
      with recursive walk(id, ref, part) as (
        select (
          select y.status_id
          from status_heads y
          where y.commit_id = g.id and y.stage = coalesce(?11, y.stage)
            and y.ref = n.ref and y.name = n.part and y.status_id > (select ?14)
          order by y.status_id
          limit 1
        ), n.ref, n.part
        from (
          select distinct value ->> 0 as ref, (select ?10) as part
          from json_each(g.ranges)
        ) n
        union all
        select (
          select y.status_id
          from status_heads y
          where y.commit_id = g.id and y.stage = coalesce(?11, y.stage)
            and y.ref = w.ref and y.name = w.part and y.status_id > w.id
          order by y.status_id
          limit 1
        ), w.ref, w.part
        from walk w
        where w.id is not null
        order by 1
      )
      select json_group_array(id)
      from (
        select id
        from walk
        where id is not null
        limit (select ?13) offset (select ?12)
      )
    ) as ids
    from ranges g
  )
  select iif(d.value = 0, json_object('commit', json_array(page.sha, page.total)), json_object('status', json_array(json(json_array(s.id,
    s.ref, s.state, s.name, s.target_url, s.description, s.coverage, s.skipped, s.created_at, s.started_at, s.finished_at)),
    json(json((
    select json_array(u.id, u.username, u.name, u.state, u.email)
    from users u
    where u.id = s.user_id
  )))))) as v
  from page
  cross join json_each(json_insert(page.ids, '$[#]', 0)) d
  left join statuses s
  on s.id = d.value
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     MATERIALIZE page
--       MATERIALIZE ranges
--         MATERIALIZE target
--           SCAN here
--           SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--           CORRELATED SCALAR SUBQUERY
--             SEARCH k USING COVERING INDEX commits_by_sha (project_id=? AND sha=?)
--           CORRELATED SCALAR SUBQUERY
--             SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--           CORRELATED SCALAR SUBQUERY
--             SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH h USING INTEGER PRIMARY KEY (rowid=?)
--           CORRELATED SCALAR SUBQUERY
--             CO-ROUTINE (subquery)
--               SEARCH k USING COVERING INDEX commits_by_sha (project_id=? AND sha>? AND sha<?)
--             SCAN (subquery)
--           CORRELATED SCALAR SUBQUERY
--             SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH h USING INTEGER PRIMARY KEY (rowid=?)
--         SCAN t
--         CORRELATED SCALAR SUBQUERY
--           CO-ROUTINE n
--             COMPOUND QUERY
--               UNION ALL
--                 CO-ROUTINE r
--                   SCAN json_each VIRTUAL TABLE INDEX 1:
--                   USE TEMP B-TREE FOR DISTINCT
--                 SCAN r
--                 SEARCH b USING PRIMARY KEY (commit_id=? AND ref=?)
--           SCAN n
--       SCAN g
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE n
--           SCAN json_each VIRTUAL TABLE INDEX 1:
--           USE TEMP B-TREE FOR DISTINCT
--         SCAN n
--         SEARCH h USING PRIMARY KEY (commit_id=? AND ref=? AND name=?)
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE (subquery)
--           CO-ROUTINE n
--             SCAN json_each VIRTUAL TABLE INDEX 1:
--             USE TEMP B-TREE FOR DISTINCT
--           SCAN n
--           SEARCH y USING PRIMARY KEY (commit_id=? AND ref=? AND name=?)
--         SCAN (subquery)
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE (subquery)
--           CO-ROUTINE walk
--             SETUP
--               CO-ROUTINE n
--                 SCAN json_each VIRTUAL TABLE INDEX 1:
--                 USE TEMP B-TREE FOR DISTINCT
--               SCAN n
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH y USING PRIMARY KEY (commit_id=? AND ref=? AND name=?)
--             RECURSIVE STEP
--               SCAN w
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH y USING PRIMARY KEY (commit_id=? AND ref=? AND name=?)
--           SCAN walk
--         SCAN (subquery)
--     SCAN page
--     SCAN d VIRTUAL TABLE INDEX 1:
--     SEARCH s USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     CORRELATED SCALAR SUBQUERY
--       SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
