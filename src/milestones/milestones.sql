-- Milestones of a project. Their numbers (iid) ascend with their ids. A page ends early where its texts have more than 4 MB.

-- name: list?
-- The milestones behind the number :after in the order of their numbers, in one state if :state is given.
, page as (
  select id, row_number() over () as place, sum(octet_length(title) + coalesce(octet_length(description), 0)) over (order by iid) as bytes
  from (select * from milestone_rows where project_id = (select project_id from scope) and (:state is null or state = :state) and iid > :after
    order by iid limit :most offset :skip)
)
select m.*, coalesce(p.next > 4000000, 0) as ends from (select *, lead(bytes) over (order by place) as next from page) p
cross join milestone_rows m on m.id = p.id where p.place = 1 or p.bytes <= 4000000 order by p.place

-- name: numbered?
-- The same of those with one of the numbers :iids, JSON.
, page as (
  select id, row_number() over () as place, sum(octet_length(title) + coalesce(octet_length(description), 0)) over (order by iid) as bytes
  from (select m.* from (select distinct value as iid from json_each(:iids)) n
    cross join milestone_rows m on m.project_id = (select project_id from scope) and m.iid = n.iid
    where (:state is null or m.state = :state) and m.iid > :after order by m.iid limit :most offset :skip)
)
select m.*, coalesce(p.next > 4000000, 0) as ends from (select *, lead(bytes) over (order by place) as next from page) p
cross join milestone_rows m on m.id = p.id where p.place = 1 or p.bytes <= 4000000 order by p.place

-- name: total?
-- How many there are: the numbers have no gaps but for deleted ones.
select max(coalesce((select max(iid) from milestones where project_id = s.project_id), 0), 0)
  - (select count(*) from milestones d where d.project_id = s.project_id and d.iid < 0
    and d.iid > (select -max(k.iid) from milestones k where k.project_id = s.project_id)) as total, 0 as counted
from scope s

-- name: count?
-- How many there are in the state :state, or with one of the numbers :iids. null: more than 10,000.
select iif(count(*) > 10000, null, count(*)) as total, count(*) as counted from (
  select 1 from milestone_rows where project_id = (select project_id from scope) and (:state is null or state = :state)
    and (:iids is null or iid in (select value from json_each(:iids))) limit 10001)

-- name: newest_first?
-- Of the :looks newest milestones before the number :before those that fit the filters. A search passes over descriptions of more than
-- 50,000 bytes.
, page as (
  select id, row_number() over () as place, sum(octet_length(title) + coalesce(octet_length(description), 0)) over (order by iid desc) as bytes
  from (select * from (select * from milestone_rows where project_id = (select project_id from scope) and iid < :before order by iid desc limit :looks)
    where (:state is null or state = :state) and (:title is null or title = :title)
      and (:search is null or instr(lower(title || ' ' || iif(octet_length(description) <= 50000, substr(description, 1, 4000), '')), :search))
      and (:updated_after is null or updated_at >= :updated_after) and (:updated_before is null or updated_at <= :updated_before)
      and (:iids is null or iid in (select value from json_each(:iids)))
    limit :most offset :skip)
)
select m.*, coalesce(p.next > 4000000, 0) as ends from (select *, lead(bytes) over (order by place) as next from page) p
cross join milestone_rows m on m.id = p.id where p.place = 1 or p.bytes <= 4000000 order by p.place

-- name: count_newest?
-- How many of the :looks newest milestones fit the filters. null: there may be more.
select iif((select count(*) from (select 1 from milestone_rows where project_id = (select project_id from scope) limit :looks)) = :looks,
  null, count(*)) as total, count(*) as counted
from (select * from milestone_rows where project_id = (select project_id from scope) order by iid desc limit :looks)
where (:state is null or state = :state) and (:title is null or title = :title)
  and (:search is null or instr(lower(title || ' ' || iif(octet_length(description) <= 50000, substr(description, 1, 4000), '')), :search))
  and (:updated_after is null or updated_at >= :updated_after) and (:updated_before is null or updated_at <= :updated_before)
  and (:iids is null or iid in (select value from json_each(:iids)))

-- name: one?
-- The milestone of this project with the id :id.
select m.* from scope s cross join milestone_rows m on m.id = :id and m.project_id = s.project_id

-- name: create
-- Refused by a constraint where there is one of that title.
insert into milestones (project_id, iid, title, description, due_date, start_date, created_at, updated_at)
select :project_id, max(coalesce((select max(iid) from milestones where project_id = :project_id), 0),
  -coalesce((select min(iid) from milestones where project_id = :project_id), 0)) + 1, :title, :description, :due_date, :start_date, :now, :now
returning id, iid, project_id, title, description, state, due_date, start_date, created_at, updated_at

-- name: update
update milestones set title = coalesce(:title, title), description = iif(:keeps_description, description, :description),
  due_date = :due_date, start_date = :start_date, state = coalesce(:state, state), updated_at = :now
where id = :id
returning id, iid, project_id, title, description, state, due_date, start_date, created_at, updated_at

-- name: hide
-- From then on no read shows it, and another one may have its title.
update milestones set iid = -iid, title = printf('%0300d', id) where id = :id and iid > 0

-- name: take_off
-- Takes deleted milestones of the project off some of the issues that have one.
update issues set milestone_id = null where id in (select i.id from milestones m cross join issues i on i.milestone_id = m.id
  where m.project_id = :project_id and m.iid < 0 limit :most)

-- name: is_left
-- A row if there are issues that have a deleted milestone.
select i.id from milestones m cross join issues i on i.milestone_id = m.id where m.project_id = :project_id and m.iid < 0 limit 1
