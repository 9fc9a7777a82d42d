-- Links between issues. A caller sees a link of an issue if they see the other issue, too.

-- piece: seen_issue
-- The issue with the number :iid, if the caller sees it.
select i.id, s.user_id from {numbered_issue} where {shows_issue}

-- piece: may_edit(user, issue)
-- v: the user as a viewer of the issue's project.
(not v.archived
  and (v.access >= :plans or {user} in ({issue}.author_id, coalesce({issue}.assignee_id, {issue}.author_id))))

-- piece: are_linked(one, other)
(exists (select 1 from issue_links k where k.source_id = {one} and k.target_id = {other})
  or exists (select 1 from issue_links k where k.source_id = {other} and k.target_id = {one}))

-- list: list
-- scope: project
-- shows: LinkedRow of issue_rows
-- beside: {path_of_issue} as full_path, {issue_as_seen_by(p.user_id)}
-- beside: p.link_id, p.link_type, p.linked_at
-- weighs: issue_lengths
-- order: link_id
-- total: none
-- The issues that are linked with the issue :iid, with their links, in the order of the links.
with seen as materialized ({seen_issue})
select k.*
from (
  select k.id as link_id, k.target_id as id, k.link_type, k.created_at as linked_at, i.user_id
  from seen i
  cross join issue_links k on k.source_id = i.id and k.id > :after_1
  union all
  select k.id, k.source_id, iif(k.link_type = 'blocks', 'is_blocked_by', k.link_type), k.created_at, i.user_id
  from seen i
  cross join issue_links k on k.target_id = i.id and k.id > :after_1) k
where exists (select 1 from issue_audience v where v.issue_id = k.id and v.user_id = k.user_id);

-- name: target
-- scope: project
-- returns: LinkTarget?
-- The issue :iid of the project with the id or path :project, if the caller sees it. may_link: the caller may edit it.
-- is_linked: it is linked with the issue :own_iid of this project. is_full: one of the two has the most links that are
-- allowed. A token of a project finds no issue of another.
select i.id, {may_edit(s.user_id, i)} as may_link, {are_linked(o.id, i.id)} as is_linked, {links_of(o.id)} >= 1000
  or {links_of(i.id)} >= 1000
  or (:kind <> 'relates_to'
    and (select count(*)
      from issue_links k
      where k.link_type = 'blocks' and k.source_id = iif(:kind = 'blocks', o.id, i.id)) >= 50) as is_full
from scope s
cross join issues o on o.project_id = s.project_id and o.iid = :own_iid
cross join issues i on i.project_id = ifnull((select id from projects where path_key = :project), :project)
  and i.iid = :iid and ifnull(s.token_project_id, i.project_id) = i.project_id
cross join issue_audience a on a.issue_id = i.id and a.user_id = s.user_id
cross join project_viewers v on v.user_id = s.user_id and v.project_id = i.project_id;

-- name: expect_editable
-- scope: project
-- Ends the batch unless the caller sees both issues and may edit them.
insert into expectations (holds)
select s.issues_enabled
  and (select count(*)
    from issues i
    cross join issue_audience a on a.issue_id = i.id and a.user_id = s.user_id
    cross join project_viewers v on v.user_id = s.user_id and v.project_id = i.project_id
    where i.id in (:source_id, :target_id) and {may_edit(s.user_id, i)}) = 2
from scope s;

-- name: expect_room
-- scope: project
-- Ends the batch if they are linked, or if one of them has the most links that are allowed.
insert into expectations (holds)
select not {are_linked(:source_id, :target_id)} and {links_of(:source_id)} < 1000 and {links_of(:target_id)} < 1000
  and (:link_type <> 'blocks'
    or (select count(*) from issue_links k where k.source_id = :source_id and k.link_type = 'blocks') < 50)
from scope;

-- name: expect_link
-- scope: project
-- Ends the batch if the link is gone.
insert into expectations (holds) select exists (select 1 from issue_links k where k.id = :link_id) from scope;

-- name: create
-- scope: project
insert into issue_links (source_id, target_id, link_type, created_at, project_id)
select i.id, :target_id, :link_type, s.now, i.project_id
from scope s
cross join issues i on i.id = :source_id;

-- name: note
-- scope: project
-- A system comment on the issue :issue_id. It names the other issue only to users who see that issue.
insert into notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, reference_issue_id,
  created_at, updated_at)
select i.project_id, i.id, s.user_id, :text, 1, p.full_path || '#' || o.iid, p.id, o.id, s.now, s.now
from scope s
cross join issues i on i.id = :issue_id
cross join issues o on o.id = :other_id
cross join projects p on p.id = o.project_id;

-- name: touch
-- scope: project
-- Both issues have changed.
update issues
set updated_at = max(s.now, updated_at + 1)
from (select now from scope) s
where id in (:source_id, :target_id);

-- name: remove
-- scope: project
delete from issue_links where id = (select :link_id from scope);

-- name: linked
-- scope: project
-- returns: LinkRow?
-- The link :link_id, or the newest, as seen from the issue with the number :iid, with both issues.
with seen as materialized ({seen_issue})
select json_object('id', k.id, 'link_type',
  iif(k.source_id = i.id or k.link_type <> 'blocks', k.link_type, 'is_blocked_by'), 'source', json(r.row), 'target',
  json(o.row), 'may_unlink', {may_edit(i.user_id, x)}) as row
from seen i
cross join issue_links k on k.id = coalesce(:link_id, {made(issue_links)}) and i.id in (k.source_id, k.target_id)
cross join issues x on x.id = iif(k.source_id = i.id, k.target_id, k.source_id)
cross join issue_audience a on a.issue_id = x.id and a.user_id = i.user_id
cross join project_viewers v on v.user_id = i.user_id and v.project_id = x.project_id
cross join issue_records r on r.issue_id = i.id and r.user_id = i.user_id
cross join issue_records o on o.issue_id = x.id and o.user_id = i.user_id;
