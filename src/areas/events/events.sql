-- An event is written only if a hook of the project subscribes to it: its bits are those of flags.rs.
-- writes: events

-- piece: push_bit
1

-- piece: tag_push_bit
2

-- piece: issues_bit
4

-- piece: confidential_issues_bit
8

-- piece: note_bit
16

-- piece: confidential_note_bit
32

-- piece: pipeline_bit
256

-- piece: deployment_bit
1024

-- piece: releases_bit
4096

-- piece: milestone_bit
8192

-- piece: emoji_bit
16384

-- piece: resource_access_token_bit
32768

-- piece: new_event
hook_events (kind, action, bit, project_id, origin, snapshot, created_at)

-- piece: new_open_event
-- An event with the state before a change, until a statement after the change closes it.
hook_events (kind, action, bit, project_id, origin, before, created_at)

-- piece: close_open(hidden_bit, bit, state)
update hook_events indexed by hook_events_open
set bit = iif(x.confidential, {hidden_bit}, {bit}), origin = iif(x.confidential, :hidden, :origin),
  snapshot = x.snapshot
from {state} x
where hook_events.bit = 0 and hook_events.snapshot is null

-- piece: is_open
exists (select 1 from hook_events e indexed by hook_events_open where e.bit = 0 and e.snapshot is null)

-- piece: wanted(project, bits)
exists (select 1 from hooks h where h.project_id = {project} and h.events & {bits})

-- piece: context
'user', json(u.document), 'project', json(p.document)

-- piece: context_of(user, project)
event_people u cross join event_projects p on u.id = {user} and p.id = {project}

-- name: issue_opened
-- The issue that the batch has made, by :user_id or else by its author.
insert into {new_event}
select 'issue', 'open', iif(i.confidential, {confidential_issues_bit}, {issues_bit}), i.project_id,
  iif(i.confidential, :hidden, :origin),
  json_object({context}, 'issue', json(i.document)), :now
from issues x
cross join event_issues i on i.id = x.id
cross join {context_of(coalesce(:user_id, x.author_id), x.project_id)}
where x.id = {made(issues)} and {wanted(x.project_id, iif(x.confidential, {confidential_issues_bit}, {issues_bit}))};

-- name: issue_before
-- scope: project
-- An open event for each of :actions, with the issue as it is before the change.
insert into {new_open_event}
select 'issue', a.value, 0, i.project_id, :origin, i.document, s.now
from scope s
cross join event_issues i on i.id = :issue_id
cross join json_each(:actions) a
where {wanted(s.project_id, ({issues_bit} | {confidential_issues_bit}))}
order by a.key;

-- name: issue_same
-- scope: project
-- Removes the open events of changes that changed nothing.
delete from hook_events
where id in (select e.id
  from scope s
  cross join hook_events e indexed by hook_events_open
  cross join event_issues i on i.id = :issue_id
  where e.bit = 0 and e.snapshot is null
    and iif(e.action = 'update',
      json_remove(e.before, '$.updated_at', '$.state', '$.closed_at') = json_remove(i.document, '$.updated_at',
        '$.state', '$.closed_at'), e.before ->> 'state' = i.document ->> 'state'));

-- name: issue_after
-- scope: project
-- Closes the open events with the issue as it is now.
{close_open({confidential_issues_bit}, {issues_bit},
  (select i.confidential, json_object({context}, 'issue', json(i.document)) as snapshot
  from scope s
  cross join event_issues i on i.id = :issue_id
  cross join {context_of(s.user_id, i.project_id)}
  where {is_open}))};

-- name: moved_before
insert into {new_open_event}
select 'issue', 'close', 0, i.project_id, :origin, i.document, :now
from event_issues i
where i.id = :issue_id and {wanted(i.project_id, ({issues_bit} | {confidential_issues_bit}))};

-- name: moved_same
delete from hook_events
where id in (select e.id
  from hook_events e indexed by hook_events_open
  cross join event_issues i on i.id = :issue_id
  where e.bit = 0 and e.snapshot is null and e.before ->> 'state' = i.document ->> 'state');

-- name: moved_after
{close_open({confidential_issues_bit}, {issues_bit},
  (select i.confidential, json_object({context}, 'issue', json(i.document)) as snapshot
  from event_issues i
  cross join {context_of(:user_id, i.project_id)}
  where i.id = :issue_id and {is_open}))};

-- name: note_created
-- The comment that the batch has made.
insert into {new_event}
select 'note', 'create', iif(i.confidential, {confidential_note_bit}, {note_bit}), n.project_id,
  iif(i.confidential, :hidden, :origin),
  json_object({context}, 'note', json(n.document), 'issue', json(i.document)), :now
from notes x
cross join event_notes n on n.id = x.id
cross join event_issues i on i.id = x.issue_id
cross join {context_of(x.author_id, x.project_id)}
where x.id = {made(notes)} and {wanted(x.project_id, iif(i.confidential, {confidential_note_bit}, {note_bit}))};

