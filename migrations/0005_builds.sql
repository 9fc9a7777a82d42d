create table statuses (
  id integer primary key,
  project_id integer not null references projects (id),
  commit_id integer not null references commits (id),
  -- branch or tag as posted or guessed, the empty text if none, so that uniqueness holds
  ref text not null,
  name text not null,
  stage text not null default 'external',
  user_id integer not null references users (id),
  state text not null check (state in ('pending', 'running', 'success', 'failed', 'canceled')),
  -- A skipped status is a canceled one with this mark. The third version shows and counts it as canceled
  skipped integer not null default 0 check (skipped in (0, 1) and (not skipped or state = 'canceled')),
  target_url text,
  description text,
  -- 1: the ref is a tag
  tag integer not null default 0 check (tag in (0, 1)),
  -- percent
  coverage real,
  created_at integer not null,
  started_at integer,
  finished_at integer
) strict;
-- at most one unfinished status for each key, also when several are posted at once
create unique index statuses_open on statuses (commit_id, ref, name, user_id) where state in ('pending', 'running');
-- the lists of a commit: all statuses, and those of a ref and name
create index statuses_of_commit on statuses (commit_id, id);
create index statuses_of_name on statuses (commit_id, ref, name, id);

-- The newest status of each commit, ref and name. Lists show only these unless a request asks for all.
create table status_heads (
  commit_id integer not null references commits (id),
  ref text not null,
  name text not null,
  -- The status. It is no declared reference: to delete a status, SQLite would look for it here, in an index that every post writes
  status_id integer not null,
  -- that of the status
  stage text not null,
  -- how many statuses there are of this name
  posted integer not null default 1,
  primary key (commit_id, ref, name)
) strict, without rowid;
create index status_heads_in_order on status_heads (commit_id, status_id);

-- For each commit, ref and stage: the number of statuses, and the number of the newest ones in each state. The state of a commit and
-- the totals of lists are computed from these rows.
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
  -- how many of the canceled ones are skipped
  skipped integer not null default 0,
  primary key (commit_id, ref, stage)
) strict, without rowid;

-- Counts a new status instead of the one that it replaces.
create trigger statuses_added after insert on statuses BEGIN
  insert into status_counts (commit_id, ref, stage, posted, pending, running, success, failed, canceled, skipped)
  select new.commit_id, new.ref, new.stage, 1,
    (new.state = 'pending') - (before.state is 'pending'), (new.state = 'running') - (before.state is 'running'),
    (new.state = 'success') - (before.state is 'success'), (new.state = 'failed') - (before.state is 'failed'),
    (new.state = 'canceled') - (before.state is 'canceled'), new.skipped - coalesce(before.skipped, 0)
  from (select 1) left join status_heads h
    on h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.stage = new.stage
    left join statuses before on before.id = h.status_id
  where true
  on conflict (commit_id, ref, stage) do update set posted = posted + 1,
    pending = pending + excluded.pending, running = running + excluded.running, success = success + excluded.success,
    failed = failed + excluded.failed, canceled = canceled + excluded.canceled, skipped = skipped + excluded.skipped;
  -- the one before it may have had another stage
  update status_counts set
    pending = pending - (before.state = 'pending'), running = running - (before.state = 'running'),
    success = success - (before.state = 'success'), failed = failed - (before.state = 'failed'),
    canceled = canceled - (before.state = 'canceled'), skipped = status_counts.skipped - before.skipped
  from status_heads h cross join statuses before on before.id = h.status_id
  where h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.stage <> new.stage
    and status_counts.commit_id = new.commit_id and status_counts.ref = new.ref and status_counts.stage = h.stage;
  insert into status_heads (commit_id, ref, name, status_id, stage)
  values (new.commit_id, new.ref, new.name, new.id, new.stage)
  on conflict (commit_id, ref, name) do update
  set status_id = excluded.status_id, stage = excluded.stage, posted = posted + 1;
