-- What users did in projects, for the lists of events.

-- Marks of the request that a batch belongs to. The table is empty outside of batches: a batch that inserts a row also
-- deletes it.
create table request_marks (
  -- 1: the request. 2: an issue is copied with its comments. 3: the batch of a caller who is no member, in one of the
  -- full_for_others
  id integer primary key check (id in (1, 2, 3)),
  -- 1: nobody is to be informed: no hook, no event, no to-do item
  silent integer not null default 0 check (silent in (0, 1)),
  -- who copies the issue. The copies of its comments are no events
  copier_id integer
) strict;

create table events (
  id integer primary key,
  project_id integer not null references projects (id),
  author_id integer not null,
  kind text not null check (kind in ('issue', 'note', 'milestone', 'project', 'member', 'push')),
  action text not null check (
    action in ('created', 'closed', 'reopened', 'destroyed', 'commented', 'joined', 'left', 'pushed')
  ),
  -- of the issue, the comment or the milestone, which may be gone
  target_id integer,
  -- JSON object: number and title of a milestone, or the push
  detail text check (octet_length(detail) <= 8192),
  created_at integer not null,
  quota_bytes integer as (150 + coalesce(octet_length(detail), 0)) virtual
) strict;
-- A list of events reads ranges of these: one deed of one kind in one project, by anybody or by one author. So it reads
-- no event of a project or of a kind that the caller does not see.
create index events_of_project on events (project_id, kind, action);
create index events_of_author on events (author_id, project_id, kind, action);

-- An event of an issue or a comment counts with that row, in the triggers of its table.
create trigger events_stored after insert on events when new.kind not in ('issue', 'note') BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger events_unstored after delete on events BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
-- A push, the end of a milestone and a member who leaves do not fail for want of room: then there is no event.
create trigger events_without_room before insert on events
when new.kind not in ('issue', 'note')
  and exists (
    select 1
    from storage t
    cross join stored q on q.id = 1
    where t.project_id = new.project_id
      and (
        q.project_most > 0 and t.bytes + 150 + coalesce(octet_length(new.detail), 0) > q.project_most
          or q.most > 0 and q.bytes + 150 + coalesce(octet_length(new.detail), 0) > q.most
      )
  ) BEGIN
  select raise(ignore);
END;
-- A request that informs nobody makes no event.
create trigger events_silent before insert on events
when exists (select 1 from request_marks where silent) BEGIN
  select raise(ignore);
END;
-- Something happened in the project, which moves its time of update at most once an hour. What not everybody sees who
-- sees the project does not: they would see when it was written.
create trigger events_are_activity after insert on events BEGIN
  update projects
  set updated_at = new.created_at
  where id = new.project_id and updated_at <= new.created_at - 3600000
    and (
      new.kind not in ('issue', 'note')
        or issues_enabled
          and not exists (
            select 1
            from issues i
            where i.confidential
              and i.id = iif(
                new.kind = 'issue', new.target_id, (select n.issue_id from notes n where n.id = new.target_id)
              )
          )
    );
END;

-- Not used. An event with what decides who sees it. is_gone: nobody does. issue_id: of the issue that one has to see.
create view event_subjects as
select
  e.id, e.project_id, e.kind, e.action, n.id as note_id, iif(e.kind = 'issue', e.target_id, n.issue_id) as issue_id,
  p.namespace_id, p.visibility,
  p.deleted_at is not null or e.kind in ('issue', 'note') and not p.issues_enabled as is_gone
from events e
cross join projects p on p.id = e.project_id
left join notes n on n.id = e.target_id and e.kind = 'note';

-- An event in answers, the same for every caller. title: of the issue.
create view event_rows as
select
  e.id, e.project_id, e.author_id, e.kind, e.action, e.target_id, e.detail, e.created_at,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = e.author_id
  ) as author,
  (
    select json_object(
      'id', n.id, 'project_id', n.project_id, 'issue_id', n.issue_id, 'body', n.body, 'system', n.system,
      'created_at', n.created_at, 'updated_at', n.updated_at,
      'author', json(
        (
          select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
          from users u
          where u.id = n.author_id
        )
      )
    )
    from notes n
    where n.id = e.target_id and e.kind = 'note'
  ) as note,
  (
    select json_object('iid', i.iid, 'title', i.title)
    from issues i
    where i.id = iif(
      e.kind = 'issue', e.target_id, (select n.issue_id from notes n where n.id = e.target_id and e.kind = 'note')
    )
      and e.kind in ('issue', 'note')
  ) as issue,
  exists (select 1 from milestone_rows m where m.id = e.target_id and e.kind = 'milestone') as has_milestone
from events e;
