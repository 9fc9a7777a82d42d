-- piece: first_projects
-- The first :most projects of the group :id, in the order of an index without deleted ones.
(select id from projects where namespace_id = :id and deleted_at is null order by visibility, id limit :most)

-- piece: first_tokens
-- The first :most tokens of these projects that are not revoked.
(select t.id, t.bot_id
  from {first_projects} p
  cross join tokens t indexed by tokens_alive_of_project on t.project_id = p.id and t.revoked_at is null
  limit :most)

-- piece: counts
-- What only owners of the namespace r and administrators get.
(select k.counts
  from caller c
  cross join namespace_counts k on k.id = r.id
  where c.admin or c.id = r.id
    or exists (select 1 from group_members m where m.user_id = c.id and m.group_id = r.id and m.access = 50))
as counts

-- name: one
-- scope: group
-- returns: GroupRow?
select r.* from scope cross join group_rows r on r.id = group_id;

-- name: by_id
-- returns: GroupRow?
select * from group_rows where id = :id;

-- name: by_path
-- returns: GroupRow
select r.* from namespaces n cross join group_rows r on r.id = n.id where n.path_key = :path_key;

-- name: before_create
-- scope: caller
-- returns: StateBefore
-- restricted: visibilities that only administrators may set.
select null as visibility, 0 as projects, s.restricted_visibility_levels as restricted,
  exists (select 1 from namespaces where path_key = :path_key) as path_taken
from caller
cross join settings s on s.id = 1;

-- name: before_edit
-- scope: group
-- returns: StateBefore?
-- The same for an existing group.
select g.visibility, g.projects_count as projects, s.restricted_visibility_levels as restricted,
  coalesce(g.creator_id, 0) as creator_id,
  exists (select 1 from namespaces where path_key = :path_key and id <> g.id) as path_taken
from scope
cross join groups g on g.id = scope.group_id
cross join settings s on s.id = 1;

-- name: take_path
-- The namespace gets the next id, which the group shares.
insert into namespaces (kind, path, path_key) values ('group', :path, :path_key);

-- name: create
insert into groups (id, name, path, description, visibility, creator_id, created_at)
select id, :name, path, :description, :visibility, :creator_id, :now
from namespaces
where path_key = :path_key;

-- name: own
-- Makes the creator the owner.
insert into group_members (user_id, group_id, access, created_at)
select :user_id, id, 50, :now
from namespaces
where path_key = :path_key;

-- name: update
-- Null keeps a column.
update groups
set name = coalesce(:name, name), path = coalesce(:path, path), description = coalesce(:description, description),
  visibility = coalesce(:visibility, visibility)
where id = :id;

-- name: change_path
update namespaces set path = :path, path_key = :path_key where id = :id;

-- name: block_bots
-- This statement and the next two make a step of at most :most tokens and :most projects.
update users set state = 'blocked' where state = 'active' and id in (select bot_id from {first_tokens});

-- name: revoke_tokens
update tokens set revoked_at = :now where id in (select id from {first_tokens});

-- name: delete_projects
-- Those of the first projects that have no token left. The new path_key makes the path available again.
update projects
set deleted_at = :now, path_key = '/' || id
where id in (select p.id
  from {first_projects} p
  where not exists (
    select 1
    from tokens t indexed by tokens_alive_of_project
    where t.project_id = p.id and t.revoked_at is null));

-- name: remove_members
-- This statement and the next two change nothing if the group has a project.
delete from group_members
where group_id = :id and not exists (select 1 from projects where namespace_id = :id and deleted_at is null);

-- name: remove
delete from groups
where id = :id and not exists (select 1 from projects where namespace_id = :id and deleted_at is null);

-- name: free_path
-- Makes the path available again. The row stays, so that no other namespace gets the id.
update namespaces
set path = '/', path_key = '/' || id
where id = :id and kind = 'group'
  and not exists (select 1 from projects where namespace_id = :id and deleted_at is null);

-- list: namespaces
-- scope: caller
-- shows: lists::CountedRow of namespace_rows
-- beside: {counts}
-- order: n.id inside
-- filters: search
-- The caller's own namespace and those of groups in which the caller has at least the level :least. Without :least an
-- administrator sees all namespaces, but for those of tokens, whose ids are negative. :search is in their path or, with
-- :by_name, their name.
select n.id, {has_text(n.path_key, :search)} or :by_name
  and {has_text(coalesce((select name from groups where id = n.id), (select name from users where id = n.id)), :search)}
  as fits
from (
  select id
  from namespaces
  where path <> '/' and id > (select max(:after_1, 0) from caller where admin and :least is null)
  union
  select id
  from caller
  where id > max(:after_1, 0)
  union
  select m.group_id
  from caller
  cross join group_members m on m.user_id = caller.id and m.access >= coalesce(:least, 0)
  where m.group_id > :after_1
  order by 1
  limit :looks) looked
cross join namespaces n on n.id = looked.id;

-- name: namespace
-- scope: caller
-- returns: lists::CountedRow?
-- The namespace :named, an id or a path in lower case, if the caller may see it.
select r.*, {counts}
from caller
cross join namespace_rows r on r.id = iif(typeof(:named) = 'text', (select id from namespaces where path_key = :named),
  :named)
where r.id > 0 and r.path <> '/'
  and (caller.admin or r.id = caller.id
    or exists (select 1 from group_members m where m.user_id = caller.id and m.group_id = r.id));

-- name: path_exists
-- scope: caller
-- A row if a user or group has the path.
select n.id from caller cross join namespaces n on n.path_key = :path_key;
