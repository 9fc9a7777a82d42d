-- Batches create or change an issue with these statements. A null :issue_id is the newest issue, which the batch has
-- created.

-- piece: new_issue
coalesce(:issue_id, {made(issues)})

-- piece: milestone_of_request
coalesce(:milestone_id, (select id from milestones where project_id = s.project_id and title = :milestone))

-- name: expect_creatable
-- scope: project
-- Ends the batch if the caller may not create issues, if issues are disabled, or if no room is left to the caller. Also
-- ends it if the caller may set the assignee, the milestone or the time, and that value is invalid.
insert into expectations (holds)
select coalesce((select s.issues_enabled and {leaves_room} and (s.access < :sets_times or :is_time)
    and (s.access < :plans
      or ((:assignee_id is null
        or exists (select 1
          from project_viewers v
          where v.user_id = :assignee_id and v.project_id = s.project_id and v.sees and v.is_active))
        and ((:milestone_id is null and :milestone is null)
          or exists (select 1
            from milestones m
            where m.id = {milestone_of_request} and m.project_id = s.project_id and m.iid > 0))))
  from scope s), 0);

-- name: references
-- scope: project
-- returns: References?
-- The user name of :assignee_id, null if this user cannot be the assignee, and the milestone with the id or the title.
select (select v.username
  from project_viewers v
  where v.user_id = :assignee_id and v.project_id = s.project_id and v.sees and v.is_active) as assignee,
  m.id as milestone_id, m.iid as milestone_iid
from scope s
left join milestones m on m.id = {milestone_of_request} and m.project_id = s.project_id and m.iid > 0;

-- name: create
-- scope: project
-- Ignores values that the caller may not set. Triggers update the counters.
insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, description, confidential, due_date,
  created_at, updated_at, discussion_locked, time_estimate, time_spent)
select s.project_id, coalesce(iif(s.access >= :sets_times, :iid, null), k.last_iid + 1), s.user_id,
  iif(s.access >= :plans, :assignee_id, null), iif(s.access >= :plans, {milestone_of_request}, null), :title,
  :description, :confidential, :due_date, coalesce(iif(s.access >= :sets_times, :created_at, null), s.now), s.now,
  iif(s.access >= :plans, :discussion_locked, null), iif(s.access >= :plans, :estimate, 0),
  iif(s.access >= :plans, :spent, 0)
from scope s
cross join issue_counts k on k.project_id = s.project_id;

-- name: copy
-- Copies title, author, times and state. The milestone is the one with the same title. The assignee stays if they see
-- the project. The description comes last (describe), because each comment and emoji is counted in the row of the
-- issue, and SQLite would write a long description again each time.
insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, state, confidential, due_date,
  closed_at, closed_by_id, discussion_locked, created_at, updated_at, time_estimate, time_spent)
select k.project_id, k.last_iid + 1, i.author_id,
  (select v.user_id from project_viewers v where v.user_id = i.assignee_id and v.project_id = k.project_id and v.sees),
  (select t.id
    from milestones m
    cross join milestones t on t.project_id = k.project_id and t.title = m.title
    where m.id = i.milestone_id), i.title, i.state, i.confidential, i.due_date, i.closed_at, i.closed_by_id,
  i.discussion_locked, i.created_at, :now, i.time_estimate, i.time_spent
from issues i
cross join issue_counts k on k.project_id = :to_project_id
where i.id = :id;

-- name: expect_editable
-- scope: project
-- Ends the batch if the issue was deleted or changed after :unmodified_since, or if the caller may no longer edit it.
-- Editing needs the access :plans or, if :plans is null, the author or the assignee.
insert into expectations (holds)
select s.issues_enabled
  and exists (select 1
    from issues i
    where i.id = :issue_id and i.project_id = s.project_id and i.deleted_at is null
      and (:unmodified_since is null or i.updated_at <= :unmodified_since)
      and iif(:plans is null, s.user_id in (i.author_id, i.assignee_id), s.access >= :plans))
from scope s;

