-- What hangs on issues: comments, events, emoji and links.

-- name: stage_notes
insert into staged_records (kind, records)
select 4, json_group_array(json_set({decided}, '$.issue_id', s.issue_id))
from (select {facts(4)}, coalesce(k.record_id, {next('notes')} + r.key) as id, i.id as issue_id,
    n.updated_at = k.stamp as follows, i.deleted_at is not null or k.key is not null and n.id is null as is_gone,
    coalesce({no_issue(i, 'issue')}, {no_user('author')}) as refusal
  from {sent}
  left join issues i on i.project_id = :project_id and i.iid = r.value ->> 'issue'
  left join notes n on n.id = k.record_id and n.issue_id = i.id) s;

-- name: add_notes
insert into notes (id, project_id, issue_id, author_id, body, system, created_at, updated_at)
select r.id, :project_id, r.record ->> 'issue_id', r.record ->> 'author', r.record ->> 'body',
  coalesce(r.record ->> 'system', 0), r.record ->> 'at', r.record ->> 'updated_at'
from {new(4)}
order by r.place;

-- name: take_part
-- Adds the authors as participants, each by their first comment.
insert into participants (issue_id, user_id, note_id)
select n.issue_id, n.user_id, min(n.id)
from (select r.record ->> 'issue_id' as issue_id, r.record ->> 'author' as user_id, r.id as id
  from {new(4)}
  where coalesce(r.record ->> 'system', 0) = 0) n
where not exists (select 1 from participants p where p.issue_id = n.issue_id and p.user_id = n.user_id)
group by n.issue_id, n.user_id;

-- name: change_notes
-- Of a comment that has changed here its author follows.
update notes
set author_id = r.record ->> 'author', body = iif(r.follows, r.record ->> 'body', body),
  created_at = iif(r.follows, r.record ->> 'at', created_at),
  updated_at = iif(r.follows, r.record ->> 'updated_at', updated_at)
from {known(4)}
where notes.id = r.id and notes.issue_id = r.record ->> 'issue_id'
  and (r.follows or notes.author_id <> r.record ->> 'author');

-- name: stage_events
insert into staged_records (kind, records)
select 5, json_group_array(json_set({decided}, '$.issue_id', s.issue_id, '$.label_id', s.label_id,
    '$.made_at', s.made_at, '$.milestone_id', s.milestone_id, '$.milestone_iid', s.milestone_iid))
from (select {facts(5)},
    coalesce(k.record_id, (select coalesce(max(id), 0) from resource_events) + 1 + r.key) as id, i.id as issue_id,
    l.id as label_id, l.created_at as made_at, m.id as milestone_id, m.iid as milestone_iid,
    {only_people} as follows,
    i.deleted_at is not null or k.key is not null and e.id is null as is_gone,
    coalesce({no_issue(i, 'issue')}, {no_user('user')},
      iif((r.value ->> 'event' = 'state') = (r.value ->> 'action' in ('closed', 'reopened')), null,
        'action: is not one of the event')) as refusal
  from {sent}
  left join issues i on i.project_id = :project_id and i.iid = r.value ->> 'issue'
  left join labels l on r.value ->> 'event' = 'label' and l.project_id = :project_id and l.title = r.value ->> 'title'
  left join milestones m on r.value ->> 'event' = 'milestone' and m.project_id = :project_id
    and m.title = r.value ->> 'title' and m.iid > 0
  left join resource_events e on e.id = k.record_id and e.issue_id = i.id) s;

-- piece: event(state)
r.id, r.record ->> 'issue_id', r.record ->> 'user', r.record ->> 'event', r.record ->> 'action',
  r.record ->> 'label_id', r.record ->> 'made_at', r.record ->> 'milestone_id', {state}, r.record ->> 'commit',
  r.record ->> 'at'

-- name: add_state_events
insert into resource_events (id, issue_id, user_id, kind, action, label_id, label_made_at, milestone_id, state,
  source_sha, created_at)
select {event(iif(r.record ->> 'action' = 'closed', 'opened', 'closed'))}
from {new(5)}
where r.record ->> 'event' = 'state'
order by r.place;

-- name: add_other_events
-- The state is that of the issue at that time, by the last hundred events of its state.
insert into resource_events (id, issue_id, user_id, kind, action, label_id, label_made_at, milestone_id, state,
  source_sha, created_at)
select {event(coalesce((select iif(e.action = 'closed', 'closed', 'opened')
    from (select action, created_at
      from resource_events
      where issue_id = r.record ->> 'issue_id' and kind = 'state'
      order by id desc
      limit 100) e
    where e.created_at <= r.record ->> 'at'
    limit 1), 'opened'))}
from {new(5)}
where r.record ->> 'event' <> 'state'
order by r.place;

-- piece: words(named)
-- Those of such a change (src/areas/issues/change/edit.rs). named: how they name a milestone.
case
  when r.record ->> 'event' = 'state' then 'Status changed to ' || (r.record ->> 'action')
  when r.record ->> 'event' = 'label'
    then iif(r.record ->> 'action' = 'add', 'Added ', 'Removed ')
      || coalesce('~"' || (r.record ->> 'title') || '" label', 'a deleted label')
  when r.record ->> 'action' = 'remove' then 'Milestone removed'
  else 'Milestone changed to ' || {named}
end

