-- Badges of a project: addresses of pictures and of pages, with placeholders.

-- list: list
-- scope: project
-- shows: BadgeRow
-- order: b.id
-- total: total
-- The badges with the name :name, or all.
select b.id, b.name, b.link_url, b.image_url
from badges b
where b.project_id = (select project_id from scope) and {after} and (:name is null or b.name = :name);

-- name: total
-- scope: project
-- returns: ListTotal
-- A project has at most 100.
select count(*) as total, 0 as counted
from badges b
where b.project_id = (select project_id from scope) and (:name is null or b.name = :name);

-- name: one
-- scope: project
-- returns: BadgeRow?
select b.id, b.name, b.link_url, b.image_url
from badges b
where b.id = :badge_id and b.project_id = (select project_id from scope);

-- name: expect_room
-- scope: project
insert into expectations (holds)
select (select count(*) from badges b where b.project_id = s.project_id) < 100
from scope s;

-- name: create
-- scope: project
insert into badges (project_id, name, link_url, image_url, created_at)
select s.project_id, :name, :link_url, :image_url, s.now
from scope s;

-- name: newest
-- scope: project
select b.id, b.name, b.link_url, b.image_url from scope cross join badges b on b.id = (select max(id) from badges);

-- name: update
-- scope: project
-- Null values stay.
update badges
set name = coalesce(:name, name), link_url = coalesce(:link_url, link_url), image_url = coalesce(:image_url, image_url)
where id = :badge_id and project_id = (select project_id from scope);

-- name: expect_badge
-- scope: project
-- Ends the batch if the badge is gone.
insert into expectations (holds)
select exists (select 1 from badges b where b.id = :badge_id and b.project_id = s.project_id)
from scope s;

-- name: remove
delete from badges where id = :badge_id and project_id = :project_id;
