-- Events that a hook is tested with: the newest record of each kind, as if it had just been made.
-- writes: events

-- piece: new_sample
-- An event for the hook :hook_id alone.
hook_events (kind, action, bit, project_id, hook_id, origin, snapshot, created_at)

-- piece: scope_of_hook
scope s cross join hooks h on h.id = :hook_id and h.project_id = s.project_id

-- piece: sample
id as event_id, kind, action, bit, origin, before, snapshot, created_at as happened_at,
  (select avatar_enabled from settings) as avatars

-- name: release_sample
-- scope: project
-- returns: EventRow?
insert into {new_sample}
select 'release', 'create', {releases_bit}, e.project_id, h.id, :origin,
  json_object({context}, 'release', json(e.document)),
  s.now
from {scope_of_hook}
cross join event_releases e on e.id = (select r.id
  from releases r
  where r.project_id = s.project_id
  order by r.created_at desc, r.id desc
  limit 1)
cross join {context_of(s.user_id, e.project_id)}
returning {sample};

-- piece: newest_issue(condition)
-- Among the thousand newest of the project.
(select n.id
  from (select * from issues where project_id = s.project_id order by iid desc limit 1000) n
  where n.deleted_at is null and n.confidential = :hidden and {condition}
  limit 1)

-- name: issue_sample
-- scope: project
-- returns: EventRow?
-- The newest issue of the project, among the thousand newest, as if it had just been made. For the hook :hook_id alone.
insert into {new_sample}
select 'issue', 'open', :bit, i.project_id, h.id, :origin, json_object({context}, 'issue', json(i.document)), s.now
from {scope_of_hook}
cross join event_issues i on i.id = {newest_issue(1)}
cross join {context_of(s.user_id, i.project_id)}
returning {sample};

-- name: note_sample
-- scope: project
-- returns: EventRow?
-- The newest comment of the newest issue that has one.
insert into {new_sample}
select 'note', 'create', :bit, i.project_id, h.id, :origin,
  json_object({context}, 'note', json(n.document), 'issue', json(i.document)), s.now
from {scope_of_hook}
cross join event_issues i on i.id = {newest_issue(n.user_notes_count > 0)}
cross join event_notes n on n.id = (select x.id
  from notes x
  where x.issue_id = i.id and not x.system
  order by x.id desc
  limit 1)
cross join {context_of(s.user_id, i.project_id)}
returning {sample};

-- name: milestone_sample
-- scope: project
-- returns: EventRow?
insert into {new_sample}
select 'milestone', 'create', {milestone_bit}, m.project_id, h.id, :origin,
  json_object({context}, 'milestone', json(m.document)),
  s.now
from {scope_of_hook}
cross join event_milestones m on m.id = (select x.id
  from milestones x
  where x.project_id = s.project_id and x.iid > 0
  order by x.iid desc
  limit 1)
cross join {context_of(s.user_id, m.project_id)}
returning {sample};

-- name: pipeline_sample
-- scope: project
-- returns: EventRow?
insert into {new_sample}
select 'pipeline', 'status', {pipeline_bit}, p.id, h.id, :origin,
  json_object('user', json((select u.document from event_people u where u.id = r.user_id)), 'project', json(p.document),
    'pipeline', json(r.document)), s.now
from {scope_of_hook}
cross join event_projects p on p.id = s.project_id
cross join status_counts k indexed by pipelines_of_project on k.project_id = s.project_id
  and k.pipeline_id = (
    select x.pipeline_id
    from status_counts x indexed by pipelines_of_project
    where x.project_id = s.project_id and x.pipeline_id is not null
    order by x.pipeline_id desc
    limit 1)
cross join event_pipelines r on r.commit_id = k.commit_id and r.git_ref = k.ref
returning {sample};

-- name: push_sample
-- scope: project
-- returns: EventRow?
-- The newest three commits of the default branch, by first parents.
with line (id, number) as (
  select r.commit_id, 1
  from scope s
  cross join refs r on r.project_id = s.project_id and r.name = 'refs/heads/' || s.default_branch
  union all
  select e.parent_id, number + 1
  from line
  cross join parents e on e.child_id = line.id and e.position = 0
  where number < 3
)
insert into {new_sample}
select 'push', s.default_branch, 1, p.id, h.id, :origin,
  json_object({context}, 'ref', 'refs/heads/' || s.default_branch, 'before',
    (select c.sha from line l cross join commits c on c.id = l.id order by l.number desc limit 1), 'after', c.sha,
    'checkout_sha', c.sha, 'message', null, 'total', (select count(*) from line), 'commits',
    json((
      select json_group_array(json(x.document))
      from (select d.document from line l cross join event_commits d on d.id = l.id order by l.number desc) x))), s.now
from {scope_of_hook}
cross join event_projects p on p.id = s.project_id
cross join event_people u on u.id = s.user_id
cross join commits c on c.id = (select id from line where number = 1)
returning {sample};

-- name: tag_sample
-- scope: project
-- returns: EventRow?
insert into {new_sample}
select 'tag_push', substr(r.name, 11), 2, p.id, h.id, :origin,
  json_object({context}, 'ref', r.name, 'before', null, 'after', coalesce(r.tag_sha, c.sha), 'checkout_sha', c.sha,
    'message', r.message, 'total', 1, 'commits', json_array(json(d.document))), s.now
from {scope_of_hook}
cross join event_projects p on p.id = s.project_id
cross join event_people u on u.id = s.user_id
cross join refs r on r.project_id = s.project_id
  and r.name = (select t.name
    from refs t
    where t.project_id = s.project_id and substr(t.name, 6, 1) = 't'
    order by t.committed_at desc, t.name
    limit 1)
cross join commits c on c.id = r.commit_id
cross join event_commits d on d.id = c.id
returning {sample};

-- name: deployment_sample
-- scope: project
-- returns: EventRow?
insert into {new_sample}
select 'deployment', d.state, {deployment_bit}, d.project_id, h.id, :origin,
  {deployment_snapshot(e.name, coalesce(e.tier, 'other'))}, s.now
from {scope_of_hook}
cross join deployments d on d.id = (select x.id
  from deployments x
  where x.project_id = s.project_id
  order by x.iid desc
  limit 1)
cross join environments e on e.id = d.environment_id
cross join commits c on c.id = d.commit_id
cross join {context_of(s.user_id, d.project_id)}
returning {sample};
