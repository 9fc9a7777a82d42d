-- A deployment has its job in its own row. The job was a status of the commit, so a failed deployment made a green commit red.
-- The stage of each row in statuses, status_heads and status_counts is external from here on. The column stays, because SQLite would
-- write the three tables anew without it, and they may be too large for one statement of D1.

drop view deployment_lengths;
drop view deployment_rows;
drop view job_rows;
drop trigger deployments_removed;
drop trigger deployments_stored;
drop trigger deployments_unstored;
-- bytes are counted anew below, without a check of quotas
drop trigger storage_counts;
drop trigger stored_ends;
drop trigger statuses_unstored;

create table deployments_with_jobs (
  id integer primary key,
  project_id integer not null references projects (id),
  -- number within the project, without gaps. It ascends with the id, so that lists go by it
  iid integer not null,
  environment_id integer not null references environments (id),
  commit_id integer not null references commits (id),
  -- branch or tag as posted or guessed, the empty text if none
  ref text not null,
  -- 1: the ref is a tag
  tag integer not null default 0 check (tag in (0, 1)),
  -- who made the deployment, and who changed its state last
  user_id integer not null references users (id),
  changed_by integer not null references users (id),
  -- the name and the stage of the job
  name text not null,
  stage text not null default 'deploy',
  state text not null check (state in ('pending', 'running', 'success', 'failed', 'canceled')),
  -- percent
  coverage real,
  created_at integer not null,
  started_at integer,
  finished_at integer,
  quota_bytes integer as (200 + octet_length(ref) + octet_length(name) + octet_length(stage)) virtual,
  unique (project_id, iid)
) strict;
insert into deployments_with_jobs (id, project_id, iid, environment_id, commit_id, ref, tag, user_id, changed_by, name, stage, state,
  coverage, created_at, started_at, finished_at)
select d.id, d.project_id, d.iid, d.environment_id, s.commit_id, s.ref, s.tag, d.user_id, s.user_id, s.name, s.stage, s.state, s.coverage,
  d.created_at, s.started_at, s.finished_at
from deployments d cross join statuses s on s.id = d.status_id order by d.id;

-- The statuses that only deployments made. One with an address or a description was posted as well: it stays if its ref has a pipeline.
create table removed_jobs (id integer primary key, commit_id integer not null, ref text not null, name text not null) strict;
insert into removed_jobs (id, commit_id, ref, name)
select s.id, s.commit_id, s.ref, s.name from statuses s
where (s.stage <> 'external' or s.id in (select status_id from deployments))
  and not (coalesce(s.target_url, s.description, iif(s.skipped, '', null)) is not null and exists (select 1 from status_counts n
    where n.commit_id = s.commit_id and n.ref = s.ref and n.stage = 'external' and n.posted > 0 and n.pipeline_id is not null));
drop table deployments;
alter table deployments_with_jobs rename to deployments;
-- the deployments of an environment, which shows the newest one
create index deployments_of_environment on deployments (environment_id, iid);
-- a commit is removed only after its deployments
create index deployments_of_commit on deployments (commit_id);
create trigger deployments_removed after delete on deployments BEGIN
  insert into removed_numbers (project_id, kind, removed, last) values (old.project_id, 'deployment', 1, old.iid)
  on conflict (project_id, kind) do update set removed = removed + 1, last = max(last, excluded.last);
END;

update statuses set stage = 'external' where stage <> 'external' and id not in (select id from removed_jobs);
update storage set bytes = storage.bytes + x.bytes from (select project_id, sum(quota_bytes - 100) as bytes from deployments group by 1) x
  where storage.project_id = x.project_id;
update storage set bytes = storage.bytes - x.bytes from (select project_id, sum(quota_bytes) as bytes from statuses
  where id in (select id from removed_jobs) group by 1) x
  where storage.project_id = x.project_id;
