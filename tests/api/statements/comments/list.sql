-- How many comments has the commit that `?7` names (no row: there is none; null: very many)? Then those of this page,
--   oldest first: after the id `?9`, `?10` passed over, `?11` at most.
-- Binds: ?7 name, ?8 abbreviation(name), ?9 after, ?10 offset, ?11 page.size + 1
-- Rows in the small world: 2 given, 0 written

select iif(octet_length(v) <= (select ?6 ->> 6), v, '"cut ' || octet_length(v) || '"') as v
from (
-- call/project_head.sql
union all
select v
from (
  with target as materialized (
    select c.id
    from commits c
    where c.id = (
      select coalesce( (
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
      from scope here
    )
  )
  select json_object('total', (
    select iif(count(*) > 10000, null, count(*))
    from (
      select 1
      from commit_comments k
      where k.commit_id = t.id
      limit 10001
    )
  )) as v
  from target t
  union all
  select json_object('comment', json(json_array(k.id, k.note, k.path, k.line, k.line_type, k.created_at, json((
    select json_array(u.id, u.username, u.name, u.state, u.email)
    from users u
    where u.id = k.author_id
  )), (
    select u.created_at
    from users u
    where u.id = k.author_id
  ))))
  from (
    select k.*
    from target t
    cross join commit_comments k
    on k.commit_id = t.id
    where k.id > (select ?9)
    order by k.id
    limit (select ?11) offset (select ?10)
  ) k
))
limit (select ?6 ->> 7)

-- Plan:
-- CO-ROUTINE (subquery)
--   COMPOUND QUERY
--     UNION ALL
--       COMPOUND QUERY
--         UNION ALL
--           CO-ROUTINE k
--             SCAN t
--             SEARCH k USING INDEX commit_comments_of_commit (commit_id=? AND id>?)
--             USE TEMP B-TREE FOR ORDER BY
--           SCAN k
--           CORRELATED SCALAR SUBQUERY
--             SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--           CORRELATED SCALAR SUBQUERY
--             SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
-- SCAN (subquery)
