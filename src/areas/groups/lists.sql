-- Lists of groups in every order (see src/areas/projects/lists.sql).
-- binds: bare
-- order: Id = g.id
-- order: Name = lower(g.name) text
-- order: Path = lower(g.path) text

-- piece: seen_at(level)
select g.id, {sort_key} as sort_key
from groups g
where {after}
  and g.visibility = (select {level}
    from reader
    where sees_from <= {level} and coalesce(:visibility, {level}) = {level})

-- list: list
-- scope: caller
-- shows: GroupRow of group_rows
-- order: {sort_key}, g.id either way inside
-- filters: search, without
-- The groups that the caller sees. With :least, those in which the caller has at least that level as a member. A member
-- of a project sees its group. :all_available: also groups that the caller sees without being a member; if null, only
-- for administrators and callers without a token. :without: JSON list of ids.
with reader as materialized (
  select id,
    iif(:least is not null or id is not null and not coalesce(:all_available, admin), 99, iif(admin, 0, sees_from))
    as sees_from
  from caller
)
select g.id, looked.sort_key, ({has_text(g.name, :search)} or {has_text(g.path, :search)})
  and (:without is null or g.id not in (select value from json_each(:without))) as fits
from (
  {seen_at(20)}
  union all
  {seen_at(10)}
  union all
  {seen_at(0)}
  union all
  select g.id, {sort_key}
  from (
    select m.group_id as id
    from reader
    cross join group_members m on m.user_id = reader.id and m.access >= coalesce(:least, 0)
    union
    select p.namespace_id
    from reader
    cross join project_members m on m.user_id = reader.id and :least is null
    cross join projects p on p.id = m.project_id
    where p.deleted_at is null) near
  cross join groups g on g.id = near.id
  where g.visibility < (select sees_from from reader) and g.visibility = coalesce(:visibility, g.visibility)
    and {after}
  order by 2 {way}, 1 {way}
  limit (select :looks)) looked
cross join groups g on g.id = looked.id;
