-- Files that people send: uploads, which texts link to, and files of packages. Their bytes lie in the object store as
-- they are, under STORE/PROJECT/uploads/SECRET and STORE/PROJECT/packages/OBJECT. An empty file has no object.

create table uploads (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- random hexadecimal digits, a part of the address
  secret text not null check (octet_length(secret) = 32),
  -- prefix of the key of the object, null means that of object_sweeps.store
  store text,
  filename text not null check (octet_length(filename) between 1 and 255),
  -- bytes
  size integer not null check (size >= 0),
  sha256 text not null check (octet_length(sha256) = 64),
  author_id integer not null,
  created_at integer not null,
  quota_bytes integer as (400 + octet_length(filename) + size) virtual,
  -- the person who stored the bytes: the user, or the maker of a token of a project, null: they count in no share
  person_id integer,
  -- 1: the person was no member of the project
  outside integer not null default 0 check (outside in (0, 1))
) strict;
create unique index uploads_by_secret on uploads (project_id, secret);
create index uploads_of_project on uploads (project_id, id);

create trigger uploads_stored after insert on uploads BEGIN
  update storage
  set bytes = bytes + new.quota_bytes, uploads = uploads + new.size, outside = outside + new.outside * new.size
  where project_id = new.project_id;
  insert into shares (user_id, bytes)
  select new.person_id, new.size
  where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;
create trigger uploads_unstored after delete on uploads BEGIN
  update storage
  set bytes = bytes - old.quota_bytes, uploads = uploads - old.size, outside = outside - old.outside * old.size
  where project_id = old.project_id;
  update shares set bytes = bytes - old.size where user_id = old.person_id;
END;

create table packages (
  id integer primary key autoincrement,
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
  id integer primary key autoincrement,
  package_id integer not null references packages (id),
  -- that of the package
  project_id integer not null,
  -- with its path. Of several files with one name the newest counts
  file_name text not null check (octet_length(file_name) between 1 and 255),
  -- the end of the key
  object text not null check (octet_length(object) = 32),
  -- prefix of the key, null means that of object_sweeps.store
  store text,
  size integer not null check (size >= 0),
  sha256 text not null check (octet_length(sha256) = 64),
  created_at integer not null,
  quota_bytes integer as (400 + 2 * octet_length(file_name) + size) virtual,
  -- the person who stored the bytes: the user, or the maker of a token of a project, null: they count in no share
  person_id integer
) strict;
create index package_files_by_name on package_files (package_id, file_name, id);
create index package_files_of_package on package_files (package_id, id);
create unique index package_files_by_object on package_files (project_id, object);

create trigger package_files_stored after insert on package_files BEGIN
  update storage
  set bytes = bytes + new.quota_bytes, packages = packages + new.size
  where project_id = new.project_id;
  insert into shares (user_id, bytes)
  select new.person_id, new.size
  where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;
create trigger package_files_unstored after delete on package_files BEGIN
  update storage
  set bytes = bytes - old.quota_bytes, packages = packages - old.size
  where project_id = old.project_id;
  update shares set bytes = bytes - old.size where user_id = old.person_id;
END;
