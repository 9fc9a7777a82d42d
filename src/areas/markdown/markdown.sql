-- name: targets
-- scope: project
-- returns: references::TargetRow
-- Of the issues :iids those that the caller sees, and of the usernames :names in lower case those that there are. All are JSON lists.
select (select json_group_array(i.iid) from json_each(:iids) n cross join issues i on i.project_id = s.project_id and i.iid = n.value
    and i.deleted_at is null where s.issues_enabled and :sees_issue(i)) as iids,
  (select json_group_array(n.value) from json_each(:names) n cross join namespaces p on p.path_key = n.value
    cross join users u on u.id = p.id and u.deleted_at is null) as names
from scope s
