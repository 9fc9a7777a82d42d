-- todos: select
-- Binds: ?7 state, ?8 actions, ?9 author, ?10 project, ?11 issues, ?12 hidden, ?13 before, ?14 offset, ?15 size, ?16
--   group
-- Rows in the small world: 2 given, 0 written

select iif(octet_length(v) <= (select ?6 ->> 6), v, '"cut ' || octet_length(v) || '"') as v
from (
-- call/caller_head.sql
union all
select json_object('total', json_array(iif(count(*) > 10000, null, count(*)), coalesce(sum(rows), 0)))
from (
  select iif(c.admin or p.visibility >= iif(coalesce(c.external, 1), 20, 10), 4, 5) as rows
  from todos t indexed by todos_by_project_and_author
  cross join issues i
  on i.id = t.issue_id
  cross join projects p
  on p.id = t.project_id
  cross join caller c
  where t.user_id = (
    select id
    from caller
  ) and t.state = (select ?7) and t.project_id = (select ?10)
    and t.author_id = (select ?9) and t.action in (
    select value
    from json_each(?8)
  ) and ?11 and i.deleted_at is null and p.deleted_at is null
    and p.issues_enabled and case when i.confidential then c.id in (i.author_id, i.assignee_id)
    and (p.visibility >= iif(coalesce(c.external, 1), 20, 10) or case when c.admin then 60 when p.namespace_id = c.id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = c.id and m.project_id = p.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = c.id and m.group_id = p.namespace_id
  ), 0)) end > 0) or case when c.admin then 60 when p.namespace_id = c.id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = c.id and m.project_id = p.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = c.id and m.group_id = p.namespace_id
  ), 0)) end >= (select ?12) else (p.visibility >= iif(coalesce(c.external, 1), 20, 10) or case when c.admin then 60 when p.namespace_id = c.id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = c.id and m.project_id = p.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = c.id and m.group_id = p.namespace_id
  ), 0)) end > 0) end and p.namespace_id = coalesce((select ?16), p.namespace_id)
  limit 10001
)
union all
select json_object('todo', json(v))
from (
  select json_array(t.id, json_array(p.id, p.name, p.full_name, p.path, p.full_path, p.description, p.created_at),
    json((
    select json_array(u.id, u.username, u.name, u.state, u.email)
    from users u
    where u.id = t.author_id
  )), t.action, t.note_id, (
    select n.body
    from notes n
    where n.id = t.note_id
  ), t.state, t.created_at, t.updated_at, json(json_array(i.id, i.iid, i.project_id, p.full_path, i.title, i.description,
    i.state, i.created_at, i.updated_at, json((
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
    where s.issue_id = i.id and s.user_id = c.id
  ), c.id in (i.author_id, i.assignee_id) or exists (
    select 1
    from participants t
    where t.issue_id = i.id and t.user_id = c.id
  ), 0), i.user_notes_count, i.due_date, i.confidential, i.closed_at, i.closed_by_id, i.discussion_locked, iif(i.moved_to_id is null,
    null, (
    select n.id
    from issues n
    cross join projects q
    on q.id = n.project_id
    left join users z
    on z.id = (
      select c.id
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
    ), 0)) end >= iif(n.confidential and not coalesce(z.id in (n.author_id, n.assignee_id), 0), (select ?12), 1))
  ))))) as v
  from (
    select *
    from todos t indexed by todos_by_project_and_author
    where t.user_id = (
      select id
      from caller
    ) and t.state = (select ?7) and t.project_id = (select ?10)
      and t.author_id = (select ?9) and t.action = (select ?8 ->> 0)
      and ?11 and t.id < (select ?13)
    union all
    select *
    from todos t indexed by todos_by_project_and_author
    where t.user_id = (
      select id
      from caller
    ) and t.state = (select ?7) and t.project_id = (select ?10)
      and t.author_id = (select ?9) and t.action = (select ?8 ->> 1)
      and ?11 and t.id < (select ?13)
    union all
    select *
    from todos t indexed by todos_by_project_and_author
    where t.user_id = (
      select id
      from caller
    ) and t.state = (select ?7) and t.project_id = (select ?10)
      and t.author_id = (select ?9) and t.action = (select ?8 ->> 2)
      and ?11 and t.id < (select ?13)
    union all
    select *
    from todos t indexed by todos_by_project_and_author
    where t.user_id = (
      select id
      from caller
    ) and t.state = (select ?7) and t.project_id = (select ?10)
      and t.author_id = (select ?9) and t.action = (select ?8 ->> 3)
      and ?11 and t.id < (select ?13)
    order by 1 desc
    limit -1
  ) t
  cross join issues i
  on i.id = t.issue_id
  cross join projects p
  on p.id = t.project_id
  cross join caller c
  where i.deleted_at is null and p.deleted_at is null and p.issues_enabled
    and case when i.confidential then c.id in (i.author_id, i.assignee_id)
    and (p.visibility >= iif(coalesce(c.external, 1), 20, 10) or case when c.admin then 60 when p.namespace_id = c.id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = c.id and m.project_id = p.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = c.id and m.group_id = p.namespace_id
  ), 0)) end > 0) or case when c.admin then 60 when p.namespace_id = c.id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = c.id and m.project_id = p.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = c.id and m.group_id = p.namespace_id
  ), 0)) end >= (select ?12) else (p.visibility >= iif(coalesce(c.external, 1), 20, 10) or case when c.admin then 60 when p.namespace_id = c.id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = c.id and m.project_id = p.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = c.id and m.group_id = p.namespace_id
  ), 0)) end > 0) end and p.namespace_id = coalesce((select ?16), p.namespace_id)
  limit (select ?15) offset (select ?14)
))
limit (select ?6 ->> 7)

