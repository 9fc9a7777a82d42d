-- issues: list select
-- Binds: ?7 question.to_string(), ?8 at, ?9 id, ?10 skipped, ?11 page.size
-- Rows in the small world: 2 given, 0 written

select iif(octet_length(v) <= (select ?6 ->> 6), v, '"cut ' || octet_length(v) || '"') as v
from (
-- call/project_head.sql
union all
select v
from (
  with asked as materialized (
    select user_id, full_path, access, json_array(json_array(project_id, access, issues_enabled)) as places, iif(typeof(?7 ->> '$.person[1]') = 'text',
      (
      select n.id
      from namespaces n
      where n.path_key = (select ?7 ->> '$.person[1]') and n.kind = 'user'
    ), coalesce(?7 ->> '$.person[1]', user_id)) as person_id
    from scope
  ), chosen as materialized (
    select asked.*, (
      select json_group_array(json(range))
      from (
        select json_array(iif(?7 ->> '$.person' is null, 0, 2), iif(?7 ->> '$.person' is null, v.value ->> 0, asked.person_id),
          iif(?7 ->> '$.person' is null, y.id, ?7 ->> '$.person[0]'), iif(?7 ->> '$.person' is null, coalesce(z.id,
          ?7 ->> '$.milestone'), v.value ->> 0), iif(v.value ->> 1 >= (select ?7 ->> '$.hidden'), -1, asked.user_id),
          '$.classes') as range
        from json_each(asked.places) v
        cross join json_each(?7, '$.labels') l
        left join labels y
        on y.id = (
          select iif(q.count = json_array_length(l.value), q.id, null)
          from (
            select b.id, count(*) as count, min(b.opened + b.closed + b.opened_hidden + b.closed_hidden)
            from json_each(l.value) d
            cross join labels b
            on b.project_id = v.value ->> 0 and b.title = d.value
          ) q
        )
        left join milestones z
        on z.project_id = v.value ->> 0 and z.title = (select ?7 ->> '$.title')
        where (l.value is null or y.id is not null) and (?7 ->> '$.title' is null or z.id is not null)
          and v.value ->> 2
      )
    ) as ranges, coalesce((
      select json_array(0, 0, json_array_length(asked.places), 1, q.count, json(q.value))
      from (
        select d.value, iif(?7 ->> '$.scope' = 2 or exists (
          select 1
          from json_each(asked.places) v
          cross join issues u indexed by issues_without_words
          on u.project_id = v.value ->> 0
          where u.words is null and u.deleted_at is null
        ), ?7 ->> '$.few' + 1, (
          select count(*)
          from (
            select 1
            from json_each(asked.places) v
            cross join json_each(json_array(0, iif(v.value ->> 1 >= (select ?7 ->> '$.hidden'), -1, asked.user_id))) w
            cross join issue_words x
            on v.value ->> 2 and x.project_id = v.value ->> 0
              and x.viewer_id = w.value and x.word >= d.value ->> 0
              and x.word < d.value ->> 1
            limit (
              select 1 + ?7 ->> '$.few'
            )
          )
        )) as count
        from json_each(?7, '$.words') d
        order by 2
        limit 1
      ) q
    ), '[0, 0, 0, 1]') as known
    from asked
  ), walked as materialized (
    select chosen.*, iif(chosen.known ->> 4 <= ?7 ->> '$.few', (
      select json_group_array(position)
      from (
        select distinct format('%017d%017d%d', (1 << 53) + (select ?7 ->> '$.way') * iif((select ?7 ->> '$.updated'),
          i.updated_at, i.created_at), (1 << 53) + (select ?7 ->> '$.way') * i.id, 2 * i.project_id + (i.state = 'closed')) as position
        from json_each(chosen.places) v
        cross join json_each(json_array(0, iif(v.value ->> 1 >= (select ?7 ->> '$.hidden'), -1, chosen.user_id))) w
        cross join issue_words x
        on v.value ->> 2 and x.project_id = v.value ->> 0 and x.viewer_id = w.value
          and x.word >= chosen.known ->> '$[5][0]' and x.word < chosen.known ->> '$[5][1]'
        cross join issues i
        on i.id = x.issue_id
        where ((select ?7 ->> '$.way') * iif((select ?7 ->> '$.updated'), i.updated_at, i.created_at), (select ?7 ->> '$.way') * i.id) > ((select ?7 ->> '$.way') * ?8,
          (select ?7 ->> '$.way') * ?9)
        order by 1
      )
    ), (
      with recursive walk(position, kind, owner_id, label_id, milestone_id, viewer_id, classes, class) as (
        select iif(o.value is null, (
          select min(iif((select ?7 ->> '$.way') > 0, (
            select format('%017d%017d%d', (1 << 53) + (select ?7 ->> '$.way') * x.at, (1 << 53) + (select ?7 ->> '$.way') * x.issue_id,
              2 * x.project_id + x.closed)
            from issue_postings x
            where x.kind = r.value ->> 0 and x.owner_id = r.value ->> 1
              and x.label_id = coalesce(r.value ->> 2, k.value ->> 0)
              and x.milestone_id = coalesce(r.value ->> 3, k.value ->> 1)
              and x.viewer_id = iif(k.value ->> 2, r.value ->> 4, 0)
              and x.closed = k.value ->> 3 and x.updated = (select ?7 ->> '$.updated')
              and (x.at, x.issue_id) >= ((select ?8), (select ?9) + (select ?7 ->> '$.way'))
              and x.at <= (select ?7 ->> '$.to')
            order by x.at asc, x.issue_id asc
            limit 1
          ), (
            select format('%017d%017d%d', (1 << 53) + (select ?7 ->> '$.way') * x.at, (1 << 53) + (select ?7 ->> '$.way') * x.issue_id,
              2 * x.project_id + x.closed)
            from issue_postings x
            where x.kind = r.value ->> 0 and x.owner_id = r.value ->> 1
              and x.label_id = coalesce(r.value ->> 2, k.value ->> 0)
              and x.milestone_id = coalesce(r.value ->> 3, k.value ->> 1)
              and x.viewer_id = iif(k.value ->> 2, r.value ->> 4, 0)
              and x.closed = k.value ->> 3 and x.updated = (select ?7 ->> '$.updated')
              and (x.at, x.issue_id) <= ((select ?8), (select ?9) + (select ?7 ->> '$.way'))
              and x.at >= (select ?7 ->> '$.from')
            order by x.at desc, x.issue_id desc
            limit 1
          )))
          from json_each(?7, r.value ->> 5) k
        ), iif((select ?7 ->> '$.way') > 0, (
          select format('%017d%017d%d', (1 << 53) + (select ?7 ->> '$.way') * x.at, (1 << 53) + (select ?7 ->> '$.way') * x.issue_id,
            2 * x.project_id + x.closed)
          from issue_postings x
          where x.kind = r.value ->> 0 and x.owner_id = r.value ->> 1
            and x.label_id = coalesce(r.value ->> 2, o.value ->> 0)
            and x.milestone_id = coalesce(r.value ->> 3, o.value ->> 1)
            and x.viewer_id = iif(o.value ->> 2, r.value ->> 4, 0)
            and x.closed = o.value ->> 3 and x.updated = (select ?7 ->> '$.updated')
            and (x.at, x.issue_id) >= ((select ?8), (select ?9) + (select ?7 ->> '$.way'))
            and x.at <= (select ?7 ->> '$.to')
          order by x.at asc, x.issue_id asc
          limit 1
        ), (
          select format('%017d%017d%d', (1 << 53) + (select ?7 ->> '$.way') * x.at, (1 << 53) + (select ?7 ->> '$.way') * x.issue_id,
            2 * x.project_id + x.closed)
          from issue_postings x
          where x.kind = r.value ->> 0 and x.owner_id = r.value ->> 1
            and x.label_id = coalesce(r.value ->> 2, o.value ->> 0)
            and x.milestone_id = coalesce(r.value ->> 3, o.value ->> 1)
            and x.viewer_id = iif(o.value ->> 2, r.value ->> 4, 0)
            and x.closed = o.value ->> 3 and x.updated = (select ?7 ->> '$.updated')
            and (x.at, x.issue_id) <= ((select ?8), (select ?9) + (select ?7 ->> '$.way'))
            and x.at >= (select ?7 ->> '$.from')
          order by x.at desc, x.issue_id desc
          limit 1
        ))), r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, o.value
        from json_each(chosen.ranges) r
        left join json_each(?7, iif(json_array_length(chosen.ranges) = 1, r.value ->> 5, '$.none')) o
        union all
        select iif((select ?7 ->> '$.way') > 0, (
          select format('%017d%017d%d', (1 << 53) + (select ?7 ->> '$.way') * x.at, (1 << 53) + (select ?7 ->> '$.way') * x.issue_id,
            2 * x.project_id + x.closed)
          from issue_postings x
          where x.kind = w.kind and x.owner_id = w.owner_id and x.label_id = coalesce(w.label_id, coalesce(k.value,
            w.class) ->> 0) and x.milestone_id = coalesce(w.milestone_id, coalesce(k.value, w.class) ->> 1)
            and x.viewer_id = iif(coalesce(k.value, w.class) ->> 2, w.viewer_id, 0)
            and x.closed = coalesce(k.value, w.class) ->> 3 and x.updated = (select ?7 ->> '$.updated')
            and (x.at, x.issue_id) >= ((select ?7 ->> '$.way') * (cast(substr(w.position, 1, 17) as integer) - (1 << 53)),
            (select ?7 ->> '$.way') * (cast(substr(w.position, 18, 17) as integer) - (1 << 53)) + (select ?7 ->> '$.way'))
            and x.at <= (select ?7 ->> '$.to')
          order by x.at asc, x.issue_id asc
          limit 1
        ), (
          select format('%017d%017d%d', (1 << 53) + (select ?7 ->> '$.way') * x.at, (1 << 53) + (select ?7 ->> '$.way') * x.issue_id,
            2 * x.project_id + x.closed)
          from issue_postings x
          where x.kind = w.kind and x.owner_id = w.owner_id and x.label_id = coalesce(w.label_id, coalesce(k.value,
            w.class) ->> 0) and x.milestone_id = coalesce(w.milestone_id, coalesce(k.value, w.class) ->> 1)
            and x.viewer_id = iif(coalesce(k.value, w.class) ->> 2, w.viewer_id, 0)
            and x.closed = coalesce(k.value, w.class) ->> 3 and x.updated = (select ?7 ->> '$.updated')
            and (x.at, x.issue_id) <= ((select ?7 ->> '$.way') * (cast(substr(w.position, 1, 17) as integer) - (1 << 53)),
            (select ?7 ->> '$.way') * (cast(substr(w.position, 18, 17) as integer) - (1 << 53)) + (select ?7 ->> '$.way'))
            and x.at >= (select ?7 ->> '$.from')
          order by x.at desc, x.issue_id desc
          limit 1
        )), w.kind, w.owner_id, w.label_id, w.milestone_id, w.viewer_id, null, coalesce(k.value, w.class)
        from walk w
        left join json_each(?7, iif(w.class is null, w.classes, '$.none')) k
        where w.position is not null
        order by 1
      )
      select json_group_array(position)
      from (
        select distinct position
        from walk
        where position is not null
        limit (
          select coalesce(?7 ->> '$.steps', 1 + ?11)
        ) offset (
          select iif(?7 ->> '$.steps' is null, ?10, 0)
        )
      )
    )) as candidates, '[0, null, null]' as counted
    from chosen
  ), page as materialized (
    select walked.*, ?7 ->> '$.steps' <= json_array_length(candidates)
      and coalesce(known ->> 4 > ?7 ->> '$.few', 1) as ended, iif(?7 ->> '$.steps' is null, json_array(json(walked.candidates)),
      (
      select json_array(json_group_array(position), coalesce(sum(closed), 0))
      from (
        select d.value as position, (cast(substr(d.value, 35) as integer) & 1) as closed
        from json_each(walked.candidates) d
        cross join issues i
        on i.id = (select ?7 ->> '$.way') * (cast(substr(d.value, 18, 17) as integer) - (1 << 53))
        where not exists (
          select 1
          from json_each(?7, '$.rest') c
          where not coalesce(case when c.value ->> 0 in ('author', 'assignee', 'not_author', 'not_assignee') then (iif(c.value ->> 0 like '%author',
            i.author_id, coalesce(i.assignee_id, 0)) is iif(typeof(c.value ->> 1) = 'text', (
            select n.id
            from namespaces n
            where n.path_key = c.value ->> 1 and n.kind = 'user'
          ), coalesce(c.value ->> 1, walked.user_id))) = (c.value ->> 0 not like 'not%') when c.value ->> 0 in ('labels',
            'any_label', 'not_labels') then (
            select iif(c.value ->> 0 = 'any_label', count(*) > 0, count(*) = coalesce(c.value ->> 2, 0))
            from issue_labels b
            cross join labels y
            on y.id = b.label_id
            where b.issue_id = i.id and instr(c.value ->> 1, ',' || y.title || ',')
          ) when c.value ->> 0 in ('milestone', 'not_milestone', 'upcoming', 'not_upcoming', 'started', 'not_started',
            'milestone_id', 'not_milestone_id') then exists (
            select 1
            from milestones m
            where m.id = i.milestone_id and m.iid > 0 and case when c.value ->> 0 like '%milestone' then m.title = c.value ->> 1 when c.value ->> 0 like '%id' then m.id = c.value ->> 1 when c.value ->> 0 like '%upcoming' then m.id = (
              select x.id
              from milestones x
              where x.project_id = i.project_id and x.iid > 0
                and x.state = 'active' and x.due_date > c.value ->> 1
              order by x.due_date, x.id
              limit 1
            ) else m.state = 'active' and (m.start_date <= c.value ->> 1 or (m.start_date is null and m.due_date >= c.value ->> 1)) end
          ) = (c.value ->> 0 not like 'not%') when c.value ->> 0 in ('iids', 'not_iids') then (instr(c.value ->> 1,
            ',' || i.iid || ',') > 0) = (c.value ->> 0 = 'iids') else case c.value ->> 0 when 'unlabeled' then i.unlabeled = c.value ->> 1 when 'planned' then (i.milestone_id is not null) = c.value ->> 1 when 'assigned' then (i.assignee_id is not null) = c.value ->> 1 when 'confidential' then i.confidential = c.value ->> 1 when 'created_from' then i.created_at >= c.value ->> 1 when 'created_to' then i.created_at <= c.value ->> 1 when 'updated_from' then i.updated_at >= c.value ->> 1 when 'updated_to' then i.updated_at <= c.value ->> 1 when 'due' then (i.due_date is not null) = c.value ->> 1 when 'due_from' then i.due_date >= c.value ->> 1 when 'due_to' then i.due_date <= c.value ->> 1 when 'word' then (c.value ->> 2 & 1
            and iif(i.words is null, instr(lower(i.title), c.value ->> 1), instr(i.words -> '$.t', char(34) || (c.value ->> 1))))
            or (c.value ->> 2 & 2 and iif(i.words is null, instr(lower(i.description), c.value ->> 1), instr(i.words -> '$.d',
            char(34) || (c.value ->> 1)))) when 'closed' then (i.state = 'closed') = c.value ->> 1 when 'closed_by' then i.closed_by_id = c.value ->> 1 when 'seen' then 0 end end,
            0)
        )
        limit (
          select 1 + ?11
        ) offset (select ?10)
      )
    )) as shown
    from walked
  )
  select iif(i.id is null, json_object('total', json_array( iif(?7 ->> '$.steps' is null, iif(page.counted ->> 1 <= ?7 ->> '$.most',
    page.known ->> 0 + page.known ->> 1 + page.counted ->> 1, null), iif(page.ended or json_array_length(page.shown,
    '$[0]') > ?11 or not ?7 ->> '$.first', null, json_array_length(page.shown, '$[0]'))), iif(?7 ->> '$.steps' is null,
    page.known ->> 1 + page.counted ->> 2, page.shown ->> '$[1]'), iif(page.ended and json_array_length(page.shown,
    '$[0]') <= ?11, page.candidates ->> '$[#-1]', null), json_array_length(page.shown, '$[0]') > ?11, page.known ->> 2 * 0 + page.counted ->> 0,
    coalesce(page.known ->> 2 > ?7 ->> '$.wide', 0), page.known ->> 3 > 0 or ?7 ->> '$.milestone' is null)), json_object('issue',
    json_array(i.id, i.iid, i.project_id, page.full_path, i.title, i.description, i.state, i.created_at, i.updated_at,
    json((
    select json_group_array(l.title)
    from issue_labels il
    cross join labels l
    on l.id = il.label_id
    where il.issue_id = i.id and substr(l.title, 1, 1) <> ','
  )), json((
    select json_array(m.id, m.iid, m.project_id, m.title, m.description, m.state, m.due_date, m.start_date, m.created_at,
      m.updated_at)
    from milestones m
    where m.id = i.milestone_id and m.iid > 0
  )), json((
    select json_group_array(json(json_array(u.id, u.username, u.name, u.state, u.email)))
    from users u
    where u.id = i.author_id or u.id is i.assignee_id or u.id is i.closed_by_id
  )), i.author_id, i.assignee_id, coalesce((
    select s.subscribed
    from subscriptions s
    where s.issue_id = i.id and s.user_id = page.user_id
  ), page.user_id in (i.author_id, i.assignee_id) or exists (
    select 1
    from participants t
    where t.issue_id = i.id and t.user_id = page.user_id
  ), 0), i.user_notes_count, i.due_date, i.confidential, i.closed_at, i.closed_by_id, i.discussion_locked, iif(i.moved_to_id is null,
    null, (
    select n.id
    from issues n
    cross join projects q
    on q.id = n.project_id
    left join users z
    on z.id = (
      select page.user_id
    )
    where n.id = i.moved_to_id and n.deleted_at is null and q.deleted_at is null
      and q.issues_enabled and ((q.visibility >= iif(coalesce(z.external, 1), 20, 10) and (n.confidential = 0 or z.id in (n.author_id,
      n.assignee_id))) or case when z.admin then 60 when q.namespace_id = z.id then 50 else max(coalesce((
      select m.access
      from project_members m
      where m.user_id = z.id and m.project_id = q.id
    ), 0), coalesce((
      select m.access
      from group_members m
      where m.user_id = z.id and m.group_id = q.namespace_id
    ), 0)) end >= iif(n.confidential and not coalesce(z.id in (n.author_id, n.assignee_id), 0), (select ?7 ->> '$.hidden'),
      1))
  ))))) as v
  from page
  cross join json_each(json_insert(page.shown -> '$[0]', '$[#]', 0)) d
  left join issues i
  on i.id = (select ?7 ->> '$.way') * (cast(substr(d.value, 18, 17) as integer) - (1 << 53))
  where (d.key < ?11 and not ?7 ->> '$.statistics') or d.value = 0
))
limit (select ?6 ->> 7)

