-- issues: list select
-- Binds: ?7 filter.query(whose).to_string(), ?8 at, ?9 id, ?10 skipped, ?11 page.size
-- Rows in the small world: 2 given, 0 written

select iif(octet_length(v) <= 39000, v, '"cut"') as v
from (
-- call/caller_head.sql
union all
select v
from (
  with asked as materialized (
    select c.id, c.id as user_id, c.admin, c.sees_from, (
      select json_group_array(json_array(p.id, 0, 1))
      from issue_authors n
      cross join projects p
      on p.id = n.project_id
      where n.author_id = c.id and p.deleted_at is null and p.issues_enabled
        and (p.visibility >= c.sees_from or case when c.admin then 60 when p.namespace_id = c.id then 50 else max(coalesce((
        select m.access
        from project_members m
        where m.user_id = c.id and m.project_id = p.id
      ), 0), coalesce((
        select m.access
        from group_members m
        where m.user_id = c.id and m.group_id = p.namespace_id
      ), 0)) end > 0)
    ) as places, (
      select count(*)
      from issue_authors n
      where n.author_id = c.id
    ) as projects
    from caller c
  ), chosen as materialized (
    select asked.*, (
      select json_group_array(json(range))
      from (
        select json_array(2, asked.user_id, iif(l.type = 'integer', l.value, y.id), iif(m.type = 'integer', m.value,
          z.id), 0, s.value ->> 0) as range
        from json_each(iif(?7 ->> '$.unnamed', '[]', asked.places)) v
        cross join json_each(?7, '$.labels') l
        left join labels y
        on l.type <> 'integer' and y.project_id = v.value ->> 0
          and y.title = l.value
        cross join json_each(?7, '$.milestones') m
        left join milestones z
        on m.type = 'text' and z.project_id = v.value ->> 0 and z.title = m.value
        cross join json_each(?7, '$.stands') s
        where (l.type = 'integer' or y.id is not null) and (m.type = 'integer' or z.id is not null)
          and v.value ->> 2 and not s.value ->> 1
        union all
        select json_array(2, asked.user_id, l.value, m.value, 0, s.value ->> 0)
        from json_each(?7, '$.labels') l
        cross join json_each(?7, '$.milestones') m
        cross join json_each(?7, '$.stands') s
        where ?7 ->> '$.unnamed' and not s.value ->> 1
      )
    ) as ranges, (
      select json_array(coalesce(sum((?7 ->> '$.opened') * n.opened + (?7 ->> '$.closed_too') * n.closed), 0), json_array_length(asked.places),
        0)
      from json_each(asked.places) v
      cross join issue_authors n
      on n.author_id = asked.user_id and n.project_id = v.value ->> 0
      where ?7 ->> '$.counter' = 'project'
    ) as known
    from asked
  ), page as materialized (
    select chosen.*, (
      with recursive walk(position, kind, owner_id, label_id, milestone_id, viewer_id, closed) as (
        select (
          select format('%017d%017d%d', (1 << 53) + x.at, x.issue_id, x.project_id)
          from issue_postings x
          where x.kind = r.value ->> 0 and x.owner_id = r.value ->> 1
            and x.label_id = r.value ->> 2 and x.milestone_id = r.value ->> 3
            and x.viewer_id = r.value ->> 4 and x.closed = r.value ->> 5
            and x.updated = (select ?7 ->> '$.updated') and (x.at, x.issue_id) > ((select ?8), (select ?9))
          order by x.at asc, x.issue_id asc
          limit 1
        ), r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5
        from json_each(chosen.ranges) r
        union all
        select (
          select format('%017d%017d%d', (1 << 53) + x.at, x.issue_id, x.project_id)
          from issue_postings x
          where x.kind = w.kind and x.owner_id = w.owner_id and x.label_id = w.label_id
            and x.milestone_id = w.milestone_id and x.viewer_id = w.viewer_id
            and x.closed = w.closed and x.updated = (select ?7 ->> '$.updated')
            and (x.at, x.issue_id) > (cast(substr(w.position, 1, 17) as integer) - (1 << 53), cast(substr(w.position,
            18, 17) as integer))
          order by x.at asc, x.issue_id asc
          limit 1
        ), w.kind, w.owner_id, w.label_id, w.milestone_id, w.viewer_id, w.closed
        from walk w
        where w.position is not null
        order by 1 asc
      )
      select json_group_array(cast(substr(position, 18, 17) as integer))
      from (
        select distinct position
        from walk
        where position is not null and (not ?7 ->> '$.unnamed' or json_array_length(chosen.places) = chosen.projects
          or exists (
          select 1
          from projects p
          where p.id = cast(substr(position, 35) as integer) and p.deleted_at is null
            and p.issues_enabled and (p.visibility >= chosen.sees_from or case when chosen.admin then 60 when p.namespace_id = chosen.id then 50 else max(coalesce((
            select m.access
            from project_members m
            where m.user_id = chosen.id and m.project_id = p.id
          ), 0), coalesce((
            select m.access
            from group_members m
            where m.user_id = chosen.id and m.group_id = p.namespace_id
          ), 0)) end > 0)
        ))
        limit (
          select 1 + ?11
        ) offset (select ?10)
      )
    ) as ids, (
      select json_array(count(*) * iif(?7 ->> '$.unnamed' and json_array_length(chosen.places) < chosen.projects,
        2, 1), iif(count(*) < ?7 ->> '$.rows', count(distinct iif(kept, issue_id, null)), null))
      from (
        select x.issue_id, not ?7 ->> '$.unnamed' or json_array_length(chosen.places) = chosen.projects
          or exists (
          select 1
          from projects p
          where p.id = x.project_id and p.deleted_at is null and p.issues_enabled
            and (p.visibility >= chosen.sees_from or case when chosen.admin then 60 when p.namespace_id = chosen.id then 50 else max(coalesce((
            select m.access
            from project_members m
            where m.user_id = chosen.id and m.project_id = p.id
          ), 0), coalesce((
            select m.access
            from group_members m
            where m.user_id = chosen.id and m.group_id = p.namespace_id
          ), 0)) end > 0)
        ) as kept
        from json_each(chosen.ranges) r
        cross join issue_postings x
        on x.kind = r.value ->> 0 and x.owner_id = r.value ->> 1
          and x.label_id = r.value ->> 2 and x.milestone_id = r.value ->> 3
          and x.viewer_id = r.value ->> 4 and x.closed = r.value ->> 5
          and x.updated = 0
        where ?7 ->> '$.counter' is not 'project'
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
--             SCAN c
--             CORRELATED SCALAR SUBQUERY
--               SEARCH n USING PRIMARY KEY (author_id=?)
--               SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH n USING PRIMARY KEY (author_id=?)
--           SCAN asked
--           CORRELATED SCALAR SUBQUERY
--             CO-ROUTINE (subquery)
--               COMPOUND QUERY
--                 UNION ALL
--                   SCAN l VIRTUAL TABLE INDEX 3:
--                   SCAN m VIRTUAL TABLE INDEX 3:
--                   SCAN s VIRTUAL TABLE INDEX 3:
--             SCAN (subquery)
--           CORRELATED SCALAR SUBQUERY
--             SCAN v VIRTUAL TABLE INDEX 1:
--             SEARCH n USING PRIMARY KEY (author_id=? AND project_id=?)
--         SCAN chosen
--         CORRELATED SCALAR SUBQUERY
--           CO-ROUTINE (subquery)
--             CO-ROUTINE walk
--               SETUP
--                 SCAN r VIRTUAL TABLE INDEX 1:
--                 CORRELATED SCALAR SUBQUERY
--                   SEARCH x USING PRIMARY KEY (kind=? AND owner_id=? AND label_id=? AND milestone_id=? AND viewer_id=? AND closed=? AND updated=? AND (at,issue_id)>(?,?))
--                   REUSE SUBQUERY
--                   REUSE SUBQUERY
--               RECURSIVE STEP
--                 SCAN w
--                 CORRELATED SCALAR SUBQUERY
--                   SEARCH x USING PRIMARY KEY (kind=? AND owner_id=? AND label_id=? AND milestone_id=? AND viewer_id=? AND closed=? AND updated=? AND at>?)
--             SCAN walk
--             CORRELATED SCALAR SUBQUERY
--               SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--             USE TEMP B-TREE FOR DISTINCT
--           SCAN (subquery)
--         CORRELATED SCALAR SUBQUERY
--           CO-ROUTINE (subquery)
--             SCAN r VIRTUAL TABLE INDEX 1:
--             SEARCH x USING PRIMARY KEY (kind=? AND owner_id=? AND label_id=? AND milestone_id=? AND viewer_id=? AND closed=? AND updated=?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
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
