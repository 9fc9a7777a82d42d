-- The numbers (iid) of a project's milestones ascend with the ids. A page ends early if its texts have more than 3 MB.

-- piece: has_words
{has_text(title || ' ' || iif(octet_length(description) <= 50000, substr(description, 1, 4000), ''), :search)}

-- piece: visible_in_group
-- 1,000 projects of the group that the caller sees.
(select id
  from scope s
  cross join projects p on p.id in ({ids_in_group})
  where +p.namespace_id = s.group_id and p.deleted_at is null
  limit 1000)

-- piece: visible_anywhere
-- 1,000 projects of the caller, 1,000 of their groups, and 1,000 that are open.
(select *
  from (select m.project_id as id
    from caller c
    cross join project_members m on m.user_id = c.id
    cross join projects q on q.id = m.project_id
    where q.deleted_at is null
    limit 1000)
  union
  select *
  from (select q.id
    from ({places_of_caller}) n
    cross join projects q on q.namespace_id = n.id
    where q.deleted_at is null
    limit 1000)
  union
  select *
  from (select q.id
    from caller c
    cross join projects q on q.visibility >= iif(c.admin, 0, c.sees_from)
    where q.deleted_at is null
    limit 1000))

-- piece: milestones_each
-- How many milestones of each of these projects are looked at, the newest.
10000 / max(count(*), 10)

-- piece: is_part
-- Whether there may be more of the projects v, or of their milestones, whose numbers count deleted ones, too.
count(*) >= 1000
  or ifnull(max((select max(iid) from milestones where project_id = v.id)), 0) > {milestones_each}

-- piece: found_milestones
-- The matches among the newest milestones of the projects in `visible`.
(select m.id, m.project_id
  from visible v
  cross join milestones m on m.id in (select x.id
    from milestones x
    where x.project_id = v.id and x.iid > 0
    order by x.iid desc
    limit (select {milestones_each} from visible))
  where m.id < :after_1 and (:state is null or m.state = :state) and {has_words}) m

-- piece: path_of_milestone
(select full_path from projects where id = r.project_id)

-- piece: milestone_columns
id, iid, project_id, title, description, state, due_date, start_date, created_at, updated_at

-- list: list
-- scope: project
-- shows: MilestoneRow of milestone_rows
-- weighs: milestone_lengths
-- order: iid
-- total: total
-- There is one lower bound, `max(:after_1, 0)`: with a second one, SQLite would check that for each row.
select id, iid from milestones where project_id = (select project_id from scope) and iid > max(:after_1, 0);

-- list: in_state
-- scope: project
-- shows: MilestoneRow of milestone_rows
-- weighs: milestone_lengths
-- order: iid
select id, iid
from milestones
where project_id = (select project_id from scope) and state = :state and iid > max(:after_1, 0);

-- list: numbered
-- scope: project
-- shows: MilestoneRow of milestone_rows
-- weighs: milestone_lengths
-- order: m.iid
-- Those with the numbers :iids, JSON.
select m.id, m.iid
from (select distinct value as iid from json_each(:iids)) n
cross join milestone_rows m on m.project_id = (select project_id from scope) and m.iid = n.iid
where (:state is null or m.state = :state) and {after};

-- name: total
-- scope: project
-- returns: ListTotal?
-- The total. Numbers have no gaps except for deleted milestones.
select max(coalesce((select max(iid) from milestones where project_id = s.project_id), 0), 0)
  - (select count(*)
    from milestones d
    where d.project_id = s.project_id and d.iid < 0
      and d.iid > (select -max(k.iid) from milestones k where k.project_id = s.project_id)) as total, 0 as counted
from scope s;

