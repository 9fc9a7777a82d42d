-- Quotas of writes and bytes. Triggers end a batch that exceeds one.

-- name: set_limits
-- The triggers that count bytes read these limits.
update stored
set project_most = :project_most, person_most = :person_most, most = :most
where id = 1 and (project_most <> :project_most or person_most <> :person_most or most <> :most)

-- name: count_write
-- scope: project
-- Counts one write of the person behind the token. Administrators and requests with SUDO are not counted.
insert into hourly_writes (user_id, hour, writes, most)
select member_id, cast(now / 3600000 as integer), 1, :most
from scope
where access < 60 and key not like 'user %'
on conflict (user_id) do update set writes = iif(hour = excluded.hour, writes + 1, 1), hour = excluded.hour,
  most = excluded.most

-- name: count_write_of
insert into hourly_writes (user_id, hour, writes, most)
values (:user_id, :hour, :writes, :most)
on conflict (user_id) do update set writes = iif(hour = excluded.hour, writes + excluded.writes, excluded.writes),
  hour = excluded.hour, most = excluded.most

-- name: silence
-- Until end_silence the batch writes no events, no events for hooks and no to-do items (migrations/0020_events.sql).
insert into request_marks (id, silent) values (1, 1)

-- name: silence_if_allowed
-- scope: project
-- The same for administrators, and requests with SUDO.
insert into request_marks (id, silent) select 1, 1 from scope where access >= 60 or key like 'user %'

-- name: end_silence
delete from request_marks where id = 1
