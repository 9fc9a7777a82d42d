-- Generic packages of a project and their files.

-- piece: key_of_file
-- The key of the object of the file f.
coalesce(f.store, w.store) || '/' || f.project_id || '/packages/' || f.object

-- piece: chunk(project)
-- The first files of the package :package_id.
(select id from package_files where package_id = :package_id and project_id = {project} order by id limit 500)

-- name: add_package
-- Creates the package, if it does not exist. A :status that is not null changes the status of an existing one.
insert into packages (project_id, name, version, status, author_id, created_at)
values (:project_id, :name, :version, coalesce(:status, 'default'), :author_id, :now)
on conflict (project_id, name, version) do update set status = :status
where :status is not null and status <> :status;

-- name: add_file
-- returns: PackageFileRow?
insert into package_files (package_id, project_id, file_name, object, store, size, sha256, person_id, created_at)
select p.id, p.project_id, :file_name, :object, w.own, :size, :sha256, :person_id, :now
from packages p
cross join object_sweeps w on w.id = 1
where p.project_id = :project_id and p.name = :name and p.version = :version
returning id, package_id, created_at, file_name, size, sha256;

-- name: file
-- scope: project
-- returns: FileRow?
-- The newest file with the name :file_name of a package.
select f.file_name as name, f.size, f.sha256, {key_of_file} as object_key
from scope s
cross join packages p on p.project_id = s.project_id and p.name = :name and p.version = :version
cross join package_files f on f.id = (select max(n.id)
  from package_files n
  where n.package_id = p.id and n.file_name = :file_name)
cross join object_sweeps w on w.id = 1;

-- name: one
-- scope: project
-- returns: PackageRow?
-- The package with the id :id.
select p.id, p.name, p.version, p.status, p.created_at
from scope s
cross join packages p on p.id = :id and p.project_id = s.project_id;

-- list: files
-- scope: project
-- shows: PackageFileRow
-- order: f.id
-- The files of the package :package_id.
select f.id, f.package_id, f.created_at, f.file_name, f.size, f.sha256
from scope s
cross join packages p on p.id = :package_id and p.project_id = s.project_id
cross join package_files f on f.package_id = p.id and {after};

-- name: object
-- scope: project
-- returns: String?
-- The key of the object of the file :id of the package :package_id.
select {key_of_file} as object_key
from scope s
cross join package_files f on f.id = :id and f.package_id = :package_id and f.project_id = s.project_id
cross join object_sweeps w on w.id = 1;

-- name: first_objects
-- scope: project
-- returns: String*
-- The keys of the files that the first chunk of remove_files removes.
select {key_of_file} as object_key
from scope s
cross join package_files f on f.id in {chunk(s.project_id)}
cross join object_sweeps w on w.id = 1;

-- name: remove_file
delete from package_files where id = :id and project_id = :project_id;

-- name: remove_files
delete from package_files where id in {chunk(:project_id)};

-- name: remove_package
-- Removes the package if it has no files.
delete from packages
where id = :id and project_id = :project_id
  and not exists (select 1 from package_files f where f.package_id = packages.id);

-- name: file_left
select 1 as more from package_files where package_id = :package_id and project_id = :project_id limit 1;

-- piece: newest_packages
visible v
cross join packages k on k.id in (select x.id
  from packages x
  where x.project_id = v.id and x.status = :status
  order by x.created_at desc, x.id desc
  limit (select 10000 / max(count(*), 10) from visible))
  and (:name is null or instr(lower(k.name), :name)) and (:version is null or k.version = :version)

-- list: newest_in_group
-- scope: group
-- shows: GroupPackageRow
-- order: k.created_at, k.id either way
-- total: 1000
-- The newest 10,000 packages of 1,000 projects of the group that the caller sees, the same number in each.
with visible as materialized ({projects_of_group})
select k.id, k.name, k.version, k.status, k.created_at, v.project
from {newest_packages}
where {after};

-- list: sorted_in_group
-- scope: group
-- shows: GroupPackageRow
-- order: place text, id either way
-- total: 1000
-- The same in the order :by: 'name', 'version' or 'project_path'.
with visible as materialized ({projects_of_group})
select *
from (select k.id, k.name, k.version, k.status, k.created_at,
    case :by when 'name' then k.name when 'version' then k.version else v.project ->> 'full_path' end as place,
    v.project
  from {newest_packages})
where {after};
