-- Files that people send: uploads, which texts link to, and files of packages. Their bytes lie in the object store as they are, under
-- STORE/PROJECT/uploads/SECRET and STORE/PROJECT/packages/OBJECT. An empty file has no object.

-- The bytes of the files of each project, which count in bytes, too.
alter table storage add column uploads integer not null default 0;
alter table storage add column packages integer not null default 0;

create table uploads (
  id integer primary key,
  project_id integer not null references projects (id),
  -- random hexadecimal digits, a part of the address
  secret text not null check (octet_length(secret) = 32),
  -- how the key of the object begins. Null: as object_sweeps.store says
  store text,
  filename text not null check (octet_length(filename) between 1 and 255),
  -- bytes
  size integer not null check (size >= 0),
  sha256 text not null check (octet_length(sha256) = 64),
  author_id integer not null,
  created_at integer not null,
  quota_bytes integer as (400 + octet_length(filename) + size) virtual
) strict;
create unique index uploads_by_secret on uploads (project_id, secret);
create index uploads_of_project on uploads (project_id, id);
create trigger uploads_stored after insert on uploads BEGIN
  update storage set bytes = bytes + new.quota_bytes, uploads = uploads + new.size where project_id = new.project_id;
END;
create trigger uploads_unstored after delete on uploads BEGIN
  update storage set bytes = bytes - old.quota_bytes, uploads = uploads - old.size where project_id = old.project_id;
END;

create table packages (
  id integer primary key,
  project_id integer not null references projects (id),
  name text not null check (octet_length(name) between 1 and 255),
  version text not null check (octet_length(version) between 1 and 255),
  -- hidden: lists leave it out unless they are asked for hidden ones
  status text not null default 'default' check (status in ('default', 'hidden')),
  author_id integer not null,
  created_at integer not null,
  quota_bytes integer as (300 + 4 * octet_length(name) + 3 * octet_length(version)) virtual
) strict;
create unique index packages_named on packages (project_id, name, version);
create index packages_by_creation on packages (project_id, status, created_at, id);
create index packages_by_name on packages (project_id, status, name, id);
create index packages_by_version on packages (project_id, status, version, id);
create trigger packages_stored after insert on packages BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger packages_unstored after delete on packages BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table package_files (
  id integer primary key,
  package_id integer not null references packages (id),
  project_id integer not null,
  -- with its path. Of several files with one name the newest counts
  file_name text not null check (octet_length(file_name) between 1 and 255),
  -- the end of the key
  object text not null check (octet_length(object) = 32),
  -- how the key begins. Null: as object_sweeps.store says
  store text,
  size integer not null check (size >= 0),
  sha256 text not null check (octet_length(sha256) = 64),
  created_at integer not null,
  quota_bytes integer as (400 + 2 * octet_length(file_name) + size) virtual
) strict;
create index package_files_by_name on package_files (package_id, file_name, id);
create index package_files_of_package on package_files (package_id, id);
create unique index package_files_by_object on package_files (project_id, object);
create trigger package_files_stored after insert on package_files BEGIN
  update storage set bytes = bytes + new.quota_bytes, packages = packages + new.size where project_id = new.project_id;
END;
create trigger package_files_unstored after delete on package_files BEGIN
  update storage set bytes = bytes - old.quota_bytes, packages = packages - old.size where project_id = old.project_id;
END;

-- sizes: the bytes of uploads and packages.
drop view project_rows;
create view project_rows as
select p.id, p.namespace_id, p.name, p.path, p.full_name, p.full_path, p.description, p.visibility, p.default_branch, p.issues_enabled,
  p.builds_enabled, p.archived, p.creator_id, p.created_at, p.updated_at,
  (select json_object('id', n.id, 'kind', n.kind, 'path', n.path, 'name', n.name, 'description', n.description,
    'created_at', n.created_at, 'owner', json(n.owner)) from namespace_rows n where n.id = p.namespace_id) as namespace,
  (select c.opened from issue_counts c where c.project_id = p.id) as opened,
  (select c.opened_hidden from issue_counts c where c.project_id = p.id) as opened_hidden,
  (select b.commits from branch_counts b where b.project_id = p.id and b.branch = p.default_branch) as commits,
  p.autoclose, (select json_object('uploads', t.uploads, 'packages', t.packages) from storage t where t.project_id = p.id) as sizes
from projects p where p.deleted_at is null;