-- name: add_system_notes
-- scope: project
-- The parameter notes is JSON [{text, has_event, state}, ..]. A text with a state is added only if the issue is not in
-- that state: if several requests close an issue at once, one adds the text.
insert into notes (project_id, issue_id, author_id, body, system, has_event, created_at, updated_at)
select i.project_id, i.id, s.user_id, n.value ->> 'text', 1, n.value ->> 'has_event', s.now, s.now
from scope s
cross join issues i on i.id = :issue_id
cross join json_each(:notes) n
where i.state is not n.value ->> 'state'
order by n.key;

-- name: add_events
-- scope: project
-- The parameter events is JSON [{kind, action, label, milestone, state}, ..] with the label's title and the milestone's
-- id. The state as above.
insert into resource_events (issue_id, user_id, kind, action, label_id, label_made_at, milestone_id, state, created_at)
select i.id, s.user_id, e.value ->> 'kind', e.value ->> 'action', l.id, l.created_at, e.value ->> 'milestone', i.state,
  s.now
from scope s
cross join issues i on i.id = :issue_id
cross join json_each(:events) e
left join labels l on l.project_id = i.project_id and l.title = e.value ->> 'label'
where i.state is not e.value ->> 'state'
order by e.key;

-- name: add_events_of_creation
-- scope: project
-- Events for labels and milestone of the newest issue, which the batch has created.
insert into resource_events (issue_id, user_id, kind, action, label_id, label_made_at, milestone_id, state, created_at)
select i.id, s.user_id, 'label', 'add', l.id, l.created_at, null, i.state, s.now
from scope s
cross join issues i on i.id = {made(issues)}
cross join issue_labels b on b.issue_id = i.id
cross join labels l on l.id = b.label_id
union all
select i.id, s.user_id, 'milestone', 'add', null, null, i.milestone_id, i.state, s.now
from scope s
cross join issues i on i.id = {made(issues)}
where i.milestone_id is not null;

-- name: update
-- scope: project
-- Values that the request lacks stay. No two changes have the same time, so a time identifies a state of the issue.
-- Adds :spent to the time spent, or sets that to zero if :spent is null.
update issues
set updated_at = coalesce(:updated_at, max(s.at, updated_at + 1)), title = coalesce(:title, title),
  description = iif(:keeps_description, description, :description),
  confidential = coalesce(:confidential, confidential), assignee_id = iif(:keeps_assignee, assignee_id, :assignee_id),
  milestone_id = iif(:keeps_milestone, milestone_id, :milestone_id),
  due_date = iif(:keeps_due_date, due_date, :due_date),
  discussion_locked = coalesce(:discussion_locked, discussion_locked),
  time_estimate = coalesce(:estimate, time_estimate), time_spent = coalesce(time_spent + :spent, 0),
  state = coalesce(s.new_state, state),
  closed_at = iif(coalesce(s.new_state, state) = state, closed_at, iif(s.new_state = 'closed', s.at, null)),
  closed_by_id = iif(coalesce(s.new_state, state) = state, closed_by_id, iif(s.new_state = 'closed', s.user_id, null))
from (select user_id, coalesce(:updated_at, now) as at, :state as new_state from scope) s
where id = :issue_id;

-- name: expect_time
-- scope: project
-- Ends the batch if the time spent would be below zero or above :most.
insert into expectations (holds)
select i.time_spent + :spent between 0 and :most
from scope
cross join issues i on i.id = :issue_id;

-- name: add_labels
-- scope: project
-- Creates the missing labels of :names, if the caller has the access :plans.
insert into labels (project_id, title, color, created_at)
select s.project_id, n.value, '#428BCA', s.now
from scope s
cross join json_each(:names) n
where s.access >= :plans
on conflict do nothing;

-- name: put_labels_on
-- scope: project
insert into issue_labels (issue_id, label_id, section, created_at)
select i.id, l.id, i.section, i.created_at
from scope s
cross join issues i on i.id = {new_issue}
cross join json_each(:names) n
cross join labels l on l.project_id = i.project_id and l.title = n.value
where s.access >= :plans
-- requests at the same time add no more than this; a change of all labels adds before it removes
limit max(0, :most - (select count(*) from issue_labels where issue_id = :issue_id))
on conflict do nothing;

