-- issues: list select
-- Binds: ?7 filter.query(whose).to_string(), ?8 at, ?9 id, ?10 skipped, ?11 page.size
-- Rows in the small world: 2 given, 0 written

select iif(octet_length(v) <= 39000, v, '"cut"') as v
from (
-- call/group_head.sql
union all
select v
from (
  with asked as materialized (
    select g.*, (
      select json_group_array(json_array(id, access, 1))
      from (
        select p.id, iif(g.access >= (select ?7 ->> '$.hidden'), g.access, max(g.access, coalesce((
          select m.access
          from project_members m
          where m.user_id = g.user_id and m.project_id = p.id
        ), 0))) as access
        from projects p indexed by projects_of_namespace_by_visibility
        where p.namespace_id = g.group_id and p.visibility >= iif(g.access > 0, 0, g.sees_from)
          and p.deleted_at is null and p.issues_enabled
        union
        select p.id, m.access
        from project_members m
        cross join projects p
        on p.id = m.project_id
        where g.access = 0 and m.user_id = g.user_id and p.namespace_id = g.group_id
          and p.visibility < g.sees_from and p.deleted_at is null
          and p.issues_enabled
      )
    ) as places
    from (
      select s.user_id, s.group_id, s.access, s.sees_from, iif(s.access > 0 and ?7 ->> '$.unnamed', not exists (
        select 1
        from projects q indexed by projects_without_issues
        where q.namespace_id = s.group_id and (q.deleted_at is not null or not q.issues_enabled)
      ), 0) as together
      from scope s
    ) g
  ), chosen as materialized (
    select asked.*, (
      select json_group_array(json(range))
      from (
        select json_array(0, v.value ->> 0, y.id, z.id, iif(v.value ->> 1 >= (select ?7 ->> '$.hidden'), -1, asked.user_id),
          '$.classes') as range
        from json_each(iif(asked.together, '[]', asked.places)) v
        left join labels y
        on y.id = (
          select b.id
          from json_each(?7, '$.names') d
          cross join labels b
          on b.project_id = v.value ->> 0 and b.title = d.value
          order by b.opened + b.closed + b.opened_hidden + b.closed_hidden
          limit 1
        )
        left join milestones z
        on z.project_id = v.value ->> 0 and z.title = (select ?7 ->> '$.title')
        where (?7 ->> '$.names' is null or y.id is not null) and (?7 ->> '$.title' is null or z.id is not null)
        union all
        select json_array(1, asked.group_id, null, null, iif(asked.access >= (select ?7 ->> '$.hidden'), -1, asked.user_id),
          '$.classes')
        where asked.together
        union all
        select json_array(0, o.project_id, null, null, -1, '$.hidden_classes')
        from project_members o
        cross join projects p
        on p.id = o.project_id and p.namespace_id = asked.group_id
        where o.user_id = asked.user_id and o.access >= (select ?7 ->> '$.hidden')
          and asked.together and asked.access < (select ?7 ->> '$.hidden')
      )
    ) as ranges, (
      select json_array(coalesce(sum((?7 ->> '$.opened') * (coalesce(a.opened, b.opened, c.opened, 0) + (v.value ->> 1 >= (select ?7 ->> '$.hidden')) * coalesce(a.opened_hidden,
        b.opened_hidden, c.opened_hidden, 0)) + (?7 ->> '$.closed_too') * (coalesce(a.closed, b.closed, c.closed,
        0) + (v.value ->> 1 >= (select ?7 ->> '$.hidden')) * coalesce(a.closed_hidden, b.closed_hidden, c.closed_hidden,
        0))), 0), count(*), count(e.id))
      from json_each(asked.places) v
      left join issue_counts a
      on ?7 ->> '$.counter' = 'project' and a.project_id = v.value ->> 0
      left join labels b
      on ?7 ->> '$.counter' = 'label' and b.project_id = v.value ->> 0
        and b.title = (select ?7 ->> '$.names[0]')
      left join milestones e
      on e.id = (select ?7 ->> '$.milestone') and e.project_id = v.value ->> 0
      left join milestones c
      on ?7 ->> '$.counter' = 'milestone' and c.project_id = v.value ->> 0
        and c.title = coalesce(e.title, (select ?7 ->> '$.milestones[0]'))
    ) as known
    from asked
  ), page as materialized (
    select chosen.*, (
      with recursive walk(position, kind, owner_id, label_id, milestone_id, viewer_id, classes, class) as (
        select (
          select max((
            select format('%017d%017d%d', (1 << 53) + x.at, x.issue_id, x.project_id)
            from issue_postings x
            where x.kind = r.value ->> 0 and x.owner_id = r.value ->> 1
              and x.label_id = coalesce(r.value ->> 2, k.value ->> 0)
              and x.milestone_id = coalesce(r.value ->> 3, k.value ->> 1)
              and x.viewer_id = iif(k.value ->> 2, r.value ->> 4, 0)
              and x.closed = k.value ->> 3 and x.updated = (select ?7 ->> '$.updated')
              and (x.at, x.issue_id) < ((select ?8), (select ?9))
            order by x.at desc, x.issue_id desc
            limit 1
          ))
          from json_each(?7, r.value ->> 5) k
        ), r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, null
        from json_each(chosen.ranges) r
        union all
        select (
          select format('%017d%017d%d', (1 << 53) + x.at, x.issue_id, x.project_id)
          from issue_postings x
          where x.kind = w.kind and x.owner_id = w.owner_id and x.label_id = coalesce(w.label_id, k.value ->> 0)
            and x.milestone_id = coalesce(w.milestone_id, k.value ->> 1)
            and x.viewer_id = iif(k.value ->> 2, w.viewer_id, 0)
            and x.closed = k.value ->> 3 and x.updated = (select ?7 ->> '$.updated')
            and (x.at, x.issue_id) < (cast(substr(w.position, 1, 17) as integer) - (1 << 53), cast(substr(w.position,
            18, 17) as integer))
          order by x.at desc, x.issue_id desc
          limit 1
        ), w.kind, w.owner_id, w.label_id, w.milestone_id, w.viewer_id, null, k.value
        from walk w
        cross join json_each(?7, w.classes) k
        where w.position is not null and w.class is null
        union all
        select (
          select format('%017d%017d%d', (1 << 53) + x.at, x.issue_id, x.project_id)
          from issue_postings x
          where x.kind = w.kind and x.owner_id = w.owner_id and x.label_id = coalesce(w.label_id, w.class ->> 0)
            and x.milestone_id = coalesce(w.milestone_id, w.class ->> 1)
            and x.viewer_id = iif(w.class ->> 2, w.viewer_id, 0)
            and x.closed = w.class ->> 3 and x.updated = (select ?7 ->> '$.updated')
            and (x.at, x.issue_id) < (cast(substr(w.position, 1, 17) as integer) - (1 << 53), cast(substr(w.position,
            18, 17) as integer))
          order by x.at desc, x.issue_id desc
          limit 1
        ), w.kind, w.owner_id, w.label_id, w.milestone_id, w.viewer_id, null, w.class
        from walk w
        where w.position is not null and w.class is not null
        order by 1 desc
      )
      select json_group_array(cast(substr(position, 18, 17) as integer))
      from (
        select distinct position
        from walk
        where position is not null and (?7 ->> '$.every' is null or (
          select count(*)
          from json_each(?7, '$.every') d
          cross join labels y
          on y.project_id = cast(substr(position, 35) as integer)
            and y.title = d.value
          cross join issue_labels b
          on b.issue_id = cast(substr(position, 18, 17) as integer)
            and b.label_id = y.id
        ) = json_array_length(?7, '$.every'))
        limit (
          select 1 + ?11
        ) offset (select ?10)
      )
    ) as ids, (
      select json_array(count(*) * iif(?7 ->> '$.every' is null, 1, 1 + 2 * json_array_length(?7, '$.every')), iif(count(*) < ?7 ->> '$.rows',
        count(distinct iif(kept, issue_id, null)), null))
      from (
        select x.issue_id, (?7 ->> '$.every' is null or (
          select count(*)
          from json_each(?7, '$.every') d
          cross join labels y
          on y.project_id = x.project_id and y.title = d.value
          cross join issue_labels b
          on b.issue_id = x.issue_id and b.label_id = y.id
        ) = json_array_length(?7, '$.every')) as kept
        from json_each(chosen.ranges) r
        cross join json_each(?7, iif(?7 ->> '$.counter' is null, r.value ->> 5, '$.hidden_classes')) k
        cross join issue_postings x
        on x.kind = r.value ->> 0 and x.owner_id = r.value ->> 1
          and x.label_id = coalesce(r.value ->> 2, k.value ->> 0)
          and x.milestone_id = coalesce(r.value ->> 3, k.value ->> 1)
          and x.viewer_id = iif(k.value ->> 2, r.value ->> 4, 0)
          and x.closed = k.value ->> 3 and x.updated = 0
        where (?7 ->> '$.counter' is null or r.value ->> 4 > 0)
          and (?7 ->> '$.counter' is null or r.value ->> 0 = 0 or not exists (
          select 1
          from project_members m
          where m.user_id = chosen.user_id and m.project_id = x.project_id
            and m.access >= (select ?7 ->> '$.hidden')
        ))
        limit (select ?7 ->> '$.rows')
      )
    ) as counted
    from chosen
  )
  select iif(i.id is null, json_object('total', json_object( 'count', iif(page.counted ->> 1 <= ?7 ->> '$.most',
    page.known ->> 0 + page.counted ->> 1, null), 'more', json_array_length(page.ids) > ?11, 'counted', page.known ->> 1 * 4 + page.counted ->> 0,
    'exists', page.known ->> 2 > 0 or ?7 ->> '$.milestone' is null)), json_object('issue', json_object('id', i.id,
    'iid', i.iid, 'project_id', i.project_id, 'full_path', (
    select p.full_path
    from projects p
    where p.id = i.project_id
  ), 'title', i.title, 'description', i.description, 'state', i.state, 'created_at', i.created_at, 'updated_at',
    i.updated_at, 'labels', json((
    select json_group_array(l.title)
    from issue_labels il
    cross join labels l
    on l.id = il.label_id
    where il.issue_id = i.id and substr(l.title, 1, 1) <> ','
  )), 'milestone', json((
    select json_object('id', m.id, 'iid', m.iid, 'project_id', m.project_id, 'title', m.title, 'description', m.description,
      'state', m.state, 'due_date', m.due_date, 'created_at', m.created_at, 'updated_at', m.updated_at)
    from milestones m
    where m.id = i.milestone_id
  )), 'assignee', json((
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = i.assignee_id
  )), 'author', json((
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = i.author_id
  )), 'subscribed', coalesce((
    select s.subscribed
    from subscriptions s
    where s.issue_id = i.id and s.user_id = page.user_id
  ), page.user_id in (i.author_id, i.assignee_id) or exists (
    select 1
    from participants t
    where t.issue_id = i.id and t.user_id = page.user_id
  ), 0), 'user_notes_count', i.user_notes_count, 'due_date', i.due_date, 'confidential', i.confidential))) as v
  from page
  cross join json_each(json_insert(page.ids, '$[#]', 0)) d
  left join issues i
  on i.id = d.value
  where d.key < ?11 or d.value = 0
))

