-- Reports of CI on statuses: tests, and findings in files. Their bytes lie in the object store, packed with zlib, under
-- STORE/PROJECT/reports/JOB.KIND.OBJECT: the JSON objects of an answer, with commas and line feeds between.

create table reports (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- the status. Commit, ref and name are its own
  job_id integer not null,
  commit_id integer not null references commits (id),
  ref text not null,
  name text not null,
  -- 1: tests, 2: findings
  kind integer not null check (kind in (1, 2)),
  -- the end of the key, null without cases
  object text check (octet_length(object) = 32),
  -- prefix of the key, null means that of object_sweeps.store
  store text,
  -- bytes, packed and unpacked
  size integer not null check (size >= 0),
  length integer not null check (length >= 0),
  -- of the body as sent, unpacked
  sha256 text not null check (octet_length(sha256) = 64),
  -- of findings: failed are those that are major or worse
  total integer not null,
  failed integer not null,
  errors integer not null,
  skipped integer not null,
  flaky integer not null,
  seconds real not null,
  -- JSON list of keys: what is broken, at most 200 tests or 1,000 findings
  broken text not null check (octet_length(broken) <= 20000),
  -- JSON list of keys and names: at most 400 of the tests that were broken lately and passed
  passed text not null check (octet_length(passed) <= 100000),
  -- 1: broken has all
  whole integer not null check (whole in (0, 1)),
  -- JSON list of the 20 slowest tests: key, name, seconds
  slowest text not null check (octet_length(slowest) <= 10000),
  -- why it is not complete
  problem text check (octet_length(problem) <= 1000),
  -- the person who stored the bytes: the user, or the maker of a token of a project, null: they count in no share
  person_id integer,
  created_at integer not null,
  quota_bytes integer as (
    700 + 4 * (octet_length(ref) + octet_length(name)) + octet_length(broken) + octet_length(passed)
      + octet_length(slowest) + coalesce(octet_length(problem), 0) + size
  ) virtual
) strict;
create unique index reports_of_job on reports (job_id, kind);
-- the reports before one, of a name on a branch or tag
create index reports_of_name on reports (project_id, name, ref, kind, id);
-- those of a parent
create index reports_of_commit on reports (commit_id, name, kind, id);

-- in the object store: reports. They are a part of uploads
alter table storage add column reports integer not null default 0;

create trigger reports_stored after insert on reports BEGIN
  update storage
  set bytes = bytes + new.quota_bytes, uploads = uploads + new.size, reports = reports + new.size
  where project_id = new.project_id;
  insert into shares (user_id, bytes)
  select new.person_id, new.size
  where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;
create trigger reports_unstored after delete on reports BEGIN
  update storage
  set bytes = bytes - old.quota_bytes, uploads = uploads - old.size, reports = reports - old.size
  where project_id = old.project_id;
  update shares set bytes = bytes - old.size where user_id = old.person_id;
END;
create trigger statuses_take_reports after delete on statuses BEGIN
  delete from reports where job_id = old.id;
END;

-- Again, with the reports of a job.
drop view job_rows;
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
  (select p.document from pipeline_documents p where p.commit_id = s.commit_id and p.git_ref = s.ref) as pipeline,
  (
    select json_group_array(
      json_object('file_type', file_type, 'size', size, 'filename', filename, 'file_format', null)
    )
    from (
      select
        iif(r.kind = 1, 'junit', 'codequality') as file_type, r.size,
        iif(r.kind = 1, 'junit.xml', 'gl-code-quality-report.json') as filename
      from reports r
      where r.job_id = s.id
      order by r.kind
    )
  ) as artifacts
from statuses s;

-- Again, with the bytes of reports, which are a part of those of uploads.
drop view project_rows;
create view project_rows as
select
  p.id, p.namespace_id, p.name, p.path, p.full_name, p.full_path, p.description, p.visibility, p.default_branch,
  p.issues_enabled, p.builds_enabled, p.archived, p.creator_id, p.created_at, p.updated_at,
  (
    select json_object(
      'id', n.id, 'kind', n.kind, 'path', n.path, 'name', n.name, 'description', n.description,
      'created_at', n.created_at, 'owner', json(n.owner)
    )
    from namespace_rows n
    where n.id = p.namespace_id
  ) as namespace,
  (select c.opened from issue_counts c where c.project_id = p.id) as opened,
  (select c.opened_hidden from issue_counts c where c.project_id = p.id) as opened_hidden,
  (select b.commits from branch_counts b where b.project_id = p.id and b.branch = p.default_branch) as commits,
  p.autoclose,
  (
    select json_object('contents', t.contents, 'uploads', t.uploads, 'packages', t.packages, 'reports', t.reports)
    from storage t
    where t.project_id = p.id
  ) as sizes,
  (select f.files from root_files f where f.project_id = p.id) as root_files,
  exists (
    select 1
    from refs r
    where r.project_id = p.id and r.name > 'refs/heads/' and r.name < 'refs/heads0'
  ) as has_branches
from projects p
where p.deleted_at is null;
