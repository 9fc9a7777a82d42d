-- Lists of packages in every order.
-- binds: bare
-- order: Creation = p.created_at (packages_by_creation)
-- order: Name = p.name text (packages_by_name)
-- order: Version = p.version text (packages_by_version)

-- list: list
-- scope: project
-- shows: PackageRow
-- order: {sort_key}, p.id either way
-- filters: name, version
-- total: 10000
-- The packages with the status :status. The name has the part :name, which is in lower case.
select p.id, p.name, p.version, p.status, p.created_at, {sort_key} as sort_key,
  (:name is null or instr(lower(p.name), :name) > 0) and (:version is null or p.version = :version) as fits
from packages p indexed by {index}
where p.project_id = (select project_id from scope) and p.status = (select :status) and {after};
