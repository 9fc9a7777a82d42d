-- notes: creation insert hourly writes
-- Binds: ?7 issue, ?8 levels
-- Rows in the small world: 0 given, 1 written

-- call/write_head.sql
issues_enabled and (access < (select ?8 ->> 1) or (select ?8 ->> 2))
  and exists (
  select 1
  from issues i
  where i.id = coalesce(?7 ->> 0, (
    select n.id
    from issues n
    where n.iid = (select ?7 ->> 1) and n.project_id = coalesce(?5 ->> 0, (
      select y.id
      from projects y
      where y.path_key = (select ?5 ->> 1)
    ))
  )) and i.project_id = resource.project_id and i.deleted_at is null
    and (i.confidential = 0 or resource.access >= (select ?8 ->> 0) or resource.user_id in (i.author_id, i.assignee_id))
    and (resource.access > 0 or i.discussion_locked is not 1)
) )
insert into hourly_writes (user_id, hour, writes, most)
select s.user_id, cast((select ?4) / 3600000 as integer), 1, (select ?6 ->> 4)
from scope s
where s.access < 60 and ?1 is null
on conflict (user_id) do update set writes = iif(hour = excluded.hour, writes + 1, 1), hour = excluded.hour, most = excluded.most

-- Plan:
-- SCAN s
