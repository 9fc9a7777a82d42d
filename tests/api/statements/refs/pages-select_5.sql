-- refs: pages select
-- Binds: ?7 *kind, ?8 end, ?9 at, ?10 name, ?11 looked, ?12 piece, ?13 begins, ?14 ends, ?15 offset, ?16 page.size + 1
-- Rows in the small world: 4 given, 0 written

select iif(octet_length(v) <= (select ?6 ->> 6), v, '"cut ' || octet_length(v) || '"') as v
from (
-- call/project_head.sql
union all
select json_quote(default_branch_protection)
from scope
cross join settings
union all
select v
from (
  select json_object('ref', json(json_object('name', r.name, 'tag_message', r.message, 'tag_sha', r.tag_sha, 'branch',
    c.branch, 'commit', json_array(c.sha, c.author_name, c.author_email, c.authored_at, c.author_zone, c.committer_name,
    c.committer_email, c.committed_at, c.committer_zone, c.message, c.additions, c.deletions, json(c.parent_shas))))) as v
  from (
    select *
    from (
      select *
      from (
        select *, substr(rest, instr(rest || '.', '.') + 1) as last
        from (
          select *, substr(version, instr(version || '.', '.') + 1) as rest
          from (
            select *, ltrim(substr(name, length(?7) + 1), 'vV') as version
            from refs
            where project_id = (
              select project_id
              from scope
            ) and name > (select ?7) and name < (select ?8) and ?9 is not null
              and ?10 is not null
            order by name desc
            limit 1000
          )
        )
      ) r
      order by cast(version as integer) desc, cast(rest as integer) desc, cast(last as integer) desc, instr(version,
        '-') = 0 desc, name desc
      limit (select ?11)
    ) r
    where coalesce(?12, '') = '' or case when ?13 and ?14 then lower(substr(r.name, length(?7) + 1)) = ?12 when ?13 then substr(lower(substr(r.name,
      length(?7) + 1)), 1, length(?12)) = ?12 when ?14 then substr(lower(substr(r.name, length(?7) + 1)), -length(?12)) = ?12 else instr(lower(substr(r.name,
      length(?7) + 1)), ?12) end
    limit (select ?16) offset (select ?15)
  ) r
  cross join commits c
  on c.id = r.commit_id
)
union all
select json_object('end', json(iif(coalesce(?12, '') = '', null, (
  select json_array(r.name, r.committed_at)
  from (
    select *
    from (
      select *, substr(rest, instr(rest || '.', '.') + 1) as last
      from (
        select *, substr(version, instr(version || '.', '.') + 1) as rest
        from (
          select *, ltrim(substr(name, length(?7) + 1), 'vV') as version
          from refs
          where project_id = (
            select project_id
            from scope
          ) and name > (select ?7) and name < (select ?8) and ?9 is not null
            and ?10 is not null
          order by name desc
          limit 1000
        )
      )
    ) r
    order by cast(version as integer) desc, cast(rest as integer) desc, cast(last as integer) desc, instr(version,
      '-') = 0 desc, name desc
    limit 1 offset (select ?11 - 1)
  ) r
)))))
limit (select ?6 ->> 7)

-- Plan:
-- CO-ROUTINE (subquery)
--   COMPOUND QUERY
--     UNION ALL
--       SCAN scope
--       SCAN settings
--     UNION ALL
--       CO-ROUTINE r
--         CO-ROUTINE r
--           CO-ROUTINE (subquery)
--             SEARCH refs USING PRIMARY KEY (project_id=? AND name>? AND name<?)
--             SCALAR SUBQUERY
--               SCAN scope
--           SCAN (subquery)
--           USE TEMP B-TREE FOR ORDER BY
--         SCAN r
--       SCAN r
--       SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--     UNION ALL
--       SCALAR SUBQUERY
--         CO-ROUTINE r
--           CO-ROUTINE (subquery)
--             SEARCH refs USING PRIMARY KEY (project_id=? AND name>? AND name<?)
--             SCALAR SUBQUERY
--               SCAN scope
--           SCAN (subquery)
--           USE TEMP B-TREE FOR ORDER BY
--         SCAN r
-- SCAN (subquery)
