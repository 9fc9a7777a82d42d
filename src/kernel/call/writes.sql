-- Quotas of writes and bytes. Triggers end a batch that exceeds one.

-- name: set_limits
-- The triggers that count bytes read these limits.
update stored
set project_most = :project_most, person_most = :person_most, most = :most
where id = 1 and (project_most <> :project_most or person_most <> :person_most or most <> :most);

-- name: count_write
-- scope: project
-- Counts one write of the person behind the token, or :of_others if the caller is no member. Administrators and
-- requests with SUDO are not counted.
insert into hourly_writes (user_id, hour, writes, most)
select member_id, cast(now / 3600000 as integer), iif(access = 0, :of_others, 1), :most
from scope
where access < 60 and key not like 'user %'
on conflict (user_id) do update set writes = iif(hour = excluded.hour, writes + excluded.writes, excluded.writes),
  hour = excluded.hour, most = excluded.most;

-- name: count_write_of
insert into hourly_writes (user_id, hour, writes, most)
values (:user_id, :hour, :writes, :most)
on conflict (user_id) do update set writes = iif(hour = excluded.hour, writes + excluded.writes, excluded.writes),
  hour = excluded.hour, most = excluded.most;

-- name: full_for_caller
-- scope: project
-- A row if no room is left to the caller.
select 1 from scope s where not {leaves_room};

-- name: mark_others
-- scope: project
-- Until unmark_others the batch may not make the project longer, if the caller is no member and the project is full for
-- such callers (migrations/0021_storage.sql).
insert into request_marks (id) select 3 from scope s where not {leaves_room};

-- name: mark_others_of
-- The same for a caller who is no member of the project :project_id.
insert into request_marks (id) select 3 from full_for_others where project_id = :project_id;

-- name: unmark_others
delete from request_marks where id = 3;

-- name: silence
-- Until end_silence the batch writes no events, no events for hooks and no to-do items (migrations/0020_events.sql).
insert into request_marks (id, silent) values (1, 1) on conflict do nothing;

-- name: silence_if_allowed
-- scope: project
-- The same for administrators, and requests with SUDO.
insert into request_marks (id, silent) select 1, 1 from scope where access >= 60 or key like 'user %';

-- name: end_silence
delete from request_marks where id = 1;
