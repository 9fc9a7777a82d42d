-- users: list select
-- Binds: ?7 past, ?8 offset, ?9 walk::steps(page, offset, is_filtered), ?10 page.size + 1, ?11 self.username, ?12
--   self.search, ?13 after, ?14 before, ?15 state, ?16 flag(self.external), ?17 flag(self.admins)
-- Rows in the small world: 9 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  with walk as materialized (
    select (
      select json_group_array(json_array(id, fits))
      from (
        select u.id, ((?12 is null or instr(lower(u.name), lower(?12)) or instr(lower(u.username), lower(?12)) or c.admin
          and u.email_key = lower(?12)) and coalesce(?13 <= ?14, 1) and min(max(u.created_at, coalesce(?13, u.created_at)),
          coalesce(?14, u.created_at)) = u.created_at and (?15 is null or ?15 = iif(u.state = 'active', 'active',
          'other')) and (?16 is null or not coalesce(c.admin, 0) or u.external) and (?17 is null or not coalesce(c.admin,
          0) or u.admin)) as fits
        from users u not indexed
        where u.id < (select ?7) and u.id > 0 and ?11 is null
        order by u.id desc
        limit (select ?9)
      )
    ) as found
    from caller c
  ), page as materialized (
    select w.found, (
      select json_group_array(id)
      from (
        select e.value ->> 0 as id
        from json_each(w.found) e
        where e.value ->> 1
        limit (select ?10) offset (select ?8)
      )
    ) as ids
    from walk w
  )
  select iif(d.value = 0, json_object('end', iif(json_array_length(page.ids) < ?10, page.found -> cast(?9 - 1 as integer) ->> 0,
    null)), json_object('row', json(json_array(json_array(u.id, u.username, u.name, u.state, u.email), u.created_at,
    u.admin, u.external, u.bio, u.location, u.skype, u.linkedin, u.twitter, u.website_url, coalesce(u.projects_limit,
    (
    select default_projects_limit
    from settings
  )), u.projects_count)))) as v
  from page
  cross join json_each(json_insert(page.ids, '$[#]', 0)) d
  left join users u
  on u.id = d.value
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     MATERIALIZE page
--       MATERIALIZE walk
--         SCAN c
--         CORRELATED SCALAR SUBQUERY
--           CO-ROUTINE (subquery)
--             SEARCH u USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)
--           SCAN (subquery)
--       SCAN w
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE (subquery)
--           SCAN e VIRTUAL TABLE INDEX 1:
--         SCAN (subquery)
--     SCAN page
--     SCAN d VIRTUAL TABLE INDEX 1:
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     SCALAR SUBQUERY
--       SCAN settings