-- list: newest_first
-- scope: project
-- shows: MilestoneRow of milestone_rows
-- weighs: milestone_lengths
-- order: iid desc
-- filters: state, title, search, updated_after, updated_before, iids
-- looks: 1000
-- A search ignores descriptions of more than 50,000 bytes.
select id, iid,
  (:state is null or state = :state) and (:title is null or title = :title) and (:search is null or {has_words})
  and (:updated_after is null or updated_at >= :updated_after)
  and (:updated_before is null or updated_at <= :updated_before)
  and (:iids is null or iid in (select value from json_each(:iids))) as fits
from milestone_rows
where project_id = (select project_id from scope) and {after};

-- list: found_in_group
-- scope: group
-- shows: MilestoneSearchRow of milestone_rows
-- beside: {path_of_milestone} as full_path
-- weighs: milestone_lengths
-- order: m.id desc
-- total: none
-- The newest milestones with the text :search. The newest 10,000 are looked at, as many of each project.
with visible as materialized (select id from {visible_in_group})
select m.id, m.project_id
from {found_milestones};

-- list: found_anywhere
-- scope: caller
-- shows: MilestoneSearchRow of milestone_rows
-- beside: {path_of_milestone} as full_path
-- weighs: milestone_lengths
-- order: m.id desc
-- total: none
-- The same of projects anywhere.
with visible as materialized (select id from {visible_anywhere})
select m.id, m.project_id
from {found_milestones};

-- name: is_part_in_group
-- scope: group
-- returns: bool?
select {is_part}
from {visible_in_group} v;

-- name: is_part_anywhere
-- scope: caller
-- returns: bool?
select {is_part}
from {visible_anywhere} v;

-- name: one
-- scope: project
-- returns: MilestoneRow?
-- The milestone of this project with the id :id.
select m.* from scope s cross join milestone_rows m on m.id = :id and m.project_id = s.project_id;

-- name: to_delete
-- scope: project
-- returns: Deletion?
-- The same, and how many issues have it.
select m.id, m.updated_at, m.opened + m.closed + m.opened_hidden + m.closed_hidden as issues
from scope s
cross join milestone_rows m on m.id = :id and m.project_id = s.project_id;

-- name: create
-- returns: MilestoneRow?
-- A constraint fails if the title is taken.
insert into milestones (project_id, iid, title, description, due_date, start_date, created_at, updated_at)
select :project_id,
  max(coalesce((select max(iid) from milestones where project_id = :project_id), 0),
    -coalesce((select min(iid) from milestones where project_id = :project_id), 0)) + 1, :title, :description,
  :due_date, :start_date, :now, :now
returning {milestone_columns};

-- name: expect_unmodified
-- Ends the batch if the milestone was deleted, or changed after :since.
insert into expectations (holds) select exists (select 1 from milestone_rows where id = :id and updated_at <= :since);

-- name: update
-- returns: MilestoneRow?
-- No row if the milestone was deleted.
update milestones
set title = coalesce(:title, title), description = iif(:keeps_description, description, :description),
  due_date = :due_date, start_date = :start_date, state = coalesce(:state, state),
  updated_at = max(updated_at + 1, :now)
where id = :id and iid > 0
returning {milestone_columns};

-- name: hide
-- No read shows the milestone from now on, and another one may have its title. Its row stays, without the text.
update milestones set iid = -iid, title = printf('%0300d', id), description = null where id = :id and iid > 0;

-- name: take_off
-- Removes the deleted milestones of the project from some of their issues: :most, or fewer if these have long
-- descriptions, because SQLite writes them again. After :bytes of them no further issue is taken.
update issues
set milestone_id = null
where id in (select id
  from (select id, sum(bytes) over (rows unbounded preceding) - bytes as bytes_before
    from (select i.id, i.quota_bytes as bytes
      from milestones m
      cross join issues i on i.milestone_id = m.id
      where m.project_id = :project_id and m.iid < 0
      limit :most))
  where bytes_before < :bytes);

-- name: is_left
-- A row if issues still have a deleted milestone.
select i.id
from milestones m
cross join issues i on i.milestone_id = m.id
where m.project_id = :project_id and m.iid < 0
limit 1;
