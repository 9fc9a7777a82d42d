-- name: counts
-- scope: project
-- returns: Counts?
-- The number of the newest statuses of the commit :sha in each state. No row without statuses.
select sum(n.pending) as pending, sum(n.running) as running, sum(n.success) as success, sum(n.failed) as failed,
  sum(n.canceled) as canceled
from status_counts n
where n.commit_id = (select commit_id
  from commit_names
  where project_id = (select project_id from scope) and name = json_array(:sha))
having count(*) > 0
