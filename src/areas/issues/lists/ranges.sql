-- Where a list of issues looks (index_ranges.rs): the projects that the caller sees, the keys of their index ranges,
-- and what reads a range: `{step}` the next issue, `{ids}` all of them up to :bound.

-- piece: in_project
-- The project of the route. reads: whether the caller sees all its confidential issues. Others see those that they
-- wrote or are assigned to.
visible as (select project_id, user_id, reads_confidential as reads from scope where issues_enabled)

-- piece: in_group
-- The projects of a group that the caller sees. The cost grows with their number up to :wide, whatever other projects
-- the group has.
visible as (
  select p.id as project_id, s.user_id, s.reads_confidential
    or exists (select 1
      from project_members m
      where m.user_id = s.user_id and m.project_id = p.id and m.access >= :confidential_level) as reads
  from scope s
  cross join issue_projects p on p.id in (
    select *
    from (select q.id
      from issue_projects q
      where q.namespace_id = s.group_id and q.visibility >= iif(s.access > 0, 0, s.sees_from)
        and not (q.archived and :active)
      limit (select :wide))
    union all
    select *
    from (select q.id
      from project_members m
      cross join issue_projects q on q.id = m.project_id
      where m.user_id = s.user_id and m.namespace_id = s.group_id and not (q.archived and :active)
      limit (select :wide)))
  where +p.namespace_id = s.group_id and not (p.archived and :active)
  limit (select :wide)
)

-- piece: anywhere
-- All projects that the caller sees.
visible as (
  select *, access >= level as reads
  from (
    select p.id as project_id, c.id as user_id, confidential_level as level, p.visibility >= sees_from as is_open,
      ifnull((select w.access from project_viewers w where w.user_id = c.id and w.project_id = p.id), 0) as access
    from caller c
    cross join issue_projects p on p.id in (
      select *
      from (select id
        from issue_projects
        where visibility >= iif(admin, 0, sees_from) and not (archived and :active)
        limit (select :wide))
      union all
      select project_id
      from project_members
      where user_id = c.id
      union all
      select *
      from (select id
        from issue_projects
        where namespace_id in (select c.id union all select group_id from group_members where user_id = c.id)
          and not (archived and :active)
        limit (select :wide)))
    where not (archived and :active))
  where is_open or access > 0
  limit (select :wide)
)

-- piece: of_caller
-- The projects where the caller is author or assignee of an issue, if the caller still sees them. mine: looks up one
-- project after the other in the index.
mine (user_id, level, project_id) as (
  select id, confidential_level, 0
  from caller
  union all
  select h.user_id, h.level,
    (select min(x.project_id) from issues x where x.{mine} = h.user_id and x.project_id > h.project_id)
  from mine h
  where h.project_id is not null
), visible as (
  select h.project_id, h.user_id, w.access >= h.level as reads
  from mine h
  cross join project_viewers w on w.user_id = h.user_id and w.project_id = h.project_id
  cross join issue_projects p on p.id = h.project_id
  where w.sees and not (p.archived and :active)
  limit (select :wide)
)

-- piece: ranges
-- The key of each range. :kinds: what a project has ranges of. A range with reads 1 exists where the caller sees all
-- confidential issues, with 0 where not. by_user: it is the caller's own.
kinds (kind, section, reads, by_user) as materialized (
  select value ->> 'kind', value ->> 'section', value ->> 'reads', value ->> 'by_user'
  from json_each(:kinds)
), ranges as (
  select v.project_id, v.user_id, d.kind, d.section, iif(d.by_user, v.user_id, {key}) as key
  from visible v
  cross join kinds d on v.reads = ifnull(d.reads, v.reads)
)

-- piece: person(given)
-- The user with this id or name, -1 without one.
ifnull(iif(typeof({given}) = 'text', (select n.id from namespaces n where n.path_key = {given} and n.kind = 'user'),
  {given}), -1)

-- piece: project_key
v.project_id

-- piece: label_key
-- The rarest one of :titles. A project without one of these has no range.
(select id
  from (select l.id, l.opened + l.closed + v.reads * (l.opened_hidden + l.closed_hidden) as bearers
    from json_each(:titles) t
    left join labels l on l.project_id = v.project_id and l.title = t.value)
  order by bearers
  limit 1)

-- piece: milestone_key
(select id
  from milestones
  where project_id = v.project_id and iid > 0
    and id = iif(typeof(:milestone) = 'text',
      (select t.id from milestones t where t.project_id = v.project_id and t.title = :milestone), :milestone))

-- piece: author_key
{person(:author)}

-- piece: assignee_key
{person(:assignee)}

-- piece: own_by(column)
select id from issues x where x.{column} = r.key and x.project_id = r.project_id and x.section = r.section

-- piece: own_ids
-- The issues of the range r with the caller as author or assignee.
(select json_group_array(id) from ({own_by(author_id)} union {own_by(assignee_id)}))

-- piece: number_ids
(select json_group_array(x.id)
  from json_each(:iids) n
  cross join issues x on x.project_id = r.key and x.iid = n.value and x.section = r.section)

-- piece: ids_of(id, table, range)
(select json_group_array(id)
  from (select {id} from {table} x where {range} and x.section = r.section limit (select :bound)))

-- piece: label_ids
{ids_of(x.issue_id as id, issue_labels, x.label_id = r.key)}

-- piece: milestone_ids
{ids_of(id, issues, x.milestone_id = r.key)}

-- piece: author_ids
{ids_of(id, issues, x.author_id = r.key and x.project_id = r.project_id)}

-- piece: assignee_ids
{ids_of(id, issues, x.assignee_id = r.key and x.project_id = r.project_id)}

-- piece: project_ids
(select json_group_array(id)
  from (select x.id
    from issues x
    where x.project_id = r.key and x.section = r.section and x.{at} between :from and :to
    limit (select :bound)))

-- piece: next_in(id, table, range)
-- The next issue of the range w in the order of creation.
(select {id}
  from {table}
  where {range} and section = w.section and (created_at, {id}) {beyond} (w.at, w.id)
  order by created_at {way}, {id} {way}
  limit 1)

-- piece: project_step
{next_in(id, issues, project_id = w.key)}

-- piece: label_step
{next_in(issue_id, issue_labels, label_id = w.key)}

-- piece: milestone_step
{next_in(id, issues, milestone_id = w.key)}

-- piece: author_step
{next_in(id, issues, author_id = w.key and project_id = w.project_id)}

-- piece: assignee_step
{next_in(id, issues, assignee_id = w.key and project_id = w.project_id)}