-- name: take_labels_off_but
-- scope: project
-- Removes the labels :names from the issue, or with :but all other labels.
delete from issue_labels
where issue_id = (select :issue_id from scope)
  and :but <> (label_id in (
    select l.id
    from issues i
    cross join json_each(:names) n
    cross join labels l on l.project_id = i.project_id and l.title = n.value
    where i.id = :issue_id));

-- name: leave
-- scope: project
-- Deletes the participants that the title and the description mention.
delete from participants where issue_id = (select :issue_id from scope) and note_id = 0;

-- name: take_part
-- scope: project
-- Adds the people :names who see the issue as participants by its title and description.
insert into participants (issue_id, user_id, note_id)
select r.issue_id, r.user_id, 0
from scope s
cross join {readers_named({new_issue})}
where true
on conflict do nothing;

-- name: add_todos_of_mentioned
-- scope: project
-- Adds to-do items for users who have no pending item on the issue.
insert into todos (user_id, author_id, project_id, issue_id, action, created_at, updated_at)
select r.user_id, s.user_id, s.project_id, r.issue_id, iif(max(w.value), 'directly_addressed', 'mentioned'), s.now,
  s.now
from scope s
cross join {readers_named({new_issue})}
where r.user_id <> s.user_id
  and not exists (select 1 from todos t where t.issue_id = r.issue_id and t.user_id = r.user_id and t.state = 'pending')
group by r.user_id;

-- name: add_todo_of_assignee
-- scope: project
insert into todos (user_id, author_id, project_id, issue_id, action, created_at, updated_at)
select i.assignee_id, s.user_id, s.project_id, i.id, 'assigned', s.now, s.now
from scope s
cross join issues i on i.id = {new_issue}
where i.assignee_id is not null;

-- name: settle_todos
-- scope: project
-- Marks the pending items of the caller on the issue done.
update todos
set state = 'done', updated_at = s.now
from (select user_id, now from scope) s
where issue_id = :issue_id and todos.user_id = s.user_id and state = 'pending';

-- name: mark_todo
-- Adds an item on the issue :issue_id, unless the user has a pending one.
insert into todos (user_id, author_id, project_id, issue_id, action, created_at, updated_at)
select :user_id, :user_id, i.project_id, i.id, 'marked', :now, :now
from issues i
where i.id = :issue_id and i.deleted_at is null
  and not exists (select 1 from todos t where t.issue_id = i.id and t.user_id = :user_id and t.state = 'pending');

-- name: named
-- scope: project
-- returns: Named?
-- What there is of what commands name: users who see the project, labels, and milestones by title or number.
select (select json_group_array(json_array(v.username, v.user_id))
    from json_each(:usernames) n
    cross join namespaces k on k.path_key = n.value
    cross join project_viewers v on v.user_id = k.id and v.project_id = s.project_id
    where v.sees and v.is_active) as people,
  (select json_group_array(json_array(l.title, l.id))
    from json_each(:label_titles) n
    cross join label_rows l on l.project_id = s.project_id and l.title = n.value) as labels,
  (select json_group_array(json_array(m.id, m.iid, m.title))
    from json_each(:milestone_names) n
    cross join milestones m on m.id in (select id
      from milestones
      where project_id = s.project_id and title = n.value
      union all
      select id
      from milestones
      where project_id = s.project_id and iid = iif(n.value glob '*[^0-9]*', 0, cast(n.value as integer)))
    where m.iid > 0) as milestones,
  exists (select 1
    from todos t
    where t.issue_id = {issue_of_route} and t.user_id = s.user_id and t.state = 'pending') as has_todo
from scope s;

-- name: created
-- returns: IssueRow?
-- The issue that the batch has created, as its author sees it.
select r.row
from issues i
cross join issue_records r on r.issue_id = i.id and r.user_id = i.author_id
where i.id = {made(issues)};

-- name: written
-- scope: project
-- returns: IssueRow?
-- The issue as the caller sees it after the batch.
select r.row
from scope s
cross join issue_records r on r.issue_id = {new_issue} and r.user_id = s.user_id;

-- name: keep
-- scope: project
-- Stores the new issue as the answer to the idempotency key.
{keep_answer(json(r.row),
  from scope s
  cross join issue_records r on r.issue_id = {made(issues)} and r.user_id = s.user_id)};
