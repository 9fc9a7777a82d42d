-- Issues with their labels.

-- name: stage_issues
insert into staged_records (kind, records)
select 3, json_group_array(json_set({decided}, '$.milestone_id', s.milestone_id))
from (select {facts(3)}, coalesce(k.record_id, {next('issues')} + r.key) as id, m.id as milestone_id,
    i.updated_at = k.stamp as follows, k.key is not null and (i.id is null or i.deleted_at is not null) as is_gone,
    coalesce(iif(k.key is null and o.id is not null,
        iif(exists (select 1 from imported w where w.record_id = o.id and w.kind = 3),
          o.iid || ' came with another import', o.iid || ' is an issue that was made here'), null),
      {no_user('author')}, {no_user('assignee')}, {no_user('closed_by')},
      iif(r.value ->> 'milestone' is null or m.id is not null, null, 'milestone: there is none of this title'))
    as refusal
  from {sent}
  left join issues i on i.id = k.record_id and i.project_id = :project_id
  left join issues o on o.project_id = :project_id and o.iid = r.value ->> 'iid'
  left join milestones m on m.project_id = :project_id and m.title = r.value ->> 'milestone' and m.iid > 0) s;

-- piece: written_issues
-- The issues that the batch makes or changes.
(select record, id from staged where kind = 3 and verdict in (0, 1)) r

-- name: make_labels
-- The labels of the issues that are not there.
insert into labels (project_id, title, color, created_at)
select distinct :project_id, t.value, '#428BCA', :now
from {written_issues}
cross join json_each(r.record, '$.labels') t
where not exists (select 1 from labels l where l.project_id = :project_id and l.title = t.value);

-- name: add_issues
-- A long description comes last: each comment and emoji is counted in the row of the issue, and SQLite would write the
-- description again each time.
insert into issues (id, project_id, iid, author_id, assignee_id, milestone_id, title, description, state, confidential,
  discussion_locked, due_date, created_at, updated_at, closed_at, closed_by_id, time_estimate, time_spent)
select r.id, :project_id, r.record ->> 'iid', r.record ->> 'author', r.record ->> 'assignee',
  r.record ->> 'milestone_id', r.record ->> 'title',
  iif(octet_length(r.record ->> 'description') > 20000, null, r.record ->> 'description'), r.record ->> 'state',
  coalesce(r.record ->> 'confidential', 0), r.record ->> 'locked', r.record ->> 'due', r.record ->> 'at',
  r.record ->> 'updated_at', iif(r.record ->> 'state' = 'closed', r.record ->> 'closed_at', null),
  iif(r.record ->> 'state' = 'closed', r.record ->> 'closed_by', null), coalesce(r.record ->> 'estimate', 0),
  coalesce(r.record ->> 'spent', 0)
from {new(3)}
order by r.place;

-- name: take_labels
-- An issue that has changed loses its other labels.
delete from issue_labels
where (issue_id, label_id) in (select b.issue_id, b.label_id
  from (select id, record -> '$.labels' as titles from staged where kind = 3 and verdict = 1 limit -1) r
  cross join issue_labels b on b.issue_id = r.id
  cross join labels l on l.id = b.label_id
  where l.title not in (select value from json_each(r.titles)));

-- name: change_issues
-- Of an issue that has changed here, its author and who closed it follow.
update issues
set author_id = r.record ->> 'author',
  closed_by_id = iif(r.follows,
    iif(r.record ->> 'state' = 'closed', r.record ->> 'closed_by', null),
    iif(closed_at = r.record ->> 'closed_at', r.record ->> 'closed_by', closed_by_id)),
  assignee_id = iif(r.follows, r.record ->> 'assignee', assignee_id),
  milestone_id = iif(r.follows, r.record ->> 'milestone_id', milestone_id),
  title = iif(r.follows, r.record ->> 'title', title),
  description = iif(r.follows, r.record ->> 'description', description),
  state = iif(r.follows, r.record ->> 'state', state),
  confidential = iif(r.follows, coalesce(r.record ->> 'confidential', 0), confidential),
  discussion_locked = iif(r.follows, r.record ->> 'locked', discussion_locked),
  due_date = iif(r.follows, r.record ->> 'due', due_date), created_at = iif(r.follows, r.record ->> 'at', created_at),
  updated_at = iif(r.follows, r.record ->> 'updated_at', updated_at),
  closed_at = iif(r.follows, iif(r.record ->> 'state' = 'closed', r.record ->> 'closed_at', null), closed_at),
  time_estimate = iif(r.follows, coalesce(r.record ->> 'estimate', 0), time_estimate),
  time_spent = iif(r.follows, coalesce(r.record ->> 'spent', 0), time_spent)
from {known(3)}
where issues.id = r.id and issues.deleted_at is null
  and (r.follows or issues.author_id <> r.record ->> 'author'
    or issues.closed_at = r.record ->> 'closed_at' and issues.closed_by_id is not r.record ->> 'closed_by');

-- name: put_labels
insert into issue_labels (issue_id, label_id, section, created_at)
select i.id, l.id, i.section, i.created_at
from {written_issues}
cross join issues i on i.id = r.id
cross join json_each(r.record, '$.labels') t
cross join labels l on l.project_id = :project_id and l.title = t.value
where true
on conflict do nothing;

-- name: describe
-- The long descriptions of new issues.
update issues
set description = r.record ->> 'description'
from (select record, id
  from staged
  where kind = 3 and verdict = 0 and octet_length(record ->> 'description') > 20000
  limit -1) r
where issues.id = r.id;
