-- The writes of each user in an hour. A trigger ends a batch that exceeds the limit.

-- name: count_write?
-- Counts one write of the caller. Administrators and requests with SUDO are not counted.
insert into hourly_writes (user_id, hour, writes, most)
select user_id, cast(now / 3600000 as integer), 1, :most from scope where access < 60 and key not like 'user %'
on conflict (user_id) do update
set writes = iif(hour = excluded.hour, writes + 1, 1), hour = excluded.hour, most = excluded.most

-- name: count_write_of
insert into hourly_writes (user_id, hour, writes, most) values (:user_id, :hour, 1, :most)
on conflict (user_id) do update
set writes = iif(hour = excluded.hour, writes + 1, 1), hour = excluded.hour, most = excluded.most
