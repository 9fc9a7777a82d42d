-- Commit statuses and deployments.

create table statuses (
  id integer primary key,
  project_id integer not null references projects (id),
  commit_id integer not null references commits (id),
  -- branch or tag as posted or guessed, the empty text stands for none, so that uniqueness holds
  ref text not null,
  name text not null,
  stage text not null default 'external',
  user_id integer not null references users (id),
  state text not null check (state in ('pending', 'running', 'success', 'failed', 'canceled')),
  target_url text,
  description text,
  tag integer not null default 0 check (tag in (0, 1)),
  -- percent
  coverage real,
  created_at integer not null,
  started_at integer,
  finished_at integer
) strict;
-- at most one unfinished status for each key, whatever arrives at once
create unique index statuses_open on statuses (commit_id, ref, name, user_id) where state in ('pending', 'running');
create index statuses_of_commit on statuses (commit_id, ref, id);

-- The newest status of each commit, ref and name: what lists show unless asked for all.
create table status_heads (
  commit_id integer not null references commits (id),
  ref text not null,
  name text not null,
  status_id integer not null references statuses (id),
  primary key (commit_id, ref, name)
) strict, without rowid;
create index status_heads_in_order on status_heads (commit_id, ref, status_id);

-- Per commit and ref: how many statuses there are, and how many of the newest are in each state. The aggregate of
-- a commit and the totals of lists come from here.
create table status_counts (
  commit_id integer not null references commits (id),
  ref text not null,
  posted integer not null default 0,
  pending integer not null default 0,
  running integer not null default 0,
  success integer not null default 0,
  failed integer not null default 0,
  canceled integer not null default 0,
  primary key (commit_id, ref)
) strict, without rowid;

-- A new status takes the place of the one before it and is counted instead of it.
create trigger statuses_added after insert on statuses BEGIN
  insert into status_counts (commit_id, ref, posted, pending, running, success, failed, canceled)
  select new.commit_id, new.ref, 1,
    (new.state = 'pending') - (before.state is 'pending'), (new.state = 'running') - (before.state is 'running'),
    (new.state = 'success') - (before.state is 'success'), (new.state = 'failed') - (before.state is 'failed'),
    (new.state = 'canceled') - (before.state is 'canceled')
  from (select 1) left join status_heads h on h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name
    left join statuses before on before.id = h.status_id
  where true
  on conflict (commit_id, ref) do update set posted = posted + 1,
    pending = pending + excluded.pending, running = running + excluded.running, success = success + excluded.success,
    failed = failed + excluded.failed, canceled = canceled + excluded.canceled;
  insert into status_heads (commit_id, ref, name, status_id) values (new.commit_id, new.ref, new.name, new.id)
  on conflict (commit_id, ref, name) do update set status_id = excluded.status_id;
END;
create trigger statuses_moved after update of state on statuses when old.state <> new.state
and exists (select 1 from status_heads h
  where h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.status_id = new.id) BEGIN
  update status_counts set
    pending = pending + (new.state = 'pending') - (old.state = 'pending'),
    running = running + (new.state = 'running') - (old.state = 'running'),
    success = success + (new.state = 'success') - (old.state = 'success'),
    failed = failed + (new.state = 'failed') - (old.state = 'failed'),
    canceled = canceled + (new.state = 'canceled') - (old.state = 'canceled')
  where commit_id = new.commit_id and ref = new.ref;
END;

create table environments (
  id integer primary key,
  project_id integer not null references projects (id),
  -- number within the project from 1, without gaps
  number integer not null,
  name text not null,
  external_url text,
  created_at integer not null,
  unique (project_id, name),
  unique (project_id, number)
) strict;

create table deployments (
  id integer primary key,
  project_id integer not null references projects (id),
  -- number within the project, without gaps. It ascends with the id, so that lists go by it
  iid integer not null,
  environment_id integer not null references environments (id),
  -- the job: a commit status
  status_id integer not null references statuses (id),
  user_id integer not null references users (id),
  created_at integer not null,
  unique (project_id, iid)
) strict;