update stored set bytes = (select coalesce(sum(bytes), 0) from storage) + (select coalesce(sum(quota_bytes), 0) from groups)
  + (select coalesce(sum(quota_bytes), 0) from tokens) + (select coalesce(sum(quota_bytes), 0) from idempotency_keys) where id = 1;
create trigger deployments_stored after insert on deployments BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger deployments_unstored after delete on deployments BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- A trigger counts posted statuses. The rest is computed anew for the refs that had such jobs.
delete from statuses where id in (select id from removed_jobs);
delete from status_heads where (commit_id, ref, name) in (select commit_id, ref, name from removed_jobs)
  and not exists (select 1 from statuses s where s.commit_id = status_heads.commit_id and s.ref = status_heads.ref and s.name = status_heads.name);
update status_heads set stage = 'external', status_id = (select max(s.id) from statuses s
  where s.commit_id = status_heads.commit_id and s.ref = status_heads.ref and s.name = status_heads.name)
where (commit_id, ref, name) in (select commit_id, ref, name from removed_jobs);
delete from status_counts where stage <> 'external' or (posted = 0 and (commit_id, ref) in (select commit_id, ref from removed_jobs));
update status_counts set pending = x.pending, running = x.running, success = x.success, failed = x.failed, canceled = x.canceled, skipped = x.skipped
from (select h.commit_id, h.ref, sum(s.state = 'pending') as pending, sum(s.state = 'running') as running, sum(s.state = 'success') as success,
    sum(s.state = 'failed') as failed, sum(s.state = 'canceled') as canceled, sum(s.skipped) as skipped
  from (select distinct commit_id, ref from removed_jobs) j cross join status_heads h on h.commit_id = j.commit_id and h.ref = j.ref
  cross join statuses s on s.id = h.status_id group by 1, 2) x
where status_counts.commit_id = x.commit_id and status_counts.ref = x.ref;
drop table removed_jobs;

create trigger storage_counts after update of bytes on storage when new.bytes <> old.bytes BEGIN
  select raise(abort, 'E_PROJECT_FULL') from stored s
  where s.id = 1 and s.project_most > 0 and new.bytes > s.project_most and new.bytes > old.bytes;
  update stored set bytes = bytes + new.bytes - old.bytes where id = 1;
END;
create trigger stored_ends after update of bytes on stored when new.most > 0 and new.bytes > new.most and new.bytes > old.bytes BEGIN
  select raise(abort, 'E_SERVER_FULL');
END;
create trigger statuses_unstored after delete on statuses BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

drop trigger statuses_restaged;
drop trigger statuses_moved;
create trigger statuses_moved after update of state on statuses when old.state <> new.state
and exists (select 1 from status_heads h
  where h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.status_id = new.id) BEGIN
  update status_counts set
    pending = pending + (new.state = 'pending') - (old.state = 'pending'),
    running = running + (new.state = 'running') - (old.state = 'running'),
    success = success + (new.state = 'success') - (old.state = 'success'),
    failed = failed + (new.state = 'failed') - (old.state = 'failed'),
    canceled = canceled + (new.state = 'canceled') - (old.state = 'canceled'), skipped = skipped + new.skipped - old.skipped,
    changed_at = coalesce(new.finished_at, new.started_at, new.created_at)
  where commit_id = new.commit_id and ref = new.ref and stage = 'external';
