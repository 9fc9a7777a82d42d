-- Pipelines. The row of status_counts of the stage external is the pipeline of its ref and commit: the posted statuses. Other stages
-- are jobs of deployments, and no pipelines.

-- that of the commit, null: no pipeline
alter table status_counts add column project_id integer references projects (id);
-- that of its first status
alter table status_counts add column pipeline_id integer;
-- number within the project
alter table status_counts add column iid integer;
-- who posted the first status, and when
alter table status_counts add column user_id integer references users (id);
alter table status_counts add column created_at integer;
-- when a status was added or changed its state
alter table status_counts add column changed_at integer;
create unique index pipelines_of_project on status_counts (project_id, pipeline_id) where pipeline_id is not null;
create index pipelines_of_ref on status_counts (project_id, ref, pipeline_id) where pipeline_id is not null;
-- jobs of a project
create index statuses_of_project on statuses (project_id, id);

update status_counts set project_id = f.project_id, pipeline_id = f.id, iid = f.iid, user_id = f.user_id, created_at = f.created_at,
  changed_at = f.changed_at
from (select s.id, s.project_id, s.commit_id, s.ref, s.user_id, s.created_at, h.changed_at,
    row_number() over (partition by s.project_id order by s.id) as iid
  from (select commit_id, ref, min(id) as id, max(coalesce(finished_at, started_at, created_at)) as changed_at
    from statuses where stage = 'external' group by commit_id, ref) h
  cross join statuses s on s.id = h.id) f
where status_counts.commit_id = f.commit_id and status_counts.ref = f.ref and status_counts.stage = 'external';

-- Counts a new status instead of the one that it replaces. The first posted one makes the pipeline, which has its id.
drop trigger statuses_added;
create trigger statuses_added after insert on statuses BEGIN
  insert into status_counts (commit_id, ref, stage, posted, pending, running, success, failed, canceled, skipped,
    project_id, pipeline_id, iid, user_id, created_at, changed_at)
  select new.commit_id, new.ref, new.stage, 1,
    (new.state = 'pending') - (before.state is 'pending'), (new.state = 'running') - (before.state is 'running'),
    (new.state = 'success') - (before.state is 'success'), (new.state = 'failed') - (before.state is 'failed'),
    (new.state = 'canceled') - (before.state is 'canceled'), new.skipped - coalesce(before.skipped, 0),
    iif(new.stage = 'external', new.project_id, null), iif(new.stage = 'external', new.id, null),
    iif(new.stage = 'external', 1 + coalesce((select n.iid from status_counts n where n.project_id = new.project_id
      and n.pipeline_id is not null order by n.pipeline_id desc limit 1), 0), null),
    new.user_id, new.created_at, coalesce(new.finished_at, new.started_at, new.created_at)
  from (select 1) left join status_heads h
    on h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.stage = new.stage
    left join statuses before on before.id = h.status_id
  where true
  on conflict (commit_id, ref, stage) do update set posted = posted + 1,
    pending = pending + excluded.pending, running = running + excluded.running, success = success + excluded.success,
    failed = failed + excluded.failed, canceled = canceled + excluded.canceled, skipped = skipped + excluded.skipped,
    project_id = coalesce(project_id, excluded.project_id), pipeline_id = coalesce(pipeline_id, excluded.pipeline_id),
    iid = coalesce(iid, excluded.iid), user_id = coalesce(user_id, excluded.user_id),
    created_at = coalesce(created_at, excluded.created_at), changed_at = excluded.changed_at;
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
drop trigger statuses_moved;
create trigger statuses_moved after update of state on statuses when old.state <> new.state and old.stage = new.stage
and exists (select 1 from status_heads h
  where h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.status_id = new.id) BEGIN
  update status_counts set
    pending = pending + (new.state = 'pending') - (old.state = 'pending'),
    running = running + (new.state = 'running') - (old.state = 'running'),
    success = success + (new.state = 'success') - (old.state = 'success'),
    failed = failed + (new.state = 'failed') - (old.state = 'failed'),
    canceled = canceled + (new.state = 'canceled') - (old.state = 'canceled'), skipped = skipped + new.skipped - old.skipped,
    changed_at = coalesce(new.finished_at, new.started_at, new.created_at)
  where commit_id = new.commit_id and ref = new.ref and stage = new.stage;
END;

-- The state of a pipeline follows from the newest status of each name.
create view pipeline_rows as
select n.pipeline_id as id, n.iid, n.project_id, n.commit_id, n.ref as git_ref, n.user_id, n.created_at, n.changed_at as updated_at,
  (select c.sha from commits c where c.id = n.commit_id) as sha,
  case
    when n.pending + n.running + n.success + n.failed + n.canceled = n.skipped then 'skipped'
    when n.pending + n.running + n.failed = 0 and n.canceled = n.skipped then 'success'
    when n.pending + n.running + n.failed = 0 then 'canceled'
    when n.running + n.success + n.failed = 0 and n.canceled = n.skipped then 'pending'
    when n.pending + n.running > 0 then 'running'
    else 'failed' end as state
from status_counts n where n.pipeline_id is not null;

-- As one JSON value, for rows that hold more than a pipeline.
create view pipeline_documents as
select id, commit_id, git_ref, json_object('id', id, 'iid', iid, 'git_ref', git_ref, 'sha', sha, 'state', state,
  'created_at', created_at, 'updated_at', updated_at) as document
from pipeline_rows;

-- A posted status as a job of its pipeline. author: who posted it.
create view job_rows as
select s.id, s.project_id, s.commit_id, s.ref as git_ref, s.state, s.name, s.target_url, s.description, s.coverage, s.skipped, s.created_at,
  s.started_at, s.finished_at, s.stage, s.tag,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email, 'created_at', u.created_at,
    'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location, 'skype', u.skype,
    'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url,
    'projects_limit', coalesce(u.projects_limit, (select default_projects_limit from settings)), 'projects_count', u.projects_count)
    from users u where u.id = s.user_id) as author,
  (select c.document from commit_documents c where c.id = s.commit_id) as "commit",
  (select p.document from pipeline_documents p where p.commit_id = s.commit_id and p.git_ref = s.ref) as pipeline
from statuses s where s.stage = 'external';

create view job_lengths as
select s.id, l.bytes + coalesce(octet_length(s.description), 0) as bytes,
  l.answered + octet_length(json_quote(s.description)) as answered
from statuses s cross join commit_lengths l on l.id = s.commit_id;

drop view status_rows;
create view status_rows as
select s.id, s.commit_id, s.user_id, s.ref as git_ref, s.state, s.name, s.target_url, s.description, s.coverage, s.skipped, s.created_at,
  s.started_at, s.finished_at, (select c.sha from commits c where c.id = s.commit_id) as sha,
  (select n.pipeline_id from status_counts n where n.commit_id = s.commit_id and n.ref = s.ref and n.stage = s.stage) as pipeline_id,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = s.user_id) as author
from statuses s;
