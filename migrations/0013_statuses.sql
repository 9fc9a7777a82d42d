-- Statuses of commits, and pipelines, which are made of them.

create table statuses (
  id integer primary key,
  project_id integer not null references projects (id),
  commit_id integer not null references commits (id),
  -- branch or tag as posted or guessed, the empty text if none, so that uniqueness holds
  ref text not null,
  name text not null,
  user_id integer not null references users (id),
  state text not null check (state in ('pending', 'running', 'success', 'failed', 'canceled')),
  -- a skipped status is a canceled one with this mark. v3 shows and counts it as canceled
  skipped integer not null default 0 check (skipped in (0, 1) and (not skipped or state = 'canceled')),
  -- 1: the ref is a tag
  tag integer not null default 0 check (tag in (0, 1)),
  -- percent
  coverage real,
  created_at integer not null,
  started_at integer,
  finished_at integer,
  quota_bytes integer as (
    500 + 20 * (octet_length(ref) + octet_length(name)) + coalesce(octet_length(target_url), 0)
      + coalesce(octet_length(description), 0)
  ) virtual,
  target_url text,
  description text
) strict;
-- at most one unfinished status for each key, also when several are posted at once
create unique index statuses_open on statuses (commit_id, name, user_id, ref) where state in ('pending', 'running');
-- the lists of a commit
create index statuses_of_commit on statuses (commit_id, id);
-- jobs of a project
create index statuses_of_project on statuses (project_id, id);

-- The newest status of a name is removed only with its project, so only the number of posts and the bytes change.
create trigger statuses_removed after delete on statuses BEGIN
  update status_counts
  set posted = posted - 1, bytes = bytes - old.quota_bytes
  where commit_id = old.commit_id and ref = old.ref;
  update status_heads
  set posted = posted - 1
  where commit_id = old.commit_id and ref = old.ref and name = old.name;
END;
create trigger statuses_resized after update of target_url, description on statuses
when new.quota_bytes <> old.quota_bytes BEGIN
  update status_counts
  set bytes = bytes + new.quota_bytes - old.quota_bytes
  where commit_id = new.commit_id and ref = new.ref;
END;
-- A statement always writes state and skipped together.
create trigger statuses_moved after update of state on statuses
when old.state <> new.state
  and exists (
    select 1
    from status_heads h
    where h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.status_id = new.id
  ) BEGIN
  update status_counts
  set
    pending = pending + (new.state = 'pending') - (old.state = 'pending'),
    running = running + (new.state = 'running') - (old.state = 'running'),
    success = success + (new.state = 'success') - (old.state = 'success'),
    failed = failed + (new.state = 'failed') - (old.state = 'failed'),
    canceled = canceled + (new.state = 'canceled') - (old.state = 'canceled'),
    skipped = skipped + new.skipped - old.skipped,
    changed_at = coalesce(new.finished_at, new.started_at, new.created_at)
  where commit_id = new.commit_id and ref = new.ref;
END;
-- Counts a new status instead of the one that it replaces. The first one of a commit and ref makes the pipeline.
create trigger statuses_added after insert on statuses BEGIN
  insert into status_counts (
    commit_id, ref, posted, pending, running, success, failed, canceled, skipped, bytes, project_id, pipeline_id, iid,
    user_id, created_at, changed_at
  )
  select
    new.commit_id, new.ref, 1, (new.state = 'pending') - (before.state is 'pending'),
    (new.state = 'running') - (before.state is 'running'), (new.state = 'success') - (before.state is 'success'),
    (new.state = 'failed') - (before.state is 'failed'), (new.state = 'canceled') - (before.state is 'canceled'),
    new.skipped - coalesce(before.skipped, 0), new.quota_bytes, new.project_id, new.id,
    1
      + coalesce(
        (
          select n.iid
          from status_counts n
          where n.project_id = new.project_id and n.pipeline_id is not null
          order by n.pipeline_id desc
          limit 1
        ),
        0
      ),
    new.user_id, new.created_at, coalesce(new.finished_at, new.started_at, new.created_at)
  from (select 1)
  left join status_heads h on h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name
  left join statuses before on before.id = h.status_id
  where true
  on conflict (commit_id, ref) do update set
    posted = posted + 1, pending = pending + excluded.pending, running = running + excluded.running,
    success = success + excluded.success, failed = failed + excluded.failed, canceled = canceled + excluded.canceled,
    skipped = skipped + excluded.skipped, bytes = bytes + excluded.bytes, changed_at = excluded.changed_at;
  insert into status_heads (commit_id, ref, name, status_id)
  values (new.commit_id, new.ref, new.name, new.id)
  on conflict (commit_id, ref, name) do update set status_id = excluded.status_id, posted = posted + 1;
END;

-- The newest status of each commit, ref and name. Lists show only these unless a request asks for all.
create table status_heads (
  commit_id integer not null references commits (id),
  ref text not null,
  name text not null,
  -- The status. It is no declared reference: to delete a status, SQLite would look for it here, in an index that every
  -- post writes
  status_id integer not null,
  -- how many statuses there are of this name
  posted integer not null default 1,
  primary key (commit_id, ref, name)
) strict, without rowid;

