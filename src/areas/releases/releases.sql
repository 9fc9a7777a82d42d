-- Releases of tags, with their links and milestones.

-- piece: release_fits
(:updated_after is null or r.updated_at >= :updated_after)
  and (:updated_before is null or r.updated_at <= :updated_before)

-- piece: lengths
(select r.id, r.quota_bytes as bytes, l.answered from releases r cross join release_lengths l on l.id = r.id)

-- piece: links_of_release
-- The links l of the release :tag.
releases r
cross join release_links l on l.release_id = r.id and r.project_id = (select project_id from scope) and r.tag = :tag

-- list: by_release
-- scope: project
-- shows: ReleaseRow of release_rows
-- weighs: {lengths}
-- order: r.released_at, r.id either way
-- filters: updated_after, updated_before
-- total: 10000
select r.id, r.released_at, {release_fits} as fits
from releases r indexed by releases_by_release
where r.project_id = (select project_id from scope) and {after};

-- list: by_creation
-- scope: project
-- shows: ReleaseRow of release_rows
-- weighs: {lengths}
-- order: r.created_at, r.id either way
-- filters: updated_after, updated_before
-- total: 10000
select r.id, r.created_at, {release_fits} as fits
from releases r indexed by releases_by_creation
where r.project_id = (select project_id from scope) and {after};

-- list: in_group
-- scope: group
-- shows: GroupReleaseRow of release_rows
-- beside: p.project
-- weighs: {lengths}
-- order: r.released_at, r.id either way
-- total: 1000
-- The newest 10,000 releases of 1,000 projects of the group that the caller sees, the same number in each.
with visible as materialized ({projects_of_group})
select r.id, r.released_at, v.project
from visible v
cross join releases r on r.id in (select x.id
  from releases x
  where x.project_id = v.id
  order by x.released_at desc, x.id desc
  limit (select 10000 / max(count(*), 10) from visible))
where {after};

-- name: one
-- scope: project
-- returns: ReleaseRow?
-- The release of the tag :tag.
select r.* from release_rows r where r.project_id = (select project_id from scope) and r.tag = :tag;

-- name: latest
-- scope: project
-- returns: String?
select r.tag
from releases r
where r.project_id = (select project_id from scope)
order by r.released_at desc, r.id desc
limit 1;

-- name: facts
-- scope: project
-- returns: Facts
-- What decides whether the release of the tag :tag may be made or changed: whether there is one, the commit of the tag,
-- and which of the milestones with the titles :titles or the ids :ids there are (JSON).
select (select r.id from releases r where r.project_id = s.project_id and r.tag = :tag) as release_id,
  (select r.updated_at from releases r where r.project_id = s.project_id and r.tag = :tag) as updated_at,
  (select c.sha
    from refs r
    cross join commits c on c.id = r.commit_id
    where r.project_id = s.project_id and r.name = 'refs/tags/' || :tag) as sha,
  (select json_group_array(json_object('id', m.id, 'title', m.title))
    from (select m.id, m.title
      from json_each(:titles) t
      cross join milestones m on m.project_id = s.project_id and m.title = t.value and m.iid > 0
      union
      select m.id, m.title
      from json_each(:ids) i
      cross join milestones m on m.id = i.value and m.project_id = s.project_id and m.iid > 0) m) as milestones
from scope s;

-- name: tip_of_tag
-- returns: String?
-- The commit of the tag :tag.
select c.sha
from refs r
cross join commits c on c.id = r.commit_id
where r.project_id = :project_id and r.name = 'refs/tags/' || :tag;

-- name: create
insert into releases (project_id, tag, name, description, sha, author_id, created_at, updated_at, released_at)
values (:project_id, :tag, :name, :description, :sha, :author_id, :now, :now, :released_at);

-- name: update
-- Null keeps a value, unless :clears_name or :clears_description is set.
update releases
set name = iif(:clears_name, null, coalesce(:name, name)),
  description = iif(:clears_description, null, coalesce(:description, description)),
  released_at = coalesce(:released_at, released_at), updated_at = :now
where id = :id and project_id = :project_id;

-- name: touch
update releases set updated_at = :now where id = :id and project_id = :project_id;

-- name: remove_milestones
delete from milestone_releases where release_id = :id and project_id = :project_id;

-- name: add_milestones
-- The milestones :ids, JSON, for the release of the tag :tag.
insert into milestone_releases (release_id, milestone_id, project_id)
select r.id, m.id, r.project_id
from releases r
cross join json_each(:ids) i
cross join milestones m on m.id = i.value and m.iid > 0
where r.project_id = :project_id and r.tag = :tag and m.project_id = r.project_id;

-- name: add_links
-- The links :links, JSON, for the release of the tag :tag.
insert into release_links (release_id, project_id, name, url, filepath, link_type)
select r.id, r.project_id, l.value ->> 'name', l.value ->> 'url', l.value ->> 'filepath', l.value ->> 'link_type'
from releases r
cross join json_each(:links) l
where r.project_id = :project_id and r.tag = :tag
order by l.key;

-- name: written
-- returns: ReleaseRow?
select * from release_rows where project_id = :project_id and tag = :tag;

-- name: remove_links
delete from release_links where release_id = :id and project_id = :project_id;

-- name: remove
delete from releases where id = :id and project_id = :project_id;

-- list: links
-- scope: project
-- shows: LinkRow
-- order: l.id desc
-- total: links_total
-- The links of the release :tag. A release has at most 100.
select l.* from {links_of_release} where {after};

-- name: links_total
-- scope: project
-- returns: ListTotal?
-- No row without the release :tag.
select (select count(*) from release_links l where l.release_id = r.id) as total, 0 as counted
from releases r
where r.project_id = (select project_id from scope) and r.tag = :tag;

-- name: link
-- scope: project
-- returns: LinkRow?
-- The link with the id :link_id of the release :tag.
select l.* from {links_of_release} where l.id = :link_id;

-- name: linked
-- scope: project
-- returns: LinkRow?
-- The link of the release :tag with the path :filepath.
select l.* from {links_of_release} where l.filepath = :filepath;

-- name: linked_before
-- scope: project
-- returns: LinkRow*
-- The links of the release :tag, except :link_id, whose values another link may not repeat.
select l.* from {links_of_release} where l.id is not :link_id order by l.id;

-- name: add_link
-- returns: LinkRow?
-- Adds nothing if the release has 100 links.
insert into release_links (release_id, project_id, name, url, filepath, link_type)
select r.id, r.project_id, :name, :url, :filepath, :link_type
from releases r
where r.id = :release_id and r.project_id = :project_id
  and (select count(*) from release_links where release_id = r.id) < 100
returning id, name, url, filepath, link_type;

-- name: change_link
-- returns: LinkRow?
update release_links
set name = :name, url = :url, filepath = :filepath, link_type = :link_type
where id = :link_id and project_id = :project_id
returning id, name, url, filepath, link_type;

-- name: remove_link
delete from release_links where id = :link_id and project_id = :project_id;
