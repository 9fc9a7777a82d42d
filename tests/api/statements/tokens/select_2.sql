-- tokens: select
-- Binds: ?7.. binds
-- Rows in the small world: 8 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  with walk as materialized (
    select (
      select json_group_array(json_array(id, fits))
      from (
        select t.id, ((?13 is null or ?13 = (t.revoked_at is null and coalesce(t.expires_at, ?10 + 1) > ?10)) and (?14 is null
          or ?14 = (t.revoked_at is not null)) and (?15 is null or instr(lower(t.name), lower(?15))) and t.created_at >= coalesce(?16,
          t.created_at) and t.created_at <= coalesce(?17, t.created_at) and (?18 is null or t.expires_at >= ?18)
          and (?19 is null or t.expires_at <= ?19)) is true as fits
        from (
          select id
          from (
            select t.id
            from tokens t indexed by tokens_of_person
            where t.kind = 'personal' and t.user_id = coalesce(?12, iif(c.admin, null, c.id))
              and t.id > (select ?7)
            order by t.id asc
            limit (select ?9)
          )
          union all
          select id
          from (
            select t.id
            from tokens t indexed by tokens_of_persons
            where t.kind = 'personal' and t.id > iif(c.admin and ?12 is null, (select ?7), null)
            order by t.id asc
            limit (select ?9)
          )
        ) y
        cross join tokens t
        on t.id = y.id
      )
    ) as found
    from caller c
    where ?12 is null or c.id = ?12 or c.admin
  ), page as materialized (
    select w.found, (
      select json_group_array(id)
      from (
        select e.value ->> 0 as id
        from json_each(w.found) e
        where e.value ->> 1
        limit (select ?11) offset (select ?8)
      )
    ) as ids
    from walk w
  )
  select iif(d.value = 0, json_object('end', iif(json_array_length(page.ids) < ?11, page.found -> cast(?9 - 1 as integer) ->> 0,
    null)), json_object('row', json_array(t.id, t.user_id, t.project_id, t.name, t.created_at, t.expires_at, t.revoked_at,
    t.bot_id, t.scopes, t.access))) as v
  from page
  cross join json_each(json_insert(page.ids, '$[#]', 0)) d
  left join tokens t
  on t.id = d.value
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     MATERIALIZE page
--       MATERIALIZE walk
--         SCAN c
--         CORRELATED SCALAR SUBQUERY
--           CO-ROUTINE y
--             COMPOUND QUERY
--               UNION ALL
--                 CO-ROUTINE (subquery)
--                   SEARCH t USING COVERING INDEX tokens_of_persons (id>?)
--                 SCAN (subquery)
--           SCAN y
--           SEARCH t USING INDEX sqlite_autoindex_tokens_2 (id=?)
--       SCAN w
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE (subquery)
--           SCAN e VIRTUAL TABLE INDEX 1:
--         SCAN (subquery)
--     SCAN page
--     SCAN d VIRTUAL TABLE INDEX 1:
--     SEARCH t USING INDEX sqlite_autoindex_tokens_2 (id=?) LEFT-JOIN