-- The pipeline of each commit and ref: the number of its statuses, and the number of the newest of each name in each
-- state. The state of a commit and the totals of lists are computed from these rows.
create table status_counts (
  commit_id integer not null references commits (id),
  ref text not null,
  posted integer not null default 0,
  pending integer not null default 0,
  running integer not null default 0,
  success integer not null default 0,
  failed integer not null default 0,
  canceled integer not null default 0,
  -- how many of the canceled ones are skipped
  skipped integer not null default 0,
  -- of its statuses
  bytes integer not null default 0,
  -- A pipeline takes room in steps, so that most statuses do not write the storage of their project.
  quota_bytes integer as ((bytes + 4095) / 4096 * 4096) virtual,
  -- that of the commit
  project_id integer references projects (id),
  -- the id of the pipeline, which is that of its first status
  pipeline_id integer,
  -- number within the project
  iid integer,
  -- who posted the first status, and when
  user_id integer references users (id),
  created_at integer,
  -- when a status was added or changed its state
  changed_at integer,
  primary key (commit_id, ref)
) strict, without rowid;
create unique index pipelines_of_project on status_counts (project_id, pipeline_id) where pipeline_id is not null;
create index pipelines_of_ref on status_counts (project_id, ref, pipeline_id) where pipeline_id is not null;
-- the newest pipeline of a commit
create index pipelines_of_commit on status_counts (commit_id, pipeline_id) where pipeline_id is not null;

create trigger status_counts_stored after insert on status_counts when new.quota_bytes <> 0 BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger status_counts_resized after update of bytes on status_counts
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

-- A commit has statuses of at most a thousand refs, because its own status is computed from them.
create trigger status_counts_end after insert on status_counts
when 1000 < (select count(*) from (select 1 from status_counts where commit_id = new.commit_id limit 1001)) BEGIN
  select raise(abort, 'E_TOO_MANY_REFS');
END;

-- The commit that a name in a request means. tip_of: the branch of that name, if the commit is its tip. first_branch:
-- the branch that the commit belongs to. Ask for one project and name = json_array(the name), as in commit_names.
create view status_targets as
select
  n.project_id, n.name, c.id as commit_id, c.sha, c.branch as first_branch,
  (
    select substr(r.name, 12)
    from refs r
    where r.project_id = n.project_id and r.commit_id = c.id and r.name = n.branch
  ) as tip_of
from commit_names n
cross join commits c on c.id = n.commit_id;

-- A status in answers.
create view status_rows as
select
  s.id, s.commit_id, s.user_id, s.ref as git_ref, s.state, s.name, s.target_url, s.description, s.coverage, s.skipped,
  s.created_at, s.started_at, s.finished_at,
  (select c.sha from commits c where c.id = s.commit_id) as sha,
  (
    select n.pipeline_id
    from status_counts n
    where n.commit_id = s.commit_id and n.ref = s.ref
  ) as pipeline_id,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = s.user_id
  ) as author
from statuses s;

create view status_lengths as
select
  id,
  octet_length(ref) + octet_length(name) + coalesce(octet_length(target_url), 0)
    + coalesce(octet_length(description), 0) as bytes,
  700 + octet_length(json_array(ref, name, target_url, description))
    + (select l.answered from user_lengths l where l.id = user_id) as answered
from statuses;

-- The state of a pipeline follows from the newest status of each name.
create view pipeline_rows as
select
  n.pipeline_id as id, n.iid, n.project_id, n.commit_id, n.ref as git_ref, n.user_id, n.created_at,
  n.changed_at as updated_at,
  (select c.sha from commits c where c.id = n.commit_id) as sha,
  case
    when n.pending + n.running + n.success + n.failed + n.canceled = n.skipped then 'skipped'
    when n.pending + n.running + n.failed = 0 and n.canceled = n.skipped then 'success'
    when n.pending + n.running + n.failed = 0 then 'canceled'
    when n.running + n.success + n.failed = 0 and n.canceled = n.skipped then 'pending'
    when n.pending + n.running > 0 then 'running'
    else 'failed'
  end as state
from status_counts n
where n.pipeline_id is not null;

-- As one JSON value, for rows that hold more than a pipeline.
create view pipeline_documents as
select
  id, commit_id, git_ref,
  json_object(
    'id', id, 'iid', iid, 'git_ref', git_ref, 'sha', sha, 'state', state, 'created_at', created_at,
    'updated_at', updated_at
  ) as document
from pipeline_rows;

-- A status as a job of its pipeline. author: who posted it. tag: the ref is a tag and no branch.
create view job_rows as
select
  s.id, s.project_id, s.commit_id, s.ref as git_ref, s.state, s.name, s.target_url, s.description, s.coverage,
  s.skipped, s.created_at, s.started_at, s.finished_at,
  exists (select 1 from refs t where t.project_id = s.project_id and t.name = 'refs/tags/' || s.ref)
    and not exists (select 1 from refs t where t.project_id = s.project_id and t.name = 'refs/heads/' || s.ref) as tag,
  (
    select json_object(
      'id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email,
      'created_at', u.created_at, 'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location,
      'skype', u.skype, 'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url,
      'projects_limit', coalesce(u.projects_limit, (select default_projects_limit from settings)),
      'projects_count', u.projects_count
    )
    from users u
    where u.id = s.user_id
  ) as author,
  (select c.document from commit_documents c where c.id = s.commit_id) as "commit",
  (select p.document from pipeline_documents p where p.commit_id = s.commit_id and p.git_ref = s.ref) as pipeline
from statuses s;

create view job_lengths as
select s.id, s.bytes + c.bytes as bytes, s.answered + c.answered as answered
from status_lengths s
cross join commit_lengths c on c.id = (select commit_id from statuses where id = s.id);
