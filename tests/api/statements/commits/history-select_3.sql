-- commits: history select
-- Binds: ?7 name, ?8 name.and_then(abbreviation), ?9 since, ?10 until.unwrap_or(EVER), ?11 offset, ?12 size, ?13
--   waiting, ?14 shown, ?15 counts && bounds.since.is_none() && bounds.until.is_none(), ?16 all, ?17 if first_parent {
--   0 } else { EVER }
-- Rows in the small world: 3 given, 0 written

-- call/project_head.sql
union all
select v
from (
  with named as materialized (
    select s.project_id, s.default_branch, r.commit_id as main, case when ?7 is not null then coalesce( (
      select k.id
      from commits k
      where k.project_id = s.project_id and k.sha = lower(?7)
    ), (
      select r.commit_id
      from refs r
      where r.project_id = s.project_id and r.name = case when substr(?7, 1, 10) = 'refs/tags/' then ?7 else 'refs/tags/' || ?7 end
    ), (
      select r.commit_id
      from refs r
      where r.project_id = s.project_id and r.name = case when ?7 = 'HEAD' then (
        select 'refs/heads/' || h.default_branch
        from projects h
        where h.id = s.project_id
      ) when substr(?7, 1, 11) = 'refs/heads/' then ?7 else 'refs/heads/' || ?7 end
    ), case when ?8 is not null then (
      select case when count(*) = 1 then max(id) end
      from (
        select k.id
        from commits k
        where k.project_id = s.project_id and k.sha >= (select ?8)
          and k.sha < (select ?8) || 'g'
        limit 2
      )
    ) end) else r.commit_id end as commit_id
    from scope s
    left join refs r
    on r.project_id = s.project_id and r.name = 'refs/heads/' || s.default_branch
  ), asked as materialized (
    select n.project_id, iif(?13 is not null, null, iif(?16, (
      select json_group_array(distinct f.commit_id)
      from (
        select e.commit_id
        from refs e
        where e.project_id = n.project_id
        limit 1000
      ) f
    ), json_array(n.commit_id))) as tips, iif(?15, coalesce( (
      select t.commits
      from refs t
      where t.commit_id = n.commit_id and t.project_id = n.project_id
        and t.commits is not null
      limit 1
    ), iif(n.commit_id = n.main and not exists (
      select 1
      from branch_queue q
      where q.project_id = n.project_id
    ) and not exists (
      select 1
      from mirrors m
      where m.project_id = n.project_id and m.scan_after is not null
    ), (
      select b.commits
      from branch_counts b
      where b.project_id = n.project_id and b.branch = n.default_branch
    ), null)), null) as total
    from named n
  ), found as materialized (
    select asked.project_id, json_insert((
      with recursive walk(id, at, turn) as (
        select id, at, at + (at < 0) * (1 << 62)
        from (
          select value ->> 0 as id, value ->> 1 as at
          from json_each(?13)
          union all
          select c.id, c.committed_at
          from json_each(asked.tips) t
          cross join commits c
          on c.id = t.value
        )
        union
        select p.parent_id, p.parent_committed_at, p.parent_committed_at + (p.parent_committed_at < 0) * (1 << 62)
        from walk w
        cross join parents p
        on p.child_id = w.id and p.position <= (select ?17)
        where w.at >= (select ?9) and not coalesce(instr(?14, ',' || p.parent_id || ','), 0)
        order by 3 desc
      )
      select json_insert(json_group_array(json_array(id, iif(taken = 2, 2, number > (select ?11) and at <= (select ?10)))) filter (where taken
        and (number > (select ?11) or at < greatest or id in (
        select value ->> 0
        from json_each(?13)
      ))), '$[#]', json_array(0, json(json_group_array(json_array(id, at, lift)) filter (where not taken))))
      from (
        select *, max(iif(taken, null, at + lift)) over () as greatest
        from (
          select id, max(taken) as taken, max(iif(taken, number, null)) as number, coalesce(max(iif(taken, turn,
            null)), min(turn)) as turn, max(at) as at, max(lift) as lift
          from (
            select coalesce(p.parent_id, g.id) as id, iif(p.child_id is null, 1 + (g.number > (select ?11 + ?12)),
              0) as taken, g.number, g.turn + coalesce(p.position, -1) * 0.001 as turn, coalesce(p.parent_committed_at,
              g.at) as at, coalesce(p.parent_lift, 0) as lift
            from (
              select id, at, sum(at <= (select ?10)) over (rows unbounded preceding) as number, row_number() over (rows unbounded preceding) as turn
              from (
                select id, at
                from walk
                where at >= (select ?9)
                limit (select ?11 + ?12 + 1)
              )
            ) g
            cross join (
              select 0 as edge
              union all
              select 1
            ) k
            left join parents p
            on k.edge and p.child_id = g.id and p.position <= (select ?17)
            where not k.edge or (p.child_id is not null and g.number <= (select ?11 + ?12))
          )
          group by id, taken = 2
        )
        order by turn
      )
    ), '$[#]', json_array(-1, asked.total)) as found
    from asked
  )
  select case d.value ->> 0 when 0 then json_object('waiting', d.value -> 1) when -1 then json_object('total', d.value ->> 1) else json_object('passed',
    json_array(json_array(c.id, c.committed_at, c.lift), c.project_id = f.project_id, (d.value ->> 1 = 2), case when d.value ->> 1 = 1
    and not (d.value ->> 1 = 2) and c.project_id = f.project_id then json_array(c.sha, c.author_name, c.author_email,
    c.authored_at, c.author_zone, c.committer_name, c.committer_email, c.committed_at, c.committer_zone, c.message,
    c.additions, c.deletions, json(c.parent_shas)) end)) end as v
  from found f
  cross join json_each(f.found) d
  left join commits c
  on c.id = d.value ->> 0
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     MATERIALIZE found
--       MATERIALIZE asked
--         MATERIALIZE named
--           SCAN s
--           SEARCH r USING PRIMARY KEY (project_id=? AND name=?) LEFT-JOIN
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
--         SCAN n
--         CORRELATED SCALAR SUBQUERY
--           CO-ROUTINE f
--             SEARCH e USING PRIMARY KEY (project_id=?)
--           USE TEMP B-TREE FOR json_group_array(DISTINCT)
--           SCAN f
--         CORRELATED SCALAR SUBQUERY
--           SEARCH t USING PRIMARY KEY (project_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH q USING COVERING INDEX branch_queue_in_order (project_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH b USING PRIMARY KEY (project_id=? AND branch=?)
--       SCAN asked
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE (subquery)
--           CO-ROUTINE (subquery)
--             CO-ROUTINE (subquery)
--               CO-ROUTINE g
--                 CO-ROUTINE (subquery)
--                   CO-ROUTINE walk
--                     SETUP
--                       CO-ROUTINE (subquery)
--                         COMPOUND QUERY
--                           UNION ALL
--                             SCAN t VIRTUAL TABLE INDEX 1:
--                             SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--                       SCAN (subquery)
--                     RECURSIVE STEP
--                       SCAN w
--                       SEARCH p USING PRIMARY KEY (child_id=? AND position<?)
--                   SCAN walk
--                 SCAN (subquery)
--               MATERIALIZE k
--                 COMPOUND QUERY
--                   UNION ALL
--               SCAN g
--               SCAN k
--               SEARCH p USING PRIMARY KEY (child_id=? AND position<?) LEFT-JOIN
--               USE TEMP B-TREE FOR GROUP BY
--             SCAN (subquery)
--           SCAN (subquery)
--           USE TEMP B-TREE FOR ORDER BY
--         SCAN (subquery)
--         LIST SUBQUERY
--           SCAN json_each VIRTUAL TABLE INDEX 1:
--           CREATE BLOOM FILTER
--     SCAN f
--     SCAN d VIRTUAL TABLE INDEX 1:
--     SEARCH c USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
