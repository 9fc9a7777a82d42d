-- name: project_name
-- scope: project
-- returns: String?
select p.name from scope s cross join projects p on p.id = s.project_id;
