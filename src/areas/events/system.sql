-- Events for hooks of the system about projects, members, users and groups. Each is written only if there is such a
-- hook.
-- writes: events

-- piece: new_system_event
hook_events (kind, action, bit, system_bit, origin, snapshot, created_at)

-- piece: system_event
'system', :event_name, 524288, 524288, :origin, json_set(m.document, '$.event_name', :event_name), :now

-- piece: system_wanted
exists (select 1 from hooks h where h.project_id is null and h.events & 524288)

-- name: system_project
-- The project :id. With :old_path, only if the previous statement changed the project: it was renamed if its path
-- differs now.
insert into {new_system_event}
select 'system', e.name, 524288, 524288, :origin,
  iif(e.name = 'project_rename', json_set(p.document, '$.event_name', e.name, '$.old_path_with_namespace', :old_path),
    json_set(p.document, '$.event_name', e.name)), :now
from system_projects p
cross join (select coalesce(:event_name,
  iif((select full_path from projects where id = :id) = :old_path, 'project_update', 'project_rename')) as name) e
where p.id = :id and (:old_path is null or changes() = 1) and {system_wanted};

-- name: repository_updated
-- Refs of the project :project_id moved: :changes is the list of them in the payload. No hook of a project gets it.
insert into hook_events (kind, action, bit, system_bit, project_id, origin, snapshot, created_at)
select 'repository_update', 'update', 0, 262144, p.id, :origin,
  json_object('user', json(u.document), 'project', json(p.document), 'changes', json(:changes)), :now
from event_projects p
cross join event_people u on u.id = :user_id
where p.id = :project_id and exists (select 1 from hooks h where h.project_id is null and h.events & 262144);

-- name: system_new_project
-- The newest project, if the user :creator_id has made it now.
insert into {new_system_event}
select {system_event}
from system_projects m
where m.id = {made(projects)} and m.created_at = :now and m.creator_id = :creator_id and {system_wanted};

-- name: system_member
-- Unless the member had the access :before.
insert into {new_system_event}
select {system_event}
from system_members m
where m.project_id = :project_id and m.user_id = :user_id and m.access is not :before and {system_wanted};

-- name: system_group_member
-- The same for a group, and unless :leaves is the last owner.
insert into {new_system_event}
select {system_event}
from system_group_members m
where m.group_id = :group_id and m.user_id = :user_id and m.access is not :before
  and (not :leaves or m.access < 50
    or exists (select 1 from group_members o where o.group_id = :group_id and o.access = 50 and o.user_id <> :user_id))
  and {system_wanted};

-- name: system_members_expire
-- The members that retention.sql removes from projects next.
insert into {new_system_event}
select {system_event}
from {ended_in_projects} e
cross join system_members m on m.user_id = e.user_id and m.project_id = e.project_id
where {system_wanted};

-- name: system_group_members_expire
-- And those that it removes from groups.
insert into {new_system_event}
select {system_event}
from {ended_in_groups} e
cross join system_group_members m on m.user_id = e.user_id and m.group_id = e.group_id
where {system_wanted};

-- name: system_user
-- The user :id, or the one with the name :username_key in lower case. With :old_username, if it is another name now.
insert into {new_system_event}
select 'system', :event_name, 524288, 524288, :origin,
  iif(:old_username is null, json_set(u.document, '$.event_name', :event_name),
    json_set(u.document, '$.event_name', :event_name, '$.old_username', :old_username)), :now
from system_users u
where u.id = coalesce(:id, (select id from namespaces where path_key = :username_key))
  and u.username is not :old_username and {system_wanted};

-- name: system_group
-- The group :id, or the one with the path :path_key in lower case. With :old_path, if it is another path now. With
-- :ends, if it has no project.
insert into {new_system_event}
select 'system', :event_name, 524288, 524288, :origin,
  iif(:old_path is null, json_set(g.document, '$.event_name', :event_name),
    json_set(g.document, '$.event_name', :event_name, '$.old_path', :old_path, '$.old_full_path', :old_path)), :now
from system_groups g
where g.id = coalesce(:id, (select id from namespaces where path_key = :path_key)) and g.path is not :old_path
  and (not :ends or not exists (select 1 from projects where namespace_id = g.id and deleted_at is null))
  and {system_wanted};
