-- Uploads of a project.

-- piece: uploads_of_project
select u.id, u.secret, u.filename as name, u.size, u.sha256, coalesce(u.store, w.store) || '/' || u.project_id
  || '/uploads/' || u.secret as object_key
from scope s
cross join uploads u on u.project_id = s.project_id
cross join object_sweeps w on w.id = 1

-- name: create
-- returns: i64
insert into uploads (project_id, secret, store, filename, size, sha256, author_id, person_id, outside, created_at)
select :project_id, :secret, own, :filename, :size, :sha256, :author_id, :person_id, :outside, :now
from object_sweeps
where id = 1
returning id;

-- name: is_taken
-- scope: project
-- returns: i64?
-- A row if the project has an upload with the secret.
select u.id from scope s cross join uploads u on u.project_id = s.project_id and u.secret = :secret;

-- list: list
-- scope: project
-- shows: v4::ListedUpload
-- order: u.id desc
select u.id, u.size, u.filename, u.created_at,
  (select json_object('id', a.id, 'name', a.name, 'username', a.username) from users a where a.id = u.author_id)
  as uploaded_by, u.secret
from uploads u
where u.project_id = (select project_id from scope) and {after};

-- name: one
-- scope: project
-- returns: UploadRow?
select * from ({uploads_of_project}) where id = :id;

-- name: named
-- scope: project
-- returns: UploadRow?
select * from ({uploads_of_project}) where secret = :secret;

-- name: remove
delete from uploads where id = :id and project_id = :project_id;