END;
-- A statement always writes state and skipped together.
create trigger statuses_moved after update of state on statuses when old.state <> new.state and old.stage = new.stage
and exists (select 1 from status_heads h
  where h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.status_id = new.id) BEGIN
  update status_counts set
    pending = pending + (new.state = 'pending') - (old.state = 'pending'),
    running = running + (new.state = 'running') - (old.state = 'running'),
    success = success + (new.state = 'success') - (old.state = 'success'),
    failed = failed + (new.state = 'failed') - (old.state = 'failed'),
    canceled = canceled + (new.state = 'canceled') - (old.state = 'canceled'), skipped = skipped + new.skipped - old.skipped
  where commit_id = new.commit_id and ref = new.ref and stage = new.stage;
END;
create trigger statuses_restaged after update of stage on statuses when old.stage <> new.stage BEGIN
  insert into status_counts (commit_id, ref, stage) values (new.commit_id, new.ref, new.stage) on conflict do nothing;
  update status_counts set posted = posted + (stage = new.stage) - (stage = old.stage),
    pending = pending + head.newest * ((stage = new.stage) * (new.state = 'pending') - (stage = old.stage) * (old.state = 'pending')),
    running = running + head.newest * ((stage = new.stage) * (new.state = 'running') - (stage = old.stage) * (old.state = 'running')),
    success = success + head.newest * ((stage = new.stage) * (new.state = 'success') - (stage = old.stage) * (old.state = 'success')),
    failed = failed + head.newest * ((stage = new.stage) * (new.state = 'failed') - (stage = old.stage) * (old.state = 'failed')),
    canceled = canceled + head.newest * ((stage = new.stage) * (new.state = 'canceled') - (stage = old.stage) * (old.state = 'canceled')),
    skipped = skipped + head.newest * ((stage = new.stage) * new.skipped - (stage = old.stage) * old.skipped)
  from (select exists (select 1 from status_heads h where h.commit_id = new.commit_id and h.ref = new.ref
    and h.name = new.name and h.status_id = new.id) as newest) head
  where commit_id = new.commit_id and ref = new.ref and stage in (old.stage, new.stage);
  update status_heads set stage = new.stage
  where commit_id = new.commit_id and ref = new.ref and name = new.name and status_id = new.id;
END;
-- The newest status of a name is removed only with its project, so only the number of posts changes.
create trigger statuses_removed after delete on statuses BEGIN
  update status_counts set posted = posted - 1
  where commit_id = old.commit_id and ref = old.ref and stage = old.stage;
  update status_heads set posted = posted - 1
  where commit_id = old.commit_id and ref = old.ref and name = old.name;
END;

create table environments (
  id integer primary key,
  project_id integer not null references projects (id),
  -- number within the project from 1, without gaps
  number integer not null,
  name text not null,
  description text,
  external_url text,
  state text not null default 'available' check (state in ('available', 'stopped')),
  -- production, staging, testing, development or other, null: it follows from the name
  tier text,
  created_at integer not null,
  updated_at integer not null default 0,
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
-- the deployments of an environment, which shows the newest one
create index deployments_of_environment on deployments (environment_id, iid);
create index deployments_of_status on deployments (status_id);

-- Counts removed deployments and environments, for the totals of lists. Without a row nothing was removed.
create table removed_numbers (
  project_id integer not null references projects (id),
  kind text not null check (kind in ('deployment', 'environment')),
  -- how many
  removed integer not null,
  -- the greatest
  last integer not null,
  primary key (project_id, kind)
) strict, without rowid;
create trigger deployments_removed after delete on deployments BEGIN
  insert into removed_numbers (project_id, kind, removed, last) values (old.project_id, 'deployment', 1, old.iid)
  on conflict (project_id, kind) do update set removed = removed + 1, last = max(last, excluded.last);
END;
create trigger environments_removed after delete on environments BEGIN
  insert into removed_numbers (project_id, kind, removed, last) values (old.project_id, 'environment', 1, old.number)
  on conflict (project_id, kind) do update set removed = removed + 1, last = max(last, excluded.last);
END;
