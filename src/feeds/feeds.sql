-- Feeds of a project.

-- name: issues?
-- The newest 20 issues that the caller sees, of the newest 100.
select i.iid, i.title, substr(i.description, 1, 8192) as description, u.name as author, i.created_at, i.updated_at
from scope s cross join (select * from issues where project_id = (select project_id from scope) order by iid desc limit 100) i
cross join users u on u.id = i.author_id
where i.deleted_at is null and s.issues_enabled and (i.confidential = 0 or s.reads_confidential or s.user_id in (i.author_id, i.assignee_id))
order by i.iid desc limit 20
