-- Lists of packages in every order. The filters without an index apply to the first :looks packages. The last of these
-- has ends = 1 and is returned even if it does not match (src/kernel/walk.rs).
-- binds: bare
-- order: Creation = p.created_at (packages_by_creation)
-- order: Name = p.name (packages_by_name)
-- order: Version = p.version (packages_by_version)

-- name: list
-- scope: project
-- returns: WalkRow<PackageRow>*
-- The packages with the status :status after the keys :at and :id. The name has the part :name, which is in lower case.
with found as materialized (
  select id, row_number() over () as number
  from (select p.id
    from packages p indexed by {index}
    where p.project_id = (select project_id from scope) and p.status = (select :status)
      and ({sort_key}, p.id) {beyond} (:at, :id)
    order by {sort_key} {way}, p.id {way}
    limit (select :looks))
), looked as materialized (
  select f.*, (:name is null or instr(lower(p.name), :name) > 0) and (:version is null or p.version = :version) as fits
  from found f
  cross join packages p on p.id = f.id
), {listed}
select p.id, p.name, p.version, p.status, p.created_at, {columns_of_listed(l.number = :looks)}
from listed l
cross join packages p on p.id = l.id
{page_of_listed(l.number = :looks)};
