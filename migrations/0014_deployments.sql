-- Environments and deployments.

create table environments (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- number within the project from 1, without gaps
  number integer not null,
  name text not null,
  state text not null default 'available' check (state in ('available', 'stopped')),
  -- production, staging, testing, development or other, null: it follows from the name
  tier text,
  created_at integer not null,
  updated_at integer not null default 0,
  quota_bytes integer as (
    200 + 3 * octet_length(name) + coalesce(octet_length(description), 0) + coalesce(octet_length(external_url), 0)
  ) virtual,
  description text,
  external_url text,
  unique (project_id, name),
  unique (project_id, number)
) strict;

create trigger environments_removed after delete on environments BEGIN
  insert into removed_numbers (project_id, kind, removed, last)
  values (old.project_id, 'environment', 1, old.number)
  on conflict (project_id, kind) do update set removed = removed + 1, last = max(last, excluded.last);
END;
create trigger environments_stored after insert on environments BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger environments_restored after update of description, external_url on environments
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger environments_unstored after delete on environments BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- A deployment has its job in its own row. As a status of its commit, a failed deployment would make a green commit
-- red.
create table deployments (
  id integer primary key autoincrement,
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
-- the deployments of an environment, which shows the newest one
create index deployments_of_environment on deployments (environment_id, iid);
-- a commit is removed only after its deployments
create index deployments_of_commit on deployments (commit_id);

create trigger deployments_removed after delete on deployments BEGIN
  insert into removed_numbers (project_id, kind, removed, last)
  values (old.project_id, 'deployment', 1, old.iid)
  on conflict (project_id, kind) do update set removed = removed + 1, last = max(last, excluded.last);
END;
create trigger deployments_stored after insert on deployments BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger deployments_unstored after delete on deployments BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- Counts removed deployments and environments, for the totals of lists. Without a row nothing was removed.
create table removed_numbers (
  project_id integer not null references projects (id),
  kind text not null check (kind in ('deployment', 'environment')),
  -- how many
  removed integer not null,
  -- the greatest of their numbers
  last integer not null,
  primary key (project_id, kind)
) strict, without rowid;

create view environment_lengths as
select
  id, octet_length(name) + coalesce(octet_length(external_url), 0) + coalesce(octet_length(description), 0) as bytes,
  1000 + octet_length(json_array(name, external_url, description))
    + (
      select octet_length(json_array(p.name, p.full_name, p.description))
      from projects p
      where p.id = project_id
    ) as answered
from environments;

-- A deployment in answers. author: who changed the state last.
create view deployment_rows as
select
  d.id, d.iid, d.project_id, d.environment_id, d.created_at,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = d.user_id
  ) as user,
  (
    select json_object(
      'id', e.id, 'number', e.number, 'name', e.name, 'external_url', e.external_url, 'created_at', e.created_at,
      'updated_at', e.updated_at, 'state', e.state, 'tier', e.tier, 'description', e.description
    )
    from environments e
    where e.id = d.environment_id
  ) as environment,
  json_object(
    'git_ref', d.ref, 'state', d.state, 'name', d.name, 'stage', d.stage, 'tag', d.tag, 'coverage', d.coverage,
    'started_at', d.started_at, 'finished_at', d.finished_at
  ) as job,
  (
    select json_object(
      'id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email,
      'created_at', u.created_at, 'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location,
      'skype', u.skype, 'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url,
      'projects_limit', coalesce(u.projects_limit, (select default_projects_limit from settings)),
      'projects_count', u.projects_count
    )
    from users u
    where u.id = d.changed_by
  ) as author,
  (select c.document from commit_documents c where c.id = d.commit_id) as "commit",
  iif(d.state = 'pending', 'created', d.state) as v4_state,
  coalesce(d.finished_at, d.started_at, d.created_at) as updated_at, d.finished_at, d.ref as git_ref
from deployments d;

create view deployment_lengths as
select
  d.id, octet_length(d.ref) + octet_length(d.name) + octet_length(d.stage) + c.bytes + e.bytes as bytes,
  700 + octet_length(json_array(d.ref, d.name, d.stage)) + c.answered + e.answered
    + (select l.answered from user_lengths l where l.id = d.user_id)
    + (select l.answered from user_lengths l where l.id = d.changed_by) as answered
from deployments d
cross join commit_lengths c on c.id = d.commit_id
cross join environment_lengths e on e.id = d.environment_id;