-- Plan:
-- CO-ROUTINE (subquery)
--   COMPOUND QUERY
--     UNION ALL
--       MATERIALIZE page
--         MATERIALIZE chosen
--           MATERIALIZE asked
--             SCAN s
--             CORRELATED SCALAR SUBQUERY
--               SEARCH q USING INDEX projects_without_issues (namespace_id=?)
--             CORRELATED SCALAR SUBQUERY
--               CO-ROUTINE (subquery)
--                 MERGE (UNION)
--                   LEFT
--                     SEARCH p USING INDEX projects_of_namespace_by_visibility (namespace_id=? AND visibility>?)
--                     CORRELATED SCALAR SUBQUERY
--                       SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--                     USE TEMP B-TREE FOR ORDER BY
--                   RIGHT
--                     SEARCH m USING PRIMARY KEY (user_id=?)
--                     SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--                     USE TEMP B-TREE FOR ORDER BY
--               SCAN (subquery)
--           SCAN asked
--           CORRELATED SCALAR SUBQUERY
--             CO-ROUTINE (subquery)
--               COMPOUND QUERY
--                 UNION ALL
--                 UNION ALL
--                   SEARCH o USING PRIMARY KEY (user_id=?)
--                   SEARCH p USING COVERING INDEX projects_of_namespace (namespace_id=? AND id=? AND rowid=?)
--             SCAN (subquery)
--           CORRELATED SCALAR SUBQUERY
--             SCAN v VIRTUAL TABLE INDEX 1:
--             SEARCH a USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--             SEARCH b USING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?) LEFT-JOIN
--             SEARCH e USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--             SEARCH c USING INDEX sqlite_autoindex_milestones_2 (project_id=? AND title=?) LEFT-JOIN
--         SCAN chosen
--         CORRELATED SCALAR SUBQUERY
--           CO-ROUTINE (subquery)
--             CO-ROUTINE walk
--               SETUP
--                 SCAN r VIRTUAL TABLE INDEX 1:
--                 CORRELATED SCALAR SUBQUERY
--                   SEARCH k VIRTUAL TABLE INDEX 3:
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH x USING PRIMARY KEY (kind=? AND owner_id=? AND label_id=? AND milestone_id=? AND viewer_id=? AND closed=? AND updated=? AND (at,issue_id)<(?,?))
--                     REUSE SUBQUERY
--                     REUSE SUBQUERY
--               RECURSIVE STEP
--                 COMPOUND QUERY
--                   UNION ALL
--                     SCAN w
--                     CORRELATED SCALAR SUBQUERY
--                       SEARCH x USING PRIMARY KEY (kind=? AND owner_id=? AND label_id=? AND milestone_id=? AND viewer_id=? AND closed=? AND updated=? AND at<?)
--             SCAN walk
--             CORRELATED SCALAR SUBQUERY
--               SCAN d VIRTUAL TABLE INDEX 3:
--               SEARCH y USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?)
--               SEARCH b USING PRIMARY KEY (issue_id=? AND label_id=?)
--             USE TEMP B-TREE FOR DISTINCT
--           SCAN (subquery)
--         CORRELATED SCALAR SUBQUERY
--           CO-ROUTINE (subquery)
--             SCAN r VIRTUAL TABLE INDEX 1:
--             SCAN k VIRTUAL TABLE INDEX 3:
--             SEARCH x USING PRIMARY KEY (kind=? AND owner_id=? AND label_id=? AND milestone_id=? AND viewer_id=? AND closed=? AND updated=?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--             CORRELATED SCALAR SUBQUERY
--               SCAN d VIRTUAL TABLE INDEX 3:
--               SEARCH y USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?)
--               SEARCH b USING PRIMARY KEY (issue_id=? AND label_id=?)
--           USE TEMP B-TREE FOR count(DISTINCT)
--           SCAN (subquery)
--       SCAN page
--       SCAN d VIRTUAL TABLE INDEX 1:
--       SEARCH i USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       CORRELATED SCALAR SUBQUERY
--         SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH il USING PRIMARY KEY (issue_id=?)
--         SEARCH l USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH s USING PRIMARY KEY (issue_id=? AND user_id=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH t USING PRIMARY KEY (issue_id=? AND user_id=?)
-- SCAN (subquery)
