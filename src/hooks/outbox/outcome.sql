-- name: log
insert into hook_log (hook_id, project_id, event_id, webhook_id, attempt, bit, url, request_headers, response_status, response_headers,
  response_body, millis, next_attempt_at, created_at)
values (:hook_id, :project_id, :event_id, :webhook_id, :attempt, :bit, :url, :request_headers, :response_status, :response_headers,
  :response_body, :millis, :next_attempt_at, :now)
