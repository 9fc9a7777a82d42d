-- What ends by itself, some time after it was of use. Nothing does unless the deployment says so.

-- where the sweep of something that is walked through stands: rows with greater ids are still to be looked at, up to the other
create table sweeps (
  what text primary key check (what in ('statuses')),
  after integer not null default 0,
  upto integer not null default 0
) strict, without rowid;
insert into sweeps (what) values ('statuses');

create index tokens_by_expiry on tokens (expires_at) where expires_at is not null;
create index tokens_by_revocation on tokens (revoked_at) where revoked_at is not null;

-- since when what hung on a deleted project is being removed, and it cannot come back. Its row stays
alter table projects add column purged_at integer;
create index projects_to_purge on projects (deleted_at) where deleted_at is not null and purged_at is null;
-- a deleted project comes back
create trigger projects_recounted after update of deleted_at on projects
when old.deleted_at is not null and new.deleted_at is null BEGIN
  update groups set projects_count = projects_count + 1 where id = new.namespace_id;
END;
create table project_remains (
  project_id integer primary key references projects (id)
) strict;
-- the foreign key, looked for when an issue is deleted
create index issues_moved_to on issues (moved_to_id) where moved_to_id is not null;

create index deployments_of_status on deployments (status_id);
-- To delete a status, SQLite would look through all heads for a reference to it, or in an index that every post would have
-- to write. So the table is made anew without that reference, and the triggers with it, as they were.
drop trigger statuses_added;
drop trigger statuses_moved;
drop trigger statuses_restaged;
create table heads_of_statuses (
  commit_id integer not null references commits (id),
  ref text not null,
  name text not null,
  -- of a status
  status_id integer not null,
  -- that of the status
  stage text not null,
  -- how many statuses there are of this name
  posted integer not null default 1,
  primary key (commit_id, ref, name)
) strict, without rowid;
insert into heads_of_statuses (commit_id, ref, name, status_id, stage, posted)
select commit_id, ref, name, status_id, stage, posted from status_heads;
drop table status_heads;
alter table heads_of_statuses rename to status_heads;
create index status_heads_in_order on status_heads (commit_id, ref, stage, status_id);
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
-- a status that is removed is counted no more. The newest of its name goes only with its project
create trigger statuses_removed after delete on statuses BEGIN
  update status_counts set posted = posted - 1
  where commit_id = old.commit_id and ref = old.ref and stage = old.stage;
  update status_heads set posted = posted - 1
  where commit_id = old.commit_id and ref = old.ref and name = old.name;
END;