-- name: note_before
-- scope: project
-- An open event, if the text is still :before and changes to :body.
insert into hook_events (kind, action, bit, project_id, origin, created_at)
select 'note', 'update', 0, n.project_id, :origin, s.now
from scope s
cross join notes n on n.id = :note_id and n.system = 0
where {wanted(s.project_id, ({note_bit} | {confidential_note_bit}))} and n.body = :before and :before <> :body;

-- name: note_after
-- scope: project
{close_open({confidential_note_bit}, {note_bit},
  (select i.confidential, json_object({context}, 'note', json(n.document), 'issue', json(i.document))
  as snapshot
  from scope s
  cross join event_notes n on n.id = :note_id
  cross join event_issues i on i.id = n.issue_id
  cross join {context_of(s.user_id, n.project_id)}
  where {is_open}))};

-- piece: award_snapshot
json_object({context}, 'award',
  json_object('id', a.id, 'user_id', a.user_id, 'name', a.name, 'created_at', a.created_at), 'issue', json(i.document),
  'note', json(n.document))

-- name: award_given
-- scope: project
-- The newest emoji. Emoji on confidential issues make no events, because no hook can subscribe to them.
insert into {new_event}
select 'emoji', 'award', {emoji_bit}, i.project_id, :origin, {award_snapshot}, s.now
from scope s
cross join awards a on a.id = {made(awards)}
cross join event_issues i on i.id = a.issue_id and not i.confidential
cross join {context_of(s.user_id, i.project_id)}
left join event_notes n on n.id = a.note_id
where {wanted(s.project_id, {emoji_bit})};

-- name: award_taken
-- The event that the emoji :award_id is removed. Runs before that.
insert into {new_event}
select 'emoji', 'revoke', {emoji_bit}, i.project_id, :origin, {award_snapshot}, :now
from awards a
cross join event_issues i on i.id = a.issue_id and not i.confidential
cross join {context_of(:user_id, i.project_id)}
left join event_notes n on n.id = a.note_id
where a.id = :award_id and {wanted(i.project_id, {emoji_bit})};

-- name: milestone
-- The milestone :id, or the newest of the project, which the batch has made.
insert into {new_event}
select 'milestone', :action, {milestone_bit}, m.project_id, :origin,
  json_object({context}, 'milestone', json(m.document)), :now
from event_milestones m
cross join {context_of(:user_id, m.project_id)}
where m.id = coalesce(:id, (select max(id) from milestones where project_id = :project_id)) and m.iid > 0
  and {wanted(:project_id, {milestone_bit})};

-- name: release
-- The release of the tag :tag.
insert into {new_event}
select 'release', :action, {releases_bit}, r.project_id, :origin,
  json_object({context}, 'release', json(e.document)), :now
from releases r
cross join event_releases e on e.id = r.id
cross join {context_of(:user_id, r.project_id)}
where r.project_id = :project_id and r.tag = :tag and {wanted(:project_id, {releases_bit})};

-- name: closed_before
-- An open event for each issue that the batch will close because a commit names it.
insert into {new_open_event}
select 'issue', 'close', 0, i.project_id, :origin, i.document, :now
from (select distinct issue_id from commit_references indexed by commit_references_fresh where fresh = 1 and closes) c
cross join event_issues i on i.id = c.issue_id
where i.document ->> 'state' = 'opened' and {wanted(i.project_id, ({issues_bit} | {confidential_issues_bit}))};

-- name: closed_after
update hook_events indexed by hook_events_open
set bit = iif((select i.confidential from issues i where i.id = before ->> 'id'), {confidential_issues_bit},
    {issues_bit}),
  origin = iif((select i.confidential from issues i where i.id = before ->> 'id'), :hidden, :origin),
  snapshot = (select json_object({context}, 'issue', json(i.document))
    from event_issues i
    cross join event_people u on u.id = iif(i.project_id = :project_id, :user_id, :maker_id)
    cross join event_projects p on p.id = i.project_id
    where i.id = before ->> 'id')
where hook_events.bit = 0 and hook_events.snapshot is null;

-- name: refs_moved
-- :moved: a JSON list of refs, each with the ids of its newest commits. Hooks of the system get the events, too.
insert into hook_events (kind, action, bit, system_bit, project_id, origin, snapshot, created_at)
select iif(m.tag, 'tag_push', 'push'), substr(m.name, iif(m.tag, 11, 12)), iif(m.tag, {tag_push_bit}, {push_bit}),
  iif(m.tag, {tag_push_bit}, {push_bit}), p.id,
  :origin,
  json_object({context}, 'ref', m.name, 'before', coalesce(m.old_tag_sha, m.old), 'after', coalesce(m.tag_sha, m.new),
    'checkout_sha', m.new, 'message', m.message, 'total', m.total, 'commits',
    json((
      select json_group_array(json(c.document))
      from (
        select d.document
        from json_each(coalesce(m.newest, iif(m.new is null, '[]',
          json_array((select t.id from commits t where t.project_id = p.id and t.sha = m.new))))) n
        cross join event_commits d on d.id = n.value
        order by n.key) c))), :now
