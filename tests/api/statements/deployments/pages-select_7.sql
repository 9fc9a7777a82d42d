-- deployments: pages select
-- Binds: ?7 after, ?8 offset, ?9 page.size + 1, ?10 looked, ?11 filter.environment.as_deref(), ?12 filter.status, ?13
--   updated_from.unwrap_or(-EVER), ?14 updated_to.unwrap_or(EVER), ?15 finished_from.unwrap_or(-EVER), ?16
--   finished_to.unwrap_or(EVER)
-- Rows in the small world: 2 given, 0 written

select iif(octet_length(v) <= (select ?6 ->> 6), v, '"cut ' || octet_length(v) || '"') as v
from (
-- call/project_head.sql
union all
select json_object('end', (
  select w.iid
  from (
    select d.*
    from deployments d
    where d.project_id = (
      select project_id
      from scope
      where builds_enabled
    ) and ?11 is null and d.iid > (select ?7)
    order by d.iid
    limit 1 offset (select ?10 - 1)
  ) w
))
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
    where id in (
      select w.id
      from (
        select d.*
        from deployments d
        where d.project_id = (
          select project_id
          from scope
          where builds_enabled
        ) and ?11 is null and d.iid > (select ?7)
        order by d.iid
        limit (select ?10)
      ) w
      where exists (
        select 1
        from statuses s
        where s.id = w.status_id and iif(s.skipped, 'skipped', iif(s.state = 'pending', 'created', s.state)) = coalesce(?12,
          iif(s.skipped, 'skipped', iif(s.state = 'pending', 'created', s.state)))
          and coalesce(s.finished_at, s.started_at, s.created_at) between ?13
          and ?14 and (?15 = -9007199254740992 and ?16 = 9007199254740992 or s.finished_at between ?15 and ?16)
      )
      order by w.iid
      limit (select ?9) offset (select ?8)
    )
    order by iid
    limit (select ?9)
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
--       SCALAR SUBQUERY
--         CO-ROUTINE w
--           SEARCH d USING INDEX sqlite_autoindex_deployments_1 (project_id=? AND iid>?)
--           SCALAR SUBQUERY
--             SCAN scope
--         SCAN w
--     UNION ALL
--       CO-ROUTINE d
--         SEARCH deployments USING INTEGER PRIMARY KEY (rowid=?)
--         LIST SUBQUERY
--           CO-ROUTINE w
--             SEARCH d USING INDEX sqlite_autoindex_deployments_1 (project_id=? AND iid>?)
--             SCALAR SUBQUERY
--               SCAN scope
--           SCAN w
--           CORRELATED SCALAR SUBQUERY
--             SEARCH s USING INTEGER PRIMARY KEY (rowid=?)
--         USE TEMP B-TREE FOR ORDER BY
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
