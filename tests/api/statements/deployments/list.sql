-- First row: how many are there? Then those after the number `?7` and `?8` further ones, `?9` at most.
-- Binds: ?7 after, ?8 offset, ?9 page.size + 1
-- Rows in the small world: 3 given, 0 written

select iif(octet_length(v) <= (select ?6 ->> 6), v, '"cut ' || octet_length(v) || '"') as v
from (
-- call/project_head.sql
union all
select json_quote(max(coalesce(max(iid), 0), coalesce((
  select x.last
  from removed_numbers x
  where x.project_id = t.project_id and x.kind = 'deployment'
), 0)) - coalesce((
  select x.removed
  from removed_numbers x
  where x.project_id = t.project_id and x.kind = 'deployment'
), 0))
from deployments t
where t.project_id = (
  select project_id
  from scope
  where builds_enabled
)
union all
select v
from (
  select json_array(d.id, d.iid, d.created_at, json((
    select json_array(u.id, u.username, u.name, u.state, u.email)
    from users u
    where u.id = d.user_id
  )), json((
    select json_array(e.id, e.number, e.name, e.external_url, e.created_at, e.updated_at, e.state, e.tier, e.description)
    from environments e
    where e.id = d.environment_id
  )), json_array(json(json_array(s.id, s.ref, s.state, s.name, s.target_url, s.description, s.coverage, s.skipped,
    s.created_at, s.started_at, s.finished_at)), s.commit_id, s.stage, s.tag), json((
    select json_array(json_array(u.id, u.username, u.name, u.state, u.email), u.created_at, u.admin, u.external,
      u.bio, u.location, u.skype, u.linkedin, u.twitter, u.website_url, coalesce(u.projects_limit, (
      select default_projects_limit
      from settings
    )), u.projects_count)
    from users u
    where u.id = s.user_id
  )), json_array(c.sha, c.author_name, c.author_email, c.authored_at, c.author_zone, c.committer_name, c.committer_email,
    c.committed_at, c.committer_zone, c.message, c.additions, c.deletions, json(c.parent_shas))) as v
  from (
    select *
    from deployments
    where project_id = (
      select project_id
      from scope
      where builds_enabled
    ) and iid > (select ?7) + (
      select iif(1 = exists (
        select 1
        from removed_numbers x
        where x.project_id = (
          select project_id
          from scope
        ) and x.kind = 'deployment'
      ), 0, ?8)
    )
    order by iid
    limit (select ?9) offset (
      select iif(0 = exists (
        select 1
        from removed_numbers x
        where x.project_id = (
          select project_id
          from scope
        ) and x.kind = 'deployment'
      ), 0, ?8)
    )
  ) d
  cross join statuses s
  on s.id = d.status_id
  cross join commits c
  on c.id = s.commit_id
))
limit (select ?6 ->> 7)

-- Plan:
-- CO-ROUTINE (subquery)
--   COMPOUND QUERY
--     UNION ALL
--       SEARCH t USING COVERING INDEX sqlite_autoindex_deployments_1 (project_id=?)
--       SCALAR SUBQUERY
--         SCAN scope
--       CORRELATED SCALAR SUBQUERY
--         SEARCH x USING PRIMARY KEY (project_id=? AND kind=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH x USING PRIMARY KEY (project_id=? AND kind=?)
--     UNION ALL
--       CO-ROUTINE d
--         SCALAR SUBQUERY
--           SCALAR SUBQUERY
--             SEARCH x USING PRIMARY KEY (project_id=? AND kind=?)
--             SCALAR SUBQUERY
--               SCAN scope
--         SEARCH deployments USING INDEX sqlite_autoindex_deployments_1 (project_id=? AND iid>?)
--         SCALAR SUBQUERY
--           SCAN scope
--         SCALAR SUBQUERY
--           SCALAR SUBQUERY
--             SEARCH x USING PRIMARY KEY (project_id=? AND kind=?)
--             SCALAR SUBQUERY
--               SCAN scope
--       SCAN d
--       SEARCH s USING INTEGER PRIMARY KEY (rowid=?)
--       SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH e USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--         SCALAR SUBQUERY
--           SCAN settings
-- SCAN (subquery)
