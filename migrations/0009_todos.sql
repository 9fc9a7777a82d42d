-- To-do items.

create table todos (
  id integer primary key,
  -- the owner of the to-do item
  user_id integer not null references users (id),
  -- who caused it
  author_id integer not null references users (id),
  project_id integer not null references projects (id),
  issue_id integer not null references issues (id),
  -- the comment that it stems from
  note_id integer references notes (id),
  action text not null check (action in ('assigned', 'mentioned', 'build_failed', 'marked')),
  state text not null default 'pending' check (state in ('pending', 'done')),
  created_at integer not null,
  updated_at integer not null,
  quota_bytes integer as (250) virtual
) strict;
-- A list merges one range for each action in the order of the ids. Each filter of the list has an index.
create index todos_by_action on todos (user_id, state, action);
create index todos_by_author on todos (user_id, state, author_id, action);
create index todos_by_project on todos (user_id, state, project_id, action);
create index todos_by_project_and_author on todos (user_id, state, project_id, author_id, action);
-- the to-do items of a deleted comment, and of an issue
create index todos_of_note on todos (note_id) where note_id is not null;
create index todos_of_issue on todos (issue_id, user_id, state);

create trigger todos_stored after insert on todos BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger todos_unstored after delete on todos BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
-- A to-do item that users make for themselves stays.
create trigger todos_silent before insert on todos
when new.action <> 'marked' and exists (select 1 from request_marks where silent) BEGIN
  select raise(ignore);
END;

-- A to-do item with its issue as the owner of the item sees it. body: of the comment that it comes from.
create view todo_rows as
select
  t.id, t.user_id, t.issue_id, t.note_id, t.action, t.state, t.created_at, t.updated_at,
  (
    select json_object(
      'id', p.id, 'name', p.name, 'name_with_namespace', p.full_name, 'path', p.path,
      'path_with_namespace', p.full_path, 'description', p.description, 'created_at', p.created_at
    )
    from projects p
    where p.id = t.project_id
  ) as project,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = t.author_id
  ) as author,
  (select n.body from notes n where n.id = t.note_id) as body,
  (select r.row from issue_records r where r.issue_id = t.issue_id and r.user_id = t.user_id) as issue
from todos t;

-- To-do items by each filter of their list. author_id and project_id are null if the list has no such filter, so
-- compare both with is. For each combination of filters, one index has the items of a user, a state and an action in
-- order. The casts give each column the same affinity in all arms. Without them SQLite would build the whole view in a
-- correlated subquery.
create view todos_by_filter as
select id, user_id, state, action, cast(null as integer) as author_id, cast(null as integer) as project_id, issue_id
from todos indexed by todos_by_action
union all
select id, user_id, state, action, author_id, cast(null as integer), issue_id
from todos indexed by todos_by_author
union all
select id, user_id, state, action, cast(null as integer), project_id, issue_id
from todos indexed by todos_by_project
union all
select id, user_id, state, action, author_id, project_id, issue_id
from todos indexed by todos_by_project_and_author;

create view todo_lengths as
select
  t.id, l.bytes + coalesce(octet_length(n.body), 0) as bytes,
  l.answered + octet_length(json_quote(coalesce(n.body, i.title))) as answered
from todos t
cross join issues i on i.id = t.issue_id
cross join issue_lengths l on l.id = i.id
left join notes n on n.id = t.note_id;
