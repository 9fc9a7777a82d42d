-- Room for bytes on their way to the object store. Triggers end a batch that takes more room than there is
-- (migrations/0021_storage.sql).

-- name: reserve
-- scope: project
-- Takes room for :bytes in the project. For a caller who is no member, the limit is :most_from_outside instead of
-- :most_of_project.
insert into reservations (request, project_id, person_id, outside, bytes, most_objects, most_of_person, most_of_project,
  created_at)
select :request, project_id, member_id, access = 0, :bytes, :most_objects,
  iif(access < 60 and key not like 'user %', :most_of_person, 0), iif(access = 0, :most_from_outside, :most_of_project),
  now
from scope;

-- name: reserve_more
-- The same for a request that has been authorized.
insert into reservations (request, project_id, person_id, outside, bytes, most_objects, most_of_person, most_of_project,
  created_at)
values (:request, :project_id, :person_id, :outside, :bytes, :most_objects, :most_of_person, :most_of_project, :now);

-- name: give_back
delete from reservations where request = :request;
