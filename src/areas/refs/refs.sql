-- Branches and tags of a repository mirror: refs/heads/.. and refs/tags/..

-- piece: ref_fits
-- Whether :search is null, or the name has all its parts, one after the other. A single part has a plain search: for
-- 10,000 names that takes 2 ms, the walk along the parts 13.
(:search is null
  or iif(json_type(:search) = 'text', lower(substr(name, length(:kind) + 1)) glob (:search ->> '$'),
    iif(json_array_length(:search) = 1,
      instr(char(10) || lower(substr(name, length(:kind) + 1)) || char(10), :search ->> 0) > 0,
      (with parts(number, rest) as (
        select 0, char(10) || lower(substr(name, length(:kind) + 1)) || char(10)
        union all
        select number + 1, substr(rest, instr(rest, :search ->> number) + length(:search ->> number))
        from parts
        where instr(rest, :search ->> number) > 0
      )
        select max(number)
        from parts) = json_array_length(:search))))

-- list: branches
-- scope: project
-- shows: RefRow of ref_rows
-- weighs: ref_lengths by project_id, name
-- order: name text
-- total: none
select project_id, name
from refs
where project_id = (select project_id from scope) and name > max(:after_1, 'refs/heads/') and name < 'refs/heads0';

-- list: tags
-- scope: project
-- shows: RefRow of ref_rows
-- weighs: ref_lengths by project_id, name
-- order: name text desc
-- total: none
select project_id, name
from refs
where project_id = (select project_id from scope) and name > 'refs/tags/' and name < min(:after_1, 'refs/tags0');

-- name: one
-- scope: project
-- returns: RefRow?
-- The branch or tag with the name :name, which includes refs/heads/ or refs/tags/.
select r.* from ref_rows r where r.project_id = (select project_id from scope) and r.name = :name;

-- name: protected_branch
-- scope: project
-- returns: protected::ProtectedRow?
-- The default branch, if it is there and the settings protect it.
select s.project_id, s.default_branch as name, t.default_branch_protection as protection
from scope s
cross join settings t on t.id = 1 and t.default_branch_protection > 0
cross join refs r on r.project_id = s.project_id and r.name = 'refs/heads/' || s.default_branch;

-- piece: matches
(is_exact or name is not :exact) and {ref_fits}

-- list: by_name
-- scope: project
-- shows: RefRow of ref_rows
-- weighs: ref_lengths by project_id, name
-- order: last_name text either way inside
-- filters: search
-- total: count
-- The refs of the kind :kind (names up to :end). :search: JSON list of the parts of the name in lower case, one after
-- the other, with a line feed before the first to match the start of the name, or after the last to match the end. The
-- ref :exact is the first, unless the page :follows another one. The list begins anew after that one.
select *, {matches} as fits
from (
  select project_id, name, :after_1 as last_name, 1 as is_exact
  from refs
  where project_id = (select project_id from scope) and name = iif(:follows, null, :exact)
  union all
  select *
  from (select project_id, name, name, 0
    from refs
    where project_id = (select project_id from scope) and name > max(:kind, :from) and name < min(:end, :to)
    order by name {way}
    limit :looks));

-- list: by_date
-- scope: project
-- shows: RefRow of ref_rows
-- weighs: ref_lengths by project_id, name
-- order: committed_at, last_name text either way inside
-- filters: search
-- total: count
-- The same by the dates of the commits.
select *, {matches} as fits
from (
  select project_id, name, cast(:after_1 as integer) as committed_at, :after_2 as last_name, 1 as is_exact
  from refs
  where project_id = (select project_id from scope) and name = iif(:follows, null, :exact)
  union all
  select *
  from (select project_id, name, committed_at, name, 0
    from refs indexed by refs_by_date
    where project_id = (select project_id from scope) and substr(name, 6, 1) = substr(:kind, 6, 1)
      and (committed_at, name) {beyond} (:after_1, :after_2)
    order by committed_at {way}, name {way}
    limit :looks));

-- name: count
-- scope: project
-- returns: ListTotal?
-- The number of refs that match. null if there are more than 1,000, or more than 2,000 have to be read.
select iif(count(*) > 2000 or sum(fits) > 1000, null, coalesce(sum(fits), 0)) as total, count(*) as counted
from (
  select {ref_fits} as fits
  from (
    select name
    from refs
    where project_id = (select project_id from scope) and name > :kind and name < :end
    order by name
    limit 2001));

-- list: by_version
-- scope: project
-- shows: RefRow of ref_rows
-- weighs: ref_lengths by project_id, name
-- order: place
-- total: count
-- The matches among the last thousand refs of the kind :kind (names up to :end) by the numbers in their names: `1.9`
-- before `1.10`, and `1.9-rc` before `1.9`. The ref :exact is the first. No index has this order.
with versions as (
  select *, substr(rest, instr(rest || '.', '.') + 1) as last
  from (
    select *, substr(version, instr(version || '.', '.') + 1) as rest
    from (
      select project_id, name, ltrim(substr(name, length(:kind) + 1), 'vV') as version
      from refs
      where project_id = (select project_id from scope) and name > :kind and name < :end
      order by name desc
      limit 1000))
  where {ref_fits}
)
select *
from (
  select project_id, name, row_number() over (order by name is not :exact, iif(:descends, -1, 1) * ascending) as place
  from (
    select project_id, name,
      row_number() over (order by cast(version as integer), cast(rest as integer), cast(last as integer),
        instr(version, '-') = 0, name) as ascending
    from versions))
where {after};

-- name: containing
-- scope: project
-- returns: ListRow<v4::Name>*
-- The refs that contain the commit with the name :name. These are the first 10,000 refs at its 5,000 nearest
-- descendants, and the branch that it belongs to. Only names that start with :kind and come after :after, and the total
-- of all: it takes the whole walk, so a list of its own would walk twice. Past the end a row without a name.
with target as (
  select c.id, c.project_id, 'refs/heads/' || c.branch as branch
  from {commit_named(:name)}
  cross join commits c on c.id = n.commit_id
), up(id) as (
  select id
  from target
  union
  select p.child_id
  from up
  cross join parents p on p.parent_id = up.id
  limit 5000
), found(name) as materialized (
  select name
  from (
    select *
    from (select r.name from up cross join refs r on r.commit_id = up.id limit 10000)
    union
    select r.name
    from target t
    cross join refs r on r.project_id = t.project_id and r.name = t.branch)
  where substr(name, 1, length(:kind)) = :kind
)
select p.name, t.total, json_array(p.name is not null, 0, ifnull(p.name, '')) as listed
from (select count(*) as total from found) t
left join (select name from found where name > :after order by name limit :most offset :skip) p
order by p.name;
