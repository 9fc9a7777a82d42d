-- Lists of users in every order.
-- binds: bare
-- order: Id = u.id
-- order: Name = lower(u.name) text
-- order: Username = lower(u.username) text

-- list: list
-- scope: caller
-- shows: ProfileRow of profile_rows
-- order: {sort_key}, y.id either way inside
-- filters: narrowed
-- Users, or the one with the name :username. :search: a part of a name, or for administrators an e-mail address.
-- :created_after and :created_before are inclusive. :is_external, :is_internal, :is_admin and :without_projects (the
-- user neither owns one nor is a member of one) work only for administrators. narrowed: set if some may not match.
select u.id, y.sort_key, {is_named(c)} and (:created_after is null or u.created_at >= :created_after)
  and (:created_before is null or u.created_at <= :created_before)
  and (:is_active is null or :is_active = (u.state = 'active'))
  and (not c.admin or (u.external or not :is_external) and (u.admin or not :is_admin)
    and not (u.external and :is_internal)
    and (not :without_projects or u.projects_count = 0
      and not exists (select 1
        from project_members m
        cross join projects p on p.id = m.project_id
        where m.user_id = u.id and p.deleted_at is null)
      and not exists (select 1
        from group_members m
        cross join groups g on g.id = m.group_id
        where m.user_id = u.id and g.projects_count > 0))) as fits
from caller c
cross join (
  select u.id, {sort_key} as sort_key
  from users u
  where {sort_key} between iif(:username is null, :from, null) and :to
    and ({sort_key}, u.id) {beyond} (:after_1, :after_2) and u.id > 0 and u.deleted_at is null
  union all
  select u.id, {sort_key}
  from namespaces n
  cross join users u on u.id = n.id
  where n.path_key = lower(:username) and ({sort_key}, u.id) {beyond} (:after_1, :after_2) and u.id > 0
    and u.deleted_at is null
  order by 2 {way}, 1 {way}
  limit (select :looks)) y
cross join users u on u.id = y.id;
