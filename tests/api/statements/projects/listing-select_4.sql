-- projects: listing select
-- Binds: ?7 self.least, ?8 key, ?9 id, ?10 steps, ?11 page.size + 1, ?12 offset, ?13 self.search, ?14 self.searched as
--   i64, ?15 self.archived, ?16 self.visibility, ?17 self.with_issues.then_some(1), ?18 after, ?19 before, ?20
--   id_after, ?21 id_before, ?22 self.order.word(), ?23 json!({ "all": self.all, "commits": self.commits, "total":
--   self.total }).to_string()
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  with place as materialized (
    select s.*, (
      select json_group_array(p.id)
      from project_members m
      cross join projects p
      on p.id = m.project_id and p.deleted_at is null
      where m.user_id = iif(s.below > 0, s.user_id, null) and m.access >= coalesce(?7, 0)
        and p.visibility < s.below and p.visibility = coalesce(?16, p.visibility)
        and p.namespace_id = coalesce(s.home, p.namespace_id)
        and (s.home is not null or not exists (
        select 1
        from json_each(s.places) y
        where y.value ->> 0 = p.namespace_id
      ))
    ) as others
    from (
      select *, json_array(json_array(home, below, 99)) as places
      from (
        select c.id as user_id, u.id as home, iif(c.admin or c.id = u.id, 0, c.sees_from) as below
        from caller c
        cross join users u
        on u.id = coalesce(?24 ->> 0, (
          select n.id
          from namespaces n
          where n.path_key = (select ?24 ->> 1)
        ), iif(?24 is null, c.id, null)) and u.id > 0
      )
    ) s
  ), asked as materialized (
    select a.user_id, (
      select json_group_array(json(start))
      from (
        select json_array(l.value, y.value ->> 0, ?9, ?8, null) as start
        from json_each(a.places) y
        cross join json_each(json_array(0, 10, 20)) l
        where l.value >= y.value ->> 1 and l.value < y.value ->> 2
          and l.value = coalesce(?16, l.value)
        union all
        select json_array(null, null, p.id, case ?22 when 'name' then lower(p.name) when 'path' then lower(p.path) when 'update' then p.updated_at else p.id end,
          ((?13 is null or instr(lower(p.name), lower(?13)) or instr(lower(p.path), lower(?13)) or ?14 = 1 and instr(lower(p.full_path),
          lower(?13)) or ?14 = 2 and instr(lower(p.description), lower(?13))) and p.archived = coalesce(?15, p.archived)
          and p.issues_enabled >= coalesce(?17, 0) and p.updated_at >= coalesce(?18, p.updated_at) and p.updated_at <= coalesce(?19,
          p.updated_at) and p.id > coalesce(?20, 0) and p.id < coalesce(?21, p.id + 1)) is true)
        from json_each(a.others) o
        cross join projects p
        on p.id = o.value
        where (case ?22 when 'name' then lower(p.name) when 'path' then lower(p.path) when 'update' then p.updated_at else p.id end,
          p.id) < (?8, ?9) and (?22 is not null or p.id > coalesce(?20, 0) and p.id < coalesce(?21, p.id + 1))
          and (?22 is not 'update' or p.updated_at >= coalesce(?18, p.updated_at) and p.updated_at <= coalesce(?19,
          p.updated_at))
      )
    ) as queue, case when not ?23 ->> '$.total' then null when coalesce(?13, ?15, ?16) is null then (
      select json_array(sum(coalesce((
        select u.projects_count
        from users u
        where u.id = y.value ->> 0
      ), (
        select g.projects_count
        from groups g
        where g.id = y.value ->> 0
      ))) + json_array_length(a.others), 0)
      from json_each(a.places) y
    ) else (
      select json_array(iif(count(*) > 10000, null, coalesce(sum(f), 0)), iif(coalesce(?13, ?15) is null, 1, 2) * count(*))
      from (
        select iif(coalesce(?13, ?15) is null, 1, (
          select ((?13 is null or instr(lower(p.name), lower(?13)) or instr(lower(p.path), lower(?13)) or ?14 = 1
            and instr(lower(p.full_path), lower(?13)) or ?14 = 2 and instr(lower(p.description), lower(?13))) and p.archived = coalesce(?15,
            p.archived) and p.issues_enabled >= coalesce(?17, 0) and p.updated_at >= coalesce(?18, p.updated_at)
            and p.updated_at <= coalesce(?19, p.updated_at) and p.id > coalesce(?20, 0) and p.id < coalesce(?21,
            p.id + 1)) is true
          from projects p
          where p.id = y.id
        )) as f
        from (
          select x.id
          from json_each(a.places) y
          cross join json_each(json_array(0, 10, 20)) l
          cross join projects x
          on x.namespace_id = y.value ->> 0 and x.visibility = l.value
            and x.deleted_at is null
          where l.value = coalesce(?16, l.value)
          union all
          select value
          from json_each(a.others)
          limit 10001
        ) y
      )
    ) end as total
    from place a
  )
  select json_object('total', json(coalesce(total, '[null,0]'))) as v
  from asked
  union all
  select *
  from (
    select iif(w.fits, json_object(iif(w.number = ?10, 'last', 'row'), json(json_array(json_array(p.id, p.name,
      p.path, p.full_name, p.full_path, p.description, p.visibility, p.default_branch, p.issues_enabled, p.builds_enabled,
      p.archived, p.creator_id, p.created_at, p.updated_at), json((
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
      where m.user_id = w.user_id and m.project_id = p.id
    ), (
      select m.access
      from group_members m
      where m.user_id = w.user_id and m.group_id = p.namespace_id
    ), iif(?23 ->> '$.commits', (
      select b.commits
      from branch_counts b
      where b.project_id = p.id and b.branch = p.default_branch
    ), null)))), json_object('end', json_array(w.id, w.k))) as v
    from (
      select *, 0 as number
      from (
        with recursive walk(user_id, level, namespace, id, k, fits) as (
          select q.user_id, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
          from asked q
          cross join json_each(q.queue)
          union all
          select w.user_id, w.level, w.namespace, p.id, case ?22 when 'name' then lower(p.name) when 'path' then lower(p.path) when 'update' then p.updated_at else p.id end,
            ((?13 is null or instr(lower(p.name), lower(?13)) or instr(lower(p.path), lower(?13)) or ?14 = 1 and instr(lower(p.full_path),
            lower(?13)) or ?14 = 2 and instr(lower(p.description), lower(?13))) and p.archived = coalesce(?15, p.archived)
            and p.issues_enabled >= coalesce(?17, 0) and p.updated_at >= coalesce(?18, p.updated_at) and p.updated_at <= coalesce(?19,
            p.updated_at) and p.id > coalesce(?20, 0) and p.id < coalesce(?21, p.id + 1)) is true
            and (?7 is null or case when false then 60 when p.namespace_id = w.user_id then 50 else max(coalesce((
            select m.access
            from project_members m
            where m.user_id = w.user_id and m.project_id = p.id
          ), 0), coalesce((
            select m.access
            from group_members m
            where m.user_id = w.user_id and m.group_id = p.namespace_id
          ), 0)) end >= (select ?7))
          from walk w
          cross join projects p
          on p.id = case ?22 when 'name' then coalesce((
            select x.id
            from projects x
            where x.namespace_id = w.namespace and x.visibility = w.level
              and x.deleted_at is null and lower(x.name) = w.k
              and x.id < w.id
            order by x.id desc
            limit 1
          ), (
            select x.id
            from projects x
            where x.namespace_id = w.namespace and x.visibility = w.level
              and x.deleted_at is null and lower(x.name) < w.k
            order by lower(x.name) desc, x.id desc
            limit 1
          )) when 'path' then coalesce((
            select x.id
            from projects x
            where x.namespace_id = w.namespace and x.visibility = w.level
              and x.deleted_at is null and lower(x.path) = w.k
              and x.id < w.id
            order by x.id desc
            limit 1
          ), (
            select x.id
            from projects x
            where x.namespace_id = w.namespace and x.visibility = w.level
              and x.deleted_at is null and lower(x.path) < w.k
            order by lower(x.path) desc, x.id desc
            limit 1
          )) when 'update' then coalesce((
            select x.id
            from projects x
            where x.namespace_id = w.namespace and x.visibility = w.level
              and x.deleted_at is null and x.updated_at = w.k
              and x.id < w.id
            order by x.id desc
            limit 1
          ), (
            select x.id
            from projects x
            where x.namespace_id = w.namespace and x.visibility = w.level
              and x.deleted_at is null and x.updated_at < w.k
            order by x.updated_at desc, x.id desc
            limit 1
          )) else (
            select x.id
            from projects x
            where x.namespace_id = w.namespace and x.visibility = w.level
              and x.deleted_at is null and x.id < w.id
            order by x.id desc
            limit 1
          ) end and (?22 is not null or p.id > coalesce(?20, 0) and p.id < coalesce(?21, p.id + 1))
            and (?22 is not 'update' or p.updated_at >= coalesce(?18, p.updated_at) and p.updated_at <= coalesce(?19,
            p.updated_at))
          where w.level is not null
          order by 5 desc, 4 desc
        )
        select user_id, id, k, fits
        from walk
        where fits is not null
        limit (select ?10)
      )
    ) w
    left join projects p
    on p.id = iif(w.fits, w.id, null)
    where w.fits or w.number = (select ?10)
    limit (select ?11) offset (select ?12)
  )
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE (subquery)
--       COMPOUND QUERY
--         UNION ALL
--           CO-ROUTINE (subquery)
--             CO-ROUTINE (subquery)
--               CO-ROUTINE walk
--                 SETUP
--                   SCAN q
--                   SCAN json_each VIRTUAL TABLE INDEX 1:
--                 RECURSIVE STEP
--                   SCAN w
--                   SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH x USING INDEX projects_within_by_name (namespace_id=? AND visibility=? AND <expr>=? AND id<?)
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH x USING INDEX projects_within_by_name (namespace_id=? AND visibility=? AND <expr><?)
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH x USING INDEX projects_within_by_path (namespace_id=? AND visibility=? AND <expr>=? AND id<?)
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH x USING INDEX projects_within_by_path (namespace_id=? AND visibility=? AND <expr><?)
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH x USING INDEX projects_within_by_update (namespace_id=? AND visibility=? AND updated_at=? AND id<?)
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH x USING INDEX projects_within_by_update (namespace_id=? AND visibility=? AND updated_at<?)
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH x USING INDEX projects_seen_of_namespace (visibility=? AND namespace_id=? AND rowid<?)
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--               SCAN walk
--             SCAN (subquery)
--             SEARCH p USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--             CORRELATED SCALAR SUBQUERY
--               SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--               SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH b USING PRIMARY KEY (project_id=? AND branch=?)
--           SCAN (subquery)
--     SCAN (subquery)