-- Plan:
-- CO-ROUTINE (subquery)
--   COMPOUND QUERY
--     UNION ALL
--       CO-ROUTINE (subquery)
--         SEARCH t USING INDEX todos_by_project_and_author (user_id=? AND state=? AND project_id=? AND author_id=? AND action=?)
--         SCALAR SUBQUERY
--           SCAN caller
--         LIST SUBQUERY
--           SCAN json_each VIRTUAL TABLE INDEX 1:
--         SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--         REUSE SUBQUERY
--         SCAN c
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--       SCAN (subquery)
--     UNION ALL
--       CO-ROUTINE (subquery)
--         CO-ROUTINE t
--           MERGE (UNION ALL)
--             LEFT
--               MERGE (UNION ALL)
--                 LEFT
--                   SEARCH t USING INDEX todos_by_project_and_author (user_id=? AND state=? AND project_id=? AND author_id=? AND action=? AND rowid<?)
--                   SCALAR SUBQUERY
--                     SCAN caller
--                 RIGHT
--                   SEARCH t USING INDEX todos_by_project_and_author (user_id=? AND state=? AND project_id=? AND author_id=? AND action=? AND rowid<?)
--                   SCALAR SUBQUERY
--                     SCAN caller
--             RIGHT
--               MERGE (UNION ALL)
--                 LEFT
--                   SEARCH t USING INDEX todos_by_project_and_author (user_id=? AND state=? AND project_id=? AND author_id=? AND action=? AND rowid<?)
--                   SCALAR SUBQUERY
--                     SCAN caller
--                 RIGHT
--                   SEARCH t USING INDEX todos_by_project_and_author (user_id=? AND state=? AND project_id=? AND author_id=? AND action=? AND rowid<?)
--                   SCALAR SUBQUERY
--                     SCAN caller
--         SCAN t
--         SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--         SCAN c
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH il USING PRIMARY KEY (issue_id=?)
--           SEARCH l USING INTEGER PRIMARY KEY (rowid=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--         CORRELATED SCALAR SUBQUERY
--           MULTI-INDEX OR
--             INDEX
--               SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--             INDEX
--               SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--             INDEX
--               SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH s USING PRIMARY KEY (issue_id=? AND user_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH t USING PRIMARY KEY (issue_id=? AND user_id=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--           SEARCH q USING INTEGER PRIMARY KEY (rowid=?)
--           SEARCH z USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--           CORRELATED SCALAR SUBQUERY
--           CORRELATED SCALAR SUBQUERY
--             SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--           CORRELATED SCALAR SUBQUERY
--             SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--       SCAN (subquery)
-- SCAN (subquery)
