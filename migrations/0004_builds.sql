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
-- the lists of a commit: a range for each ref and stage, and for each ref and name
create index statuses_of_commit on statuses (commit_id, ref, stage, id);
create index statuses_of_name on statuses (commit_id, ref, name, id);

-- The newest status of each commit, ref and name: what lists show unless asked for all.
create table status_heads (
  commit_id integer not null references commits (id),
  ref text not null,
  name text not null,
  status_id integer not null references statuses (id),
  -- that of the status
  stage text not null,
  -- how many statuses there are of this name
  posted integer not null default 1,
  primary key (commit_id, ref, name)
) strict, without rowid;
create index status_heads_in_order on status_heads (commit_id, ref, stage, status_id);

-- Per commit, ref and stage: how many statuses there are, and how many of the newest are in each state. The aggregate of
-- a commit and the totals of lists come from here.
create table status_counts (
  commit_id integer not null references commits (id),
  ref text not null,
  stage text not null,
  posted integer not null default 0,
  pending integer not null default 0,
  running integer not null default 0,
  success integer not null default 0,
  failed integer not null default 0,
  canceled integer not null default 0,
  primary key (commit_id, ref, stage)
) strict, without rowid;

-- A new status takes the place of the one before it and is counted instead of it.
create trigger statuses_added after insert on statuses BEGIN
  insert into status_counts (commit_id, ref, stage, posted, pending, running, success, failed, canceled)
  select new.commit_id, new.ref, new.stage, 1,
    (new.state = 'pending') - (before.state is 'pending'), (new.state = 'running') - (before.state is 'running'),
    (new.state = 'success') - (before.state is 'success'), (new.state = 'failed') - (before.state is 'failed'),
    (new.state = 'canceled') - (before.state is 'canceled')
  from (select 1) left join status_heads h
    on h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.stage = new.stage
    left join statuses before on before.id = h.status_id
  where true
  on conflict (commit_id, ref, stage) do update set posted = posted + 1,
    pending = pending + excluded.pending, running = running + excluded.running, success = success + excluded.success,
    failed = failed + excluded.failed, canceled = canceled + excluded.canceled;
  -- the one before it may have been of another stage
  update status_counts set
    pending = pending - (before.state = 'pending'), running = running - (before.state = 'running'),
    success = success - (before.state = 'success'), failed = failed - (before.state = 'failed'),
    canceled = canceled - (before.state = 'canceled')
  from status_heads h cross join statuses before on before.id = h.status_id
  where h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.stage <> new.stage
    and status_counts.commit_id = new.commit_id and status_counts.ref = new.ref and status_counts.stage = h.stage;
  insert into status_heads (commit_id, ref, name, status_id, stage)
  values (new.commit_id, new.ref, new.name, new.id, new.stage)
  on conflict (commit_id, ref, name) do update
  set status_id = excluded.status_id, stage = excluded.stage, posted = posted + 1;
END;
create trigger statuses_moved after update of state on statuses when old.state <> new.state and old.stage = new.stage
and exists (select 1 from status_heads h
  where h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.status_id = new.id) BEGIN
  update status_counts set
    pending = pending + (new.state = 'pending') - (old.state = 'pending'),
    running = running + (new.state = 'running') - (old.state = 'running'),
    success = success + (new.state = 'success') - (old.state = 'success'),
    failed = failed + (new.state = 'failed') - (old.state = 'failed'),
    canceled = canceled + (new.state = 'canceled') - (old.state = 'canceled')
  where commit_id = new.commit_id and ref = new.ref and stage = new.stage;
END;
create trigger statuses_restaged after update of stage on statuses when old.stage <> new.stage BEGIN
  insert into status_counts (commit_id, ref, stage) values (new.commit_id, new.ref, new.stage) on conflict do nothing;
  update status_counts set posted = posted + (stage = new.stage) - (stage = old.stage),
    pending = pending + head.newest * ((stage = new.stage) * (new.state = 'pending') - (stage = old.stage) * (old.state = 'pending')),
    running = running + head.newest * ((stage = new.stage) * (new.state = 'running') - (stage = old.stage) * (old.state = 'running')),
    success = success + head.newest * ((stage = new.stage) * (new.state = 'success') - (stage = old.stage) * (old.state = 'success')),
    failed = failed + head.newest * ((stage = new.stage) * (new.state = 'failed') - (stage = old.stage) * (old.state = 'failed')),
    canceled = canceled + head.newest * ((stage = new.stage) * (new.state = 'canceled') - (stage = old.stage) * (old.state = 'canceled'))
  from (select exists (select 1 from status_heads h where h.commit_id = new.commit_id and h.ref = new.ref
    and h.name = new.name and h.status_id = new.id) as newest) head
  where commit_id = new.commit_id and ref = new.ref and stage in (old.stage, new.stage);
  update status_heads set stage = new.stage
  where commit_id = new.commit_id and ref = new.ref and name = new.name and status_id = new.id;
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
