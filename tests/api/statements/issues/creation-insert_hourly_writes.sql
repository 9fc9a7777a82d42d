-- issues: creation insert hourly writes
-- Binds: ?7 self.new.assignee_id, ?8 self.new.milestone(), ?9 levels
-- Rows in the small world: 0 given, 1 written

-- call/write_head.sql
issues_enabled and (access < (select ?9 ->> 0) or exists (
  select 1
  from projects p
  where p.id = resource.id and (?7 is null or exists (
    select 1
    from users u
    where u.id = (select ?7) and u.id > 0 and u.state = 'active'
      and (p.visibility >= iif(coalesce(u.external, 1), 20, 10) or case when u.admin then 60 when p.namespace_id = u.id then 50 else max(coalesce((
      select m.access
      from project_members m
      where m.user_id = u.id and m.project_id = p.id
    ), 0), coalesce((
      select m.access
      from group_members m
      where m.user_id = u.id and m.group_id = p.namespace_id
    ), 0)) end > 0)
  )) and (?8 is null or (
    select m.id
    from milestones m
    where m.id = iif(typeof(?8) = 'text', (
      select t.id
      from milestones t
      where t.project_id = p.id and t.title = (select ?8)
    ), ?8) and m.project_id = p.id and m.iid > 0
  ) is not null)
)) and (access < (select ?9 ->> 1) or (select ?9 ->> 2)) )
insert into hourly_writes (user_id, hour, writes, most)
select s.user_id, cast((select ?4) / 3600000 as integer), 1, (select ?6 ->> 4)
from scope s
where s.access < 60 and ?1 is null
on conflict (user_id) do update set writes = iif(hour = excluded.hour, writes + 1, 1), hour = excluded.hour, most = excluded.most

-- Plan:
-- SCAN s