END;
-- Counts a new status instead of the one that it replaces. The first one makes the pipeline, which has its id.
drop trigger statuses_added;
create trigger statuses_added after insert on statuses BEGIN
  insert into status_counts (commit_id, ref, stage, posted, pending, running, success, failed, canceled, skipped,
    project_id, pipeline_id, iid, user_id, created_at, changed_at)
  select new.commit_id, new.ref, 'external', 1,
    (new.state = 'pending') - (before.state is 'pending'), (new.state = 'running') - (before.state is 'running'),
    (new.state = 'success') - (before.state is 'success'), (new.state = 'failed') - (before.state is 'failed'),
    (new.state = 'canceled') - (before.state is 'canceled'), new.skipped - coalesce(before.skipped, 0),
    new.project_id, new.id, 1 + coalesce((select n.iid from status_counts n where n.project_id = new.project_id
      and n.pipeline_id is not null order by n.pipeline_id desc limit 1), 0),
    new.user_id, new.created_at, coalesce(new.finished_at, new.started_at, new.created_at)
  from (select 1) left join status_heads h on h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name
    left join statuses before on before.id = h.status_id
  where true
  on conflict (commit_id, ref, stage) do update set posted = posted + 1,
    pending = pending + excluded.pending, running = running + excluded.running, success = success + excluded.success,
    failed = failed + excluded.failed, canceled = canceled + excluded.canceled, skipped = skipped + excluded.skipped,
    changed_at = excluded.changed_at;
  insert into status_heads (commit_id, ref, name, status_id, stage) values (new.commit_id, new.ref, new.name, new.id, 'external')
  on conflict (commit_id, ref, name) do update set status_id = excluded.status_id, posted = posted + 1;
END;

-- A status as a job of its pipeline. author: who posted it. tag: the ref is a tag and no branch.
create view job_rows as
select s.id, s.project_id, s.commit_id, s.ref as git_ref, s.state, s.name, s.target_url, s.description, s.coverage, s.skipped, s.created_at,
  s.started_at, s.finished_at,
  exists (select 1 from refs t where t.project_id = s.project_id and t.name = 'refs/tags/' || s.ref)
    and not exists (select 1 from refs t where t.project_id = s.project_id and t.name = 'refs/heads/' || s.ref) as tag,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email, 'created_at', u.created_at,
    'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location, 'skype', u.skype,
    'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url,
    'projects_limit', coalesce(u.projects_limit, (select default_projects_limit from settings)), 'projects_count', u.projects_count)
    from users u where u.id = s.user_id) as author,
  (select c.document from commit_documents c where c.id = s.commit_id) as "commit",
  (select p.document from pipeline_documents p where p.commit_id = s.commit_id and p.git_ref = s.ref) as pipeline
from statuses s;

-- author: who changed the state last.
create view deployment_rows as
select d.id, d.iid, d.project_id, d.environment_id, d.created_at,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = d.user_id) as user,
  (select json_object('id', e.id, 'number', e.number, 'name', e.name, 'external_url', e.external_url, 'created_at', e.created_at,
    'updated_at', e.updated_at, 'state', e.state, 'tier', e.tier, 'description', e.description)
    from environments e where e.id = d.environment_id) as environment,
  json_object('git_ref', d.ref, 'state', d.state, 'name', d.name, 'stage', d.stage, 'tag', d.tag, 'coverage', d.coverage,
    'started_at', d.started_at, 'finished_at', d.finished_at) as job,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email, 'created_at', u.created_at,
    'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location, 'skype', u.skype,
    'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url,
    'projects_limit', coalesce(u.projects_limit, (select default_projects_limit from settings)), 'projects_count', u.projects_count)
    from users u where u.id = d.changed_by) as author,
  (select c.document from commit_documents c where c.id = d.commit_id) as "commit",
  iif(d.state = 'pending', 'created', d.state) as v4_state,
  coalesce(d.finished_at, d.started_at, d.created_at) as updated_at, d.finished_at, d.ref as git_ref
from deployments d;

create view deployment_lengths as
select d.id, octet_length(d.ref) + octet_length(d.name) + octet_length(d.stage) + c.bytes + e.bytes as bytes,
  700 + octet_length(json_array(d.ref, d.name, d.stage)) + c.answered + e.answered
    + (select l.answered from user_lengths l where l.id = d.user_id) + (select l.answered from user_lengths l where l.id = d.changed_by) as answered
from deployments d cross join commit_lengths c on c.id = d.commit_id cross join environment_lengths e on e.id = d.environment_id;