from event_projects p
cross join event_people u on u.id = :user_id
cross join (
  select e.key, e.value ->> 'name' as name, substr(e.value ->> 'name', 1, 10) = 'refs/tags/' as tag,
    e.value ->> 'old' as old, e.value ->> 'new' as new, e.value ->> 'tag_sha' as tag_sha,
    e.value ->> 'old_tag_sha' as old_tag_sha, e.value ->> 'message' as message,
    nullif(e.value -> 'newest', 'null') as newest, e.value ->> 'total' as total
  from json_each(:moved) e) m
where p.id = :project_id
  and ({wanted(p.id, iif(m.tag, 2, 1))}
    or exists (select 1 from hooks h where h.project_id is null and h.events & iif(m.tag, 2, 1)))
order by m.key;

-- piece: deployment_snapshot(slug, tier)
json_object({context}, 'deployment',
  json_object('id', d.id, 'status', d.state, 'changed_at', coalesce(d.finished_at, d.started_at, d.created_at), 'ref',
    d.ref, 'environment', e.name, 'slug', coalesce(e.slug, {slug}), 'tier', {tier}, 'external_url', e.external_url,
    'sha', c.sha, 'message', substr(c.message, 1, 1000)))

-- name: deployment
-- The deployment :id if it has the state :state, or the newest of the project.
insert into {new_event}
select 'deployment', d.state, {deployment_bit}, d.project_id, :origin, {deployment_snapshot(:slug, :tier)}, :now
from deployments d
cross join environments e on e.id = d.environment_id
cross join commits c on c.id = d.commit_id
cross join {context_of(:user_id, d.project_id)}
where d.id = coalesce(:id, (select id from deployments where project_id = :project_id order by iid desc limit 1))
  and d.state <> 'pending' and (:state is null or d.state = :state) and {wanted(:project_id, {deployment_bit})};

-- name: pipeline_changed
-- Completes the open event that a trigger has written if the state of a pipeline changed (0024_pipeline_states.sql).
update hook_events indexed by hook_events_open
set bit = {pipeline_bit}, origin = :origin,
  snapshot = (
    select json_object('user', json((select u.document from event_people u where u.id = r.user_id)), 'project',
      json(p.document), 'pipeline', json(r.document))
    from event_pipelines r
    cross join event_projects p on p.id = hook_events.project_id
    where r.commit_id = before ->> 'commit_id' and r.git_ref = before ->> 'ref')
where hook_events.bit = 0 and hook_events.snapshot is null;

-- name: commit_comment
-- The comment that the batch has made.
insert into {new_event}
select 'commit_note', 'create', {note_bit}, k.project_id, :origin,
  json_object({context}, 'note',
    json_object('id', k.id, 'author_id', k.author_id, 'body',
      iif(octet_length(k.note) > 60000 and octet_length(json_quote(k.note)) > 400000, substr(k.note, 1, 8192), k.note),
      'created_at', k.created_at, 'updated_at', k.created_at), 'commit', json(c.document)), k.created_at
from commit_comments k
cross join event_commits c on c.id = k.commit_id
cross join {context_of(k.author_id, k.project_id)}
where k.id = {made(commit_comments)} and {wanted(k.project_id, {note_bit})};

-- piece: expiring
tokens indexed by tokens_expiring
where kind = 'project' and revoked_at is null and expires_at is not null and expiry_told = :told and expires_at > :now
  and expires_at <= :until
order by expires_at
limit 100

-- name: token_expires
-- The tokens of projects that end by :until, with :told events so far. A project without room for a hundred events with
-- twenty deliveries each gets none, because a full project would end the sweep.
insert into {new_event}
select 'access_token', 'expiring', {resource_access_token_bit}, t.project_id, :origin,
  json_object('project', json(p.document), 'token',
    json_object('id', t.id, 'user_id', t.bot_id, 'name', t.name, 'created_at', t.created_at,
      'expires_at', t.expires_at)), :now
from (select * from {expiring}) t
cross join event_projects p on p.id = t.project_id
where 100 * (12000 + octet_length(p.document)) <= (select r.room
  from hooks h
  cross join hook_rooms r on r.hook_id = h.id
  where h.project_id = t.project_id and h.events & {resource_access_token_bit}
  limit 1);

-- name: token_expiry_told
-- Counts the event of the same tokens. A token that ends by :last gets no further one.
update tokens set expiry_told = iif(expires_at <= :last, 2, 1) where hash in (select hash from {expiring});
