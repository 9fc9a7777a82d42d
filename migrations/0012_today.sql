-- What the fourth version of the API shows beside the third.

-- when it was closed and by whom. null: it is open, or nobody knows
alter table issues add column closed_at integer;
alter table issues add column closed_by_id integer references users (id);
-- whether only members may comment. null: nobody said so
alter table issues add column discussion_locked integer check (discussion_locked in (0, 1));
update issues set closed_at = updated_at where state = 'closed';

-- YYYY-MM-DD
alter table milestones add column start_date text;

alter table environments add column updated_at integer not null default 0;
alter table environments add column state text not null default 'available' check (state in ('available', 'stopped'));
-- production, staging, testing, development or other. null: what the name says
alter table environments add column tier text;
alter table environments add column description text;
update environments set updated_at = created_at;

-- the committers date of the commit, for lists of branches and tags in its order: one range of an index for each kind
alter table refs add column committed_at integer not null default 0;
update refs set committed_at = (select c.committed_at from commits c where c.id = commit_id);
create index refs_by_date on refs (project_id, substr(name, 6, 1), committed_at, name);

-- the deployments of an environment, the newest of which it shows
create index deployments_of_environment on deployments (environment_id, iid);
-- Numbers of deployments and environments that were given out and are gone. Without a row none is, and a list of them counts
-- by its numbers alone.
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

-- A skipped status is a canceled one that says so. The third version shows and counts it as canceled.
alter table statuses add column skipped integer not null default 0 check (skipped in (0, 1) and (not skipped or state = 'canceled'));
-- how many of the canceled ones are skipped
alter table status_counts add column skipped integer not null default 0;

-- These as in 0004, and they keep that column. The state and whether it is skipped are written together.
drop trigger statuses_added;
drop trigger statuses_moved;
drop trigger statuses_restaged;
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
  -- the one before it may have been of another stage
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
