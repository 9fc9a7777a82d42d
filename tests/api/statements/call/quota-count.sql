-- call: quota count
-- Binds: ?1 caller.user.id, ?2 self.now / HOUR, ?3 most
-- Rows in the small world: 0 given, 1 written

insert into hourly_writes (user_id, hour, writes, most)
select ?1, ?2, 1, ?3
where true
on conflict (user_id) do update set writes = iif(hour = excluded.hour, writes + 1, 1), hour = excluded.hour, most = excluded.most

-- Plan:
