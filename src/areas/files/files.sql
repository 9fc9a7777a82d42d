-- Files that people send.

-- name: room
-- scope: project
-- returns: receiving::Room
-- What decides whether a file may be stored or removed: how many megabytes an upload may have. place: the start of the
-- keys of the project's objects.
select (select max_attachment_size from settings where id = 1) as megabytes, coalesce(w.own, w.store) || '/'
  || s.project_id || '/' as place
from scope s
cross join object_sweeps w on w.id = 1;
