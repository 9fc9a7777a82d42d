-- issues: list select
-- Binds: ?7 filter.query(whose).to_string(), ?8 at, ?9 id, ?10 skipped, ?11 page.size
-- Rows in the small world: 3 given, 0 written

select iif(octet_length(v) <= 39000, v, '"cut"') as v
from (
-- call/project_head.sql
union all
select v
from (
  with asked as materialized (
    select user_id, full_path, access, json_array(json_array(project_id, access, issues_enabled)) as places
    from scope
  ), chosen as materialized (
    select asked.*, (
      select json_group_array(json(range))
      from (
        select json_array(0, v.value ->> 0, iif(l.type = 'integer', l.value, y.id), iif(m.type = 'integer', m.value,
          z.id), iif(s.value ->> 1, iif(v.value ->> 1 >= (select ?7 ->> '$.hidden'), -1, asked.user_id), 0), s.value ->> 0) as range
        from json_each(asked.places) v
        cross join json_each(?7, '$.labels') l
        left join labels y
        on l.type <> 'integer' and y.project_id = v.value ->> 0
          and y.title = l.value
        cross join json_each(?7, '$.milestones') m
        left join milestones z
        on m.type = 'text' and z.project_id = v.value ->> 0 and z.title = m.value
        cross join json_each(?7, '$.stands') s
        where (l.type = 'integer' or y.id is not null) and (m.type = 'integer' or z.id is not null)
          and v.value ->> 2
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
      select json_group_array(id)
      from (
        select i.id, iif((select ?7 ->> '$.updated'), i.updated_at, i.created_at) as at
        from json_each(chosen.places) v
        cross join json_each(?7, '$.iids') d
        cross join issues i
        on i.project_id = v.value ->> 0 and i.iid = d.value
        where v.value ->> 2 and i.deleted_at is null and iif(i.state = 'closed', ?7 ->> '$.closed_too', ?7 ->> '$.opened')
          and (not i.confidential or v.value ->> 1 >= (select ?7 ->> '$.hidden') or chosen.user_id in (i.author_id,
          i.assignee_id)) and (i.unlabeled - 1 in (
          select value
          from json_each(?7, '$.labels')
        ) or exists (
          select 1
          from issue_labels b
          cross join labels y
          on y.id = b.label_id
          where b.issue_id = i.id and y.title in (
            select value
            from json_each(?7, '$.names')
          )
        )) and (-(i.milestone_id is not null) in (
          select value
          from json_each(?7, '$.milestones')
        ) or i.milestone_id = (select ?7 ->> '$.milestone') or exists (
          select 1
          from milestones m
          where m.id = i.milestone_id and m.title in (
            select value
            from json_each(?7, '$.milestones')
          )
        )) and (iif((select ?7 ->> '$.updated'), i.updated_at, i.created_at), i.id) < (?8, ?9)
        order by at desc, i.id desc
        limit (
          select 1 + ?11
        ) offset (select ?10)
      )
    ) as ids, (
      select json_array(0, count(*))
      from (
        select i.id, iif((select ?7 ->> '$.updated'), i.updated_at, i.created_at) as at
        from json_each(chosen.places) v
        cross join json_each(?7, '$.iids') d
        cross join issues i
        on i.project_id = v.value ->> 0 and i.iid = d.value
        where v.value ->> 2 and i.deleted_at is null and iif(i.state = 'closed', ?7 ->> '$.closed_too', ?7 ->> '$.opened')
          and (not i.confidential or v.value ->> 1 >= (select ?7 ->> '$.hidden') or chosen.user_id in (i.author_id,
          i.assignee_id)) and (i.unlabeled - 1 in (
          select value
          from json_each(?7, '$.labels')
        ) or exists (
          select 1
          from issue_labels b
          cross join labels y
          on y.id = b.label_id
          where b.issue_id = i.id and y.title in (
            select value
            from json_each(?7, '$.names')
          )
        )) and (-(i.milestone_id is not null) in (
          select value
          from json_each(?7, '$.milestones')
        ) or i.milestone_id = (select ?7 ->> '$.milestone') or exists (
          select 1
          from milestones m
          where m.id = i.milestone_id and m.title in (
            select value
            from json_each(?7, '$.milestones')
          )
        ))
      )
    ) as counted
    from chosen
  )
  select iif(i.id is null, json_object('total', json_object( 'count', iif(page.counted ->> 1 <= ?7 ->> '$.most',
    page.known ->> 0 + page.counted ->> 1, null), 'more', json_array_length(page.ids) > ?11, 'counted', page.known ->> 1 * 0 + page.counted ->> 0,
    'exists', page.known ->> 2 > 0 or ?7 ->> '$.milestone' is null)), json_object('issue', json_object('id', i.id,
    'iid', i.iid, 'project_id', i.project_id, 'full_path', page.full_path, 'title', i.title, 'description', i.description,
    'state', i.state, 'created_at', i.created_at, 'updated_at', i.updated_at, 'labels', json((
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
--             SCAN scope
--           SCAN asked
--           CORRELATED SCALAR SUBQUERY
--             SCAN v VIRTUAL TABLE INDEX 1:
--             SCAN l VIRTUAL TABLE INDEX 3:
--             SEARCH y USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?) LEFT-JOIN
--             SCAN m VIRTUAL TABLE INDEX 3:
--             SEARCH z USING COVERING INDEX sqlite_autoindex_milestones_2 (project_id=? AND title=?) LEFT-JOIN
--             SCAN s VIRTUAL TABLE INDEX 3:
--           CORRELATED SCALAR SUBQUERY
--             SCAN v VIRTUAL TABLE INDEX 1:
--             SEARCH a USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--             SEARCH b USING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?) LEFT-JOIN
--             SEARCH e USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--             SEARCH c USING INDEX sqlite_autoindex_milestones_2 (project_id=? AND title=?) LEFT-JOIN
--         SCAN chosen
--         CORRELATED SCALAR SUBQUERY
--           CO-ROUTINE (subquery)
--             SCAN v VIRTUAL TABLE INDEX 1:
--             SCAN d VIRTUAL TABLE INDEX 3:
--             SEARCH i USING INDEX issues_number (project_id=? AND iid=?)
--             LIST SUBQUERY
--               SCAN json_each VIRTUAL TABLE INDEX 3:
--               CREATE BLOOM FILTER
--             CORRELATED SCALAR SUBQUERY
--               SEARCH b USING PRIMARY KEY (issue_id=?)
--               SEARCH y USING INTEGER PRIMARY KEY (rowid=?)
--               LIST SUBQUERY
--                 SCAN json_each VIRTUAL TABLE INDEX 3:
--                 CREATE BLOOM FILTER
--             LIST SUBQUERY
--               SCAN json_each VIRTUAL TABLE INDEX 3:
--               CREATE BLOOM FILTER
--             CORRELATED SCALAR SUBQUERY
--               SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--               LIST SUBQUERY
--                 SCAN json_each VIRTUAL TABLE INDEX 3:
--                 CREATE BLOOM FILTER
--             USE TEMP B-TREE FOR ORDER BY
--           SCAN (subquery)
--         CORRELATED SCALAR SUBQUERY
--           SCAN v VIRTUAL TABLE INDEX 1:
--           SCAN d VIRTUAL TABLE INDEX 3:
--           SEARCH i USING INDEX issues_number (project_id=? AND iid=?)
--           LIST SUBQUERY
--             SCAN json_each VIRTUAL TABLE INDEX 3:
--             CREATE BLOOM FILTER
--           CORRELATED SCALAR SUBQUERY
--             SEARCH b USING PRIMARY KEY (issue_id=?)
--             SEARCH y USING INTEGER PRIMARY KEY (rowid=?)
--             LIST SUBQUERY
--               SCAN json_each VIRTUAL TABLE INDEX 3:
--               CREATE BLOOM FILTER
--           LIST SUBQUERY
--             SCAN json_each VIRTUAL TABLE INDEX 3:
--             CREATE BLOOM FILTER
--           CORRELATED SCALAR SUBQUERY
--             SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--             LIST SUBQUERY
--               SCAN json_each VIRTUAL TABLE INDEX 3:
--               CREATE BLOOM FILTER
--       SCAN page
--       SCAN d VIRTUAL TABLE INDEX 1:
--       SEARCH i USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
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
