-- notes: select
-- Binds: ?7 issue, ?8 after, ?9 offset, ?10 size
-- Rows in the small world: 3 given, 0 written

select iif(octet_length(v) <= (select ?6 ->> 6), v, '"cut ' || octet_length(v) || '"') as v
from (
-- call/project_head.sql
union all
select v
from (
  with seen as materialized (
    select i.id, i.user_notes_count + i.system_notes_count as total
    from issues i
    where i.id = (
      select i.id
      from scope s
      cross join issues i
      on i.id = coalesce(?7 ->> 0, (
        select n.id
        from issues n
        where n.iid = (select ?7 ->> 1) and n.project_id = coalesce(?5 ->> 0, (
          select y.id
          from projects y
          where y.path_key = (select ?5 ->> 1)
        ))
      )) and i.project_id = s.project_id and i.deleted_at is null
        and (i.confidential = 0 or s.access >= (select ?6 ->> 5) or s.user_id in (i.author_id, i.assignee_id))
        and s.issues_enabled
    )
  )
  select json_object('total', total) as v
  from seen
  union all
  select json_object('note', json(json_array(n.id, n.project_id, n.issue_id, json((
    select json_array(u.id, u.username, u.name, u.state, u.email)
    from users u
    where u.id = n.author_id
  )), n.body || iif(n.reference is null, '', ' ' || coalesce((
    select n.reference
    from caller c
    cross join projects p
    on p.id = n.reference_project_id
    where p.deleted_at is null and (p.visibility >= iif(coalesce(c.external, 1), 20, 10) or case when c.admin then 60 when p.namespace_id = c.id then 50 else max(coalesce((
      select m.access
      from project_members m
      where m.user_id = c.id and m.project_id = p.id
    ), 0), coalesce((
      select m.access
      from group_members m
      where m.user_id = c.id and m.group_id = p.namespace_id
    ), 0)) end > 0)
  ), 'another project')), n.system, n.created_at, n.updated_at)))
  from (
    select n.*
    from seen
    cross join notes n
    on n.issue_id = seen.id
    where n.id < (select ?8)
    order by n.id desc
    limit (select ?10) offset (select ?9)
  ) n
))
limit (select ?6 ->> 7)

-- Plan:
-- CO-ROUTINE (subquery)
--   COMPOUND QUERY
--     UNION ALL
--       COMPOUND QUERY
--         UNION ALL
--           CO-ROUTINE n
--             SCAN seen
--             SEARCH n USING INDEX notes_of_issue (issue_id=? AND id<?)
--             USE TEMP B-TREE FOR ORDER BY
--           SCAN n
--           CORRELATED SCALAR SUBQUERY
--             SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--           CORRELATED SCALAR SUBQUERY
--             SCAN c
--             SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--             CORRELATED SCALAR SUBQUERY
--               SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
-- SCAN (subquery)