-- name: add_notes_of_events
-- The comments of the service. What an issue has from the start is no change.
insert into notes (project_id, issue_id, author_id, body, system, has_event, created_at, updated_at)
select :project_id, r.record ->> 'issue_id', r.record ->> 'user',
  {words(coalesce('%' || (r.record ->> 'milestone_iid'), '%"' || (r.record ->> 'title') || '"', 'a deleted one'))}, 1,
  1, r.record ->> 'at', r.record ->> 'at'
from {new(5)}
cross join issues i on i.id = r.record ->> 'issue_id'
where r.record ->> 'event' = 'state' or r.record ->> 'at' <> i.created_at
order by r.place;

-- name: change_notes_of_events
-- The comment of an event gets its new person. It is known by its words but for the name of a milestone, which may be
-- another one by now.
update notes
set author_id = r.record ->> 'user'
from (select r.record, e.issue_id, e.user_id, e.created_at
  from {known(5)}
  cross join resource_events e on e.id = r.id and e.issue_id = r.record ->> 'issue_id'
  where e.user_id <> r.record ->> 'user'
  limit -1) r
where notes.issue_id = r.issue_id and notes.created_at = r.created_at and notes.has_event = 1
  and notes.author_id = r.user_id and instr(notes.body, {words('')}) = 1;

-- name: change_events
update resource_events
set user_id = r.record ->> 'user'
from {known(5)}
where resource_events.id = r.id and resource_events.user_id <> r.record ->> 'user';

-- name: stage_awards
insert into staged_records (kind, records)
select 6, json_group_array(json_set({decided}, '$.issue_id', s.issue_id, '$.note_id', s.note_id))
from (select {facts(6)}, coalesce(k.record_id, b.id, {next('awards')} + r.key) as id, i.id as issue_id,
    coalesce(n.id, 0) as note_id, {only_people} as follows,
    i.deleted_at is not null or w.key is not null and n.id is null or k.key is not null and a.id is null as is_gone,
    coalesce({no_issue(i, 'issue')}, {no_user('user')},
      iif(r.value ->> 'note' is null or w.key is not null and (n.id is null or n.issue_id = i.id and n.system = 0),
        null, 'note: there is no comment with this key'),
      iif(k.key is null and i.awards_count + row_number() over (partition by i.id order by r.key) > 1000,
        'issue: it has 1000 emoji', null)) as refusal
  from {sent}
  left join issues i on i.project_id = :project_id and i.iid = r.value ->> 'issue'
  left join imported w on w.project_id = :project_id and w.key = r.value ->> 'note' and w.kind = 4
  left join notes n on n.id = w.record_id
  left join awards a on a.id = k.record_id and a.issue_id = i.id
  left join awards b on b.issue_id = i.id and b.note_id = coalesce(n.id, 0) and b.user_id = r.value ->> 'user'
    and b.name = r.value ->> 'name') s;

-- name: add_awards
insert into awards (id, issue_id, note_id, user_id, name, created_at)
select r.id, r.record ->> 'issue_id', r.record ->> 'note_id', r.record ->> 'user', r.record ->> 'name',
  r.record ->> 'at'
from {new(6)}
where true
order by r.place
on conflict do nothing;

-- name: take_part_by_awards
-- Adds the givers as participants, each by one emoji.
insert into participants (issue_id, user_id, note_id)
select a.issue_id, a.user_id, max(a.note_id)
from (select r.record ->> 'issue_id' as issue_id, r.record ->> 'user' as user_id, -(r.id) as note_id
  from {new(6)}) a
where not exists (select 1 from participants p where p.issue_id = a.issue_id and p.user_id = a.user_id)
group by a.issue_id, a.user_id;

-- name: change_awards
-- A person gives an emoji once.
update or ignore awards
set user_id = r.record ->> 'user'
from {known(6)}
where awards.id = r.id and awards.user_id <> r.record ->> 'user';

-- name: stage_links
-- An issue has 1,000 links, and blocks 50 issues, at most.
insert into staged_records (kind, records)
select 7, json_group_array(json_set({decided}, '$.issue_id', s.issue_id, '$.target_id', s.target_id))
from (select {facts(7)}, coalesce(k.record_id, a.id, b.id, {next('issue_links')} + r.key) as id, i.id as issue_id,
    t.id as target_id, i.deleted_at is not null or t.deleted_at is not null as is_gone, 0 as follows,
    coalesce({no_issue(i, 'issue')}, {no_issue(t, 'target')},
      iif(i.id = t.id, 'target: is the issue itself', null),
      iif(k.key is null
          and (row_number() over (partition by i.id order by r.key) + {links_of(i.id)} > 1000
            or row_number() over (partition by t.id order by r.key) + {links_of(t.id)} > 1000
            or r.value ->> 'type' = 'blocks'
              and row_number() over (partition by i.id, r.value ->> 'type' order by r.key)
                + (select count(*) from issue_links x where x.source_id = i.id and x.link_type = 'blocks') > 50),
        'issue: too many links', null)) as refusal
  from {sent}
  left join issues i on i.project_id = :project_id and i.iid = r.value ->> 'issue'
  left join issues t on t.project_id = :project_id and t.iid = r.value ->> 'target'
  left join issue_links a on a.source_id = i.id and a.target_id = t.id
  left join issue_links b on b.source_id = t.id and b.target_id = i.id) s;

-- name: add_links
insert into issue_links (id, source_id, target_id, link_type, created_at, project_id)
select r.id, r.record ->> 'issue_id', r.record ->> 'target_id', r.record ->> 'type', r.record ->> 'at',
  :project_id
from {new(7)}
where not exists (select 1 from issue_links x where x.id = r.id)
order by r.place;
