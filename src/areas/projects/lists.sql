-- Lists of projects in every order. Each arm of a union is an index range with only projects that the caller may see.
-- SQLite merges the arms as far as the page needs. narrowed: set if some of these may not match. :least: the lowest
-- level of the caller as a member. :search: a text to find in the texts of the kind :searched.
-- binds: bare
-- order: Id = p.id (projects_within)
-- order: Name = lower(p.name) text (projects_within_by_name)
-- order: Path = lower(p.path) text (projects_within_by_path)
-- order: Update = p.updated_at (projects_within_by_update)

-- piece: is_next
{sort_key} between max(:from, case {order} when 'Id' then :first_id when 'Update' then :updated_from else :from end)
  and min(:to, case {order} when 'Id' then :last_id when 'Update' then :updated_to else :to end)
  and ({sort_key}, p.id) {beyond} (:after_1, :after_2)

-- piece: everywhere_at(visibility)
select p.id, {sort_key} as sort_key
from projects p
where p.deleted_at is null and {is_next} and p.visibility = (select {visibility} from seen where level = {visibility})

-- piece: near_projects
select p.id, {sort_key}
from near
cross join projects p on p.id = near.id

-- piece: in_namespace_at(visibility)
select p.id, {sort_key} as sort_key
from projects p indexed by {index}
where p.deleted_at is null and {is_next}
  and (p.namespace_id, p.visibility) = (select home, level from seen where level = {visibility})

-- piece: joined_in_namespace
select p.id, {sort_key}
from reader
cross join project_members m on m.user_id = reader.id and m.access >= coalesce(:least, 0)
cross join projects p on p.id = m.project_id
where p.namespace_id = home and p.visibility < sees_from and p.visibility = coalesce(:visibility, p.visibility)
  and p.deleted_at is null and {is_next}

-- piece: is_wanted
{has_text((select text from project_texts where id = p.id and kind = :searched), :search)}
and p.archived = coalesce(:archived, p.archived) and p.issues_enabled >= :with_issues
and p.updated_at between :updated_from and :updated_to and p.id between :first_id and :last_id

-- piece: merged(arms)
(
  {arms}
  order by 2 {way}, 1 {way}
  limit (select :looks)) looked
cross join projects p on p.id = looked.id
cross join reader

-- piece: accesses
(select m.access
  from project_members m
  where m.user_id = p.reader_id and m.project_id = r.id) as project_access,
(select m.access
  from group_members m
  where m.user_id = p.reader_id and m.group_id = r.namespace_id) as group_access, null as token_access

-- list: everywhere
-- scope: caller
-- shows: ProjectRow of project_rows
-- beside: {accesses}
-- order: {sort_key}, p.id either way inside
-- filters: narrowed
-- total: 1000
-- The projects that the caller sees. With :least, those that the caller is a member of. With :all, an administrator
-- sees every project.
with reader as materialized (
  select id, iif(:least is not null, 99, iif(admin and :all, 0, sees_from)) as sees_from
  from caller
), seen as materialized (
  select value as level
  from reader
  cross join json_each('[0, 10, 20]')
  where value >= sees_from and value = coalesce(:visibility, value)
), near as materialized (
  select o.id
  from reader
  cross join (select 0 as level union all select 10 union all select 20) levels
  cross join (select id
    from caller
    union all
    select m.group_id
    from caller
    cross join group_members m on m.user_id = caller.id and m.access >= coalesce(:least, 0)) places
  cross join projects o on o.id in (
    select p.id
    from projects p indexed by {index}
    where p.namespace_id = places.id and p.visibility = level and p.deleted_at is null
      and {is_next}
    order by {sort_key} {way}, p.id {way}
    limit (select :looks))
  where level < sees_from and level = coalesce(:visibility, level)
  union
  select p.id
  from reader
  cross join project_members m on m.user_id = reader.id and m.access >= coalesce(:least, 0)
  cross join projects p on p.id = m.project_id
  where p.deleted_at is null and p.visibility < sees_from and p.visibility = coalesce(:visibility, p.visibility)
    and {is_next}
)
select p.id, looked.sort_key, reader.id as reader_id, {is_wanted} as fits
from {merged({everywhere_at(20)}
  union all
  {everywhere_at(10)}
  union all
  {everywhere_at(0)}
  union all
  {near_projects})};

-- list: in_namespace
-- scope: caller
-- shows: ProjectRow of project_rows
-- beside: {accesses}
-- order: {sort_key}, p.id either way inside
-- filters: narrowed
-- total: 1000
-- :namespace: an id, a path in lower case, or null for the caller's own. The owner, members of the group and
-- administrators see all projects of the namespace.
with reader as materialized (
  select caller.id, n.id as home, iif(admin or caller.id = n.id or m.user_id is not null, 0, sees_from) as sees_from
  from caller
  cross join namespaces n on n.id = iif(typeof(:namespace) = 'text',
    (select id from namespaces where path_key = :namespace), coalesce(:namespace, caller.id))
  left join group_members m on m.user_id = caller.id and m.group_id = n.id
), seen as materialized (
  select home, value as level
  from reader
  cross join json_each('[0, 10, 20]')
  where value >= sees_from and value = coalesce(:visibility, value)
)
select p.id, looked.sort_key, reader.id as reader_id, {is_wanted}
  and (:least is null or home = reader.id
    or :least <= max(coalesce((select m.access
      from project_members m
      where m.user_id = reader.id and m.project_id = p.id), 0),
      coalesce((select m.access from group_members m where m.user_id = reader.id and m.group_id = home), 0))) as fits
from {merged({in_namespace_at(20)}
  union all
  {in_namespace_at(10)}
  union all
  {in_namespace_at(0)}
  union all
  {joined_in_namespace})};