-- Plan:
-- CO-ROUTINE (subquery)
--   COMPOUND QUERY
--     UNION ALL
--       MATERIALIZE page
--         MATERIALIZE walked
--           MATERIALIZE chosen
--             MATERIALIZE asked
--               SCAN scope
--               SCALAR SUBQUERY
--                 SEARCH n USING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
--             SCAN asked
--             CORRELATED SCALAR SUBQUERY
--               SCAN v VIRTUAL TABLE INDEX 1:
--               SCAN l VIRTUAL TABLE INDEX 3:
--               SEARCH y USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--               CORRELATED SCALAR SUBQUERY
--                 CO-ROUTINE q
--                   SCAN d VIRTUAL TABLE INDEX 1:
--                   SEARCH b USING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?)
--                 SCAN q
--               SEARCH z USING COVERING INDEX sqlite_autoindex_milestones_2 (project_id=? AND title=?) LEFT-JOIN
--             CORRELATED SCALAR SUBQUERY
--               CO-ROUTINE q
--                 SCAN d VIRTUAL TABLE INDEX 3:
--                 CORRELATED SCALAR SUBQUERY
--                   SCAN v VIRTUAL TABLE INDEX 1:
--                   SEARCH u USING INDEX issues_without_words (project_id=?)
--                 CORRELATED SCALAR SUBQUERY
--                   CO-ROUTINE (subquery)
--                     SCAN v VIRTUAL TABLE INDEX 1:
--                     SCAN w VIRTUAL TABLE INDEX 1:
--                     SEARCH x USING PRIMARY KEY (project_id=? AND viewer_id=? AND word>? AND word<?)
--                   SCAN (subquery)
--                 USE TEMP B-TREE FOR ORDER BY
--               SCAN q
--           SCAN chosen
--           CORRELATED SCALAR SUBQUERY
--             CO-ROUTINE (subquery)
--               SCAN v VIRTUAL TABLE INDEX 1:
--               SCAN w VIRTUAL TABLE INDEX 1:
--               SEARCH x USING PRIMARY KEY (project_id=? AND viewer_id=? AND word>? AND word<?)
--               SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
--               USE TEMP B-TREE FOR DISTINCT
--               USE TEMP B-TREE FOR ORDER BY
--             SCAN (subquery)
--           CORRELATED SCALAR SUBQUERY
--             CO-ROUTINE (subquery)
--               CO-ROUTINE walk
--                 SETUP
--                   SCAN r VIRTUAL TABLE INDEX 1:
--                   SCAN o VIRTUAL TABLE INDEX 3: LEFT-JOIN
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH k VIRTUAL TABLE INDEX 3:
--                     CORRELATED SCALAR SUBQUERY
--                       SEARCH x USING PRIMARY KEY (kind=? AND owner_id=? AND label_id=? AND milestone_id=? AND viewer_id=? AND closed=? AND updated=? AND (at,issue_id)>(?,?) AND at<?)
--                       REUSE SUBQUERY
--                       REUSE SUBQUERY
--                       REUSE SUBQUERY
--                     CORRELATED SCALAR SUBQUERY
--                       SEARCH x USING PRIMARY KEY (kind=? AND owner_id=? AND label_id=? AND milestone_id=? AND viewer_id=? AND closed=? AND updated=? AND at>? AND (at,issue_id)<(?,?))
--                       REUSE SUBQUERY
--                       REUSE SUBQUERY
--                       REUSE SUBQUERY
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH x USING PRIMARY KEY (kind=? AND owner_id=? AND label_id=? AND milestone_id=? AND viewer_id=? AND closed=? AND updated=? AND (at,issue_id)>(?,?) AND at<?)
--                     REUSE SUBQUERY
--                     REUSE SUBQUERY
--                     REUSE SUBQUERY
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH x USING PRIMARY KEY (kind=? AND owner_id=? AND label_id=? AND milestone_id=? AND viewer_id=? AND closed=? AND updated=? AND at>? AND (at,issue_id)<(?,?))
--                     REUSE SUBQUERY
--                     REUSE SUBQUERY
--                     REUSE SUBQUERY
--                 RECURSIVE STEP
--                   SCAN w
--                   SCAN k VIRTUAL TABLE INDEX 3: LEFT-JOIN
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH x USING PRIMARY KEY (kind=? AND owner_id=? AND label_id=? AND milestone_id=? AND viewer_id=? AND closed=? AND updated=? AND (at,issue_id)>(?,?) AND at<?)
--                     REUSE SUBQUERY
--                     REUSE SUBQUERY
--                     REUSE SUBQUERY
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH x USING PRIMARY KEY (kind=? AND owner_id=? AND label_id=? AND milestone_id=? AND viewer_id=? AND closed=? AND updated=? AND at>? AND (at,issue_id)<(?,?))
--                     REUSE SUBQUERY
--                     REUSE SUBQUERY
--                     REUSE SUBQUERY
--               SCAN walk
--               USE TEMP B-TREE FOR DISTINCT
--             SCAN (subquery)
--         SCAN walked
--         CORRELATED SCALAR SUBQUERY
--           CO-ROUTINE (subquery)
--             SCAN d VIRTUAL TABLE INDEX 1:
--             SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
--             CORRELATED SCALAR SUBQUERY
--               SCAN c VIRTUAL TABLE INDEX 3:
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH n USING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH b USING PRIMARY KEY (issue_id=?)
--                 SEARCH y USING INTEGER PRIMARY KEY (rowid=?)
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--                 CORRELATED SCALAR SUBQUERY
--                   SEARCH x USING INDEX milestones_by_due_date (project_id=? AND due_date>?)
--           SCAN (subquery)
--       SCAN page
--       SCAN d VIRTUAL TABLE INDEX 1:
--       SEARCH i USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       CORRELATED SCALAR SUBQUERY
--         SEARCH il USING PRIMARY KEY (issue_id=?)
--         SEARCH l USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         MULTI-INDEX OR
--           INDEX
--             SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--           INDEX
--             SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--           INDEX
--             SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH s USING PRIMARY KEY (issue_id=? AND user_id=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH t USING PRIMARY KEY (issue_id=? AND user_id=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH q USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH z USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--         CORRELATED SCALAR SUBQUERY
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
-- SCAN (subquery)
