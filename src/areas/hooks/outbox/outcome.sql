-- name: trim_log
-- Deletes the oldest rows of the log of a hook, so that with a new one of :bytes it has at most 1,000 rows and 10 MB,
-- and that in a full project there is room for the status. One statement is enough: 400 rows are longer than any single
-- row.
with excess as (
  select hook_id, log_rows - 999 as over_rows, max(log_bytes + :bytes - 10000000, line - room) as over_bytes
  from hook_rooms
  where hook_id = :hook_id
) delete from hook_log
where id in (select id
  from (
    select id, row_number() over w as place, sum(quota_bytes) over w - quota_bytes as freed
    from (select id, quota_bytes
      from hook_log
      where hook_id = (select hook_id from excess where over_rows > 0 or over_bytes > 0)
      order by id
      limit 400)
    window w as (order by id))
  where place <= (select over_rows from excess) or freed < (select over_bytes from excess));

-- name: log
-- In a full project it stores only the status, if that fits.
insert into hook_log (hook_id, project_id, event_id, webhook_id, attempt, bit, url, request_headers, response_status,
  response_headers, response_body, millis, next_attempt_at, created_at)
select hook_id, :project_id, :event_id, :webhook_id, :attempt, :bit, :url, iif(room >= :bytes, :request_headers, '{}'),
  :response_status, iif(room >= :bytes, :response_headers, '{}'), iif(room >= :bytes, :response_body, ''), :millis,
  :next_attempt_at, :now
from hook_rooms
where hook_id = :hook_id and room >= line;
