-- Those that triggers wrote have ids that count hidden records. Here the id of a record gives the id of its event and its time, and
-- a digit of each kind keeps a hidden record from taking the id of a visible event.
delete from events;
insert into events (id, project_id, author_id, kind, action, target_id, created_at)
select 4 * id, project_id, author_id, 'issue', 'created', id, 1780000000000 + 4 * id from issues;
insert into events (id, project_id, author_id, kind, action, target_id, created_at)
select 4 * id + 1, project_id, author_id, 'note', 'commented', id, 1780000000000 + 4 * id + 1 from notes where not system;
insert into events (id, project_id, author_id, kind, action, target_id, detail, created_at)
select 4 * id + 2, project_id, 16, 'milestone', 'created', id, json_object('iid', iid, 'title', title), 1780000000000 + 4 * id + 2 from milestones where iid > 0;
insert into events (id, project_id, author_id, kind, action, detail, created_at)
select 4 * id + 3, project_id, 16, 'push', 'pushed', json_object('commit_count', 1, 'action', 'pushed', 'ref_type', 'branch', 'commit_from', null,
  'commit_to', sha, 'ref', 'master', 'commit_title', substr(message, 1, 70), 'ref_count', null), 1780000000000 + 4 * id + 3 from commits;
-- A trigger counts those of issues and comments with the record.
update storage set bytes = bytes + (select coalesce(sum(e.quota_bytes), 0) from events e where e.project_id = storage.project_id and e.kind in ('issue', 'note'));
