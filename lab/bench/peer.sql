-- The tables and views of lab/bench/peer.mjs, and its records, which come from ours: peer-data.mjs attaches them as `ours`.
create table users (
  id integer primary key, username text not null unique, name text not null, email text not null, avatar text not null,
  state text not null, admin integer not null, external integer not null, bio text, location text, skype text,
  linkedin text, twitter text, website_url text, projects_limit integer not null, projects_count integer not null,
  created_at text not null
);
create table tokens (hash text primary key, user_id integer not null references users (id), scope text not null, expires_at integer);
create table projects (
  id integer primary key, full_path text not null unique collate nocase, default_branch text, last_iid integer not null
);
create table members (
  user_id integer not null references users (id), project_id integer not null references projects (id),
  level integer not null, primary key (user_id, project_id)
) without rowid;
create table milestones (
  id integer primary key, iid integer not null, project_id integer not null references projects (id), title text not null,
  description text, state text not null, created_at text not null, updated_at text not null, due_date text
);
create table labels (
  id integer primary key, project_id integer not null references projects (id), title text not null, unique (project_id, title)
);
create table issues (
  id integer primary key, iid integer not null, project_id integer not null references projects (id), title text not null,
  description text, state text not null default 'opened', created_at text not null, updated_at text not null,
  milestone_id integer references milestones (id), assignee_id integer references users (id),
  author_id integer not null references users (id), user_notes_count integer not null default 0, due_date text,
  confidential integer not null default 0, unique (project_id, iid)
);
create index issues_by_creation on issues (project_id, created_at, id);
create table issue_labels (
  issue_id integer not null references issues (id), label_id integer not null references labels (id),
  primary key (issue_id, label_id)
) without rowid;
create table participants (
  issue_id integer not null references issues (id), user_id integer not null references users (id),
  primary key (issue_id, user_id)
) without rowid;
create table todos (
  id integer primary key, user_id integer not null references users (id), issue_id integer not null references issues (id),
  action text not null, created_at text not null
);
create table commits (
  id integer primary key, project_id integer not null references projects (id), sha text not null, message text not null,
  author_name text not null, author_email text not null, created_at text not null, seconds integer not null,
  branch text, diff text, diff_object text, unique (project_id, sha)
);
create table parents (
  child_id integer not null references commits (id), position integer not null,
  parent_id integer not null references commits (id), primary key (child_id, position)
) without rowid;
create table branches (
  project_id integer not null references projects (id), name text not null, commit_id integer not null references commits (id),
  primary key (project_id, name)
) without rowid;
create table statuses (
  id integer primary key, commit_id integer not null references commits (id), ref text, state text not null, name text not null,
  target_url text, description text, created_at text not null, started_at text, finished_at text,
  user_id integer not null references users (id)
);
create index statuses_of_commit on statuses (commit_id, name);

-- tokens that are valid, and the projects of their users
create view sessions as select t.hash, t.scope, t.user_id from tokens t join users u on u.id = t.user_id
  where u.state = 'active' and coalesce(t.expires_at > unixepoch() * 1000, true);
create view access as select s.*, m.project_id, m.level, p.full_path, p.default_branch, p.last_iid
  from sessions s join projects p join members m on m.user_id = s.user_id and m.project_id = p.id;
create view people as select id, json_object('name', name, 'username', username, 'id', id, 'state', state, 'avatar_url', avatar) as person
  from users;
create view plans as select id as plan_id, json_object('id', id, 'iid', iid, 'project_id', project_id, 'title', title, 'description', description,
  'state', state, 'created_at', created_at, 'updated_at', updated_at, 'due_date', due_date) as plan from milestones;
-- the issues that a token may read
create view readable as select a.hash, a.full_path, a.last_iid, i.id, i.iid, i.project_id, i.title, i.description, i.state,
    i.created_at, i.updated_at, i.user_notes_count, i.due_date, i.confidential,
    author.person as author, assignee.person as assignee, plan as milestone,
    (select json_group_array(l.title order by l.title) from issue_labels il join labels l on l.id = il.label_id
      where il.issue_id = i.id) as labels,
    a.user_id in (i.author_id, coalesce(i.assignee_id, 0))
      or exists (select 1 from participants t where t.issue_id = i.id and t.user_id = a.user_id) as subscribed
  from access a join issues i on i.project_id = a.project_id join people author on author.id = i.author_id
  left join people assignee on assignee.id = i.assignee_id left join plans on plan_id = i.milestone_id
  where not i.confidential or a.level >= 20 or a.user_id in (i.author_id, i.assignee_id);
-- the newest issue of each project, for a token that may write there
create view newest as select a.hash, a.full_path, i.*
  from access a join issues i on i.project_id = a.project_id and i.iid = a.last_iid where a.scope = 'api';

insert into users select id, username, name, email, avatar(email), state, admin, external, bio, location, skype, linkedin, twitter,
  website_url, coalesce(projects_limit, (select default_projects_limit from ours.settings)), projects_count, iso(created_at)
  from ours.users where id > 0;
insert into tokens select hash, user_id, iif(scopes & 1, 'api', 'read_api'), expires_at
  from ours.tokens where kind = 'personal' and revoked_at is null;
insert into projects select id, full_path, default_branch, (select last_iid from ours.issue_counts where project_id = id) from ours.projects;
insert into members select user_id, project_id, access from ours.project_members;
insert into milestones select id, iid, project_id, title, description, state, iso(created_at), iso(updated_at), due_date
  from ours.milestones;
insert into labels select id, project_id, title from ours.labels;
insert into issues select id, iid, project_id, title, description, state, iso(created_at), iso(updated_at), milestone_id, assignee_id,
  author_id, user_notes_count, due_date, confidential from ours.issues;
insert into issue_labels select issue_id, label_id from ours.issue_labels;
insert into commits select c.id, c.project_id, c.sha, c.message, c.author_name, c.author_email, zoned(c.committed_at, c.committer_zone),
  c.committed_at, c.branch, d.text,
  coalesce(d.store, (select store from ours.object_sweeps)) || '/' || c.project_id || '/' || c.sha || '-' || d.object
  from ours.commits c left join ours.diffs d on d.commit_id = c.id and d.part = 0;
insert into parents select child_id, position, parent_id from ours.parents;
insert into branches select project_id, substr(name, 12), commit_id from ours.refs where name like 'refs/heads/%';
insert into statuses select id, commit_id, nullif(ref, ''), state, name, target_url, description, iso(created_at), iso(started_at), iso(finished_at),
  user_id from ours.statuses;
