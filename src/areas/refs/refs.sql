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

-- piece: key
project_id, name

-- piece: from_page
from page p
cross join ref_rows r on r.project_id = p.project_id and r.name = p.name

-- piece: page_of_refs(range, order)
-- The refs of the range that fit an answer.
with {page_where((select project_id, name
    from refs
    where project_id = (select project_id from scope) and {range}
    order by {order}
    {reached}), {order}, ref_lengths, {is_own({order})}, {key})}
select r.*, p.own as fits, p.is_full as ends
{from_page}
order by p.{order}

-- name: branches
-- scope: project
-- returns: v3::RefListRow*
-- The branches after the name :after.
{page_of_refs(name > :after and name < 'refs/heads0', name)};

-- name: tags
-- scope: project
-- returns: v3::RefListRow*
-- The tags before the name :before in descending order.
{page_of_refs(name > 'refs/tags/' and name < :before, name desc)};

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

-- piece: by_name(range, order, chosen)
select project_id, name
from (select *
  from refs
  where project_id = (select project_id from scope) and {range}
  order by {order}
  limit iif(:sort = {chosen}, :looks, 0))

-- piece: by_date(beyond, way, chosen)
select project_id, name
from (select *
  from refs indexed by refs_by_date
  where project_id = (select project_id from scope) and substr(name, 6, 1) = substr(:kind, 6, 1)
    and (committed_at, name) {beyond} (:at, :name)
  order by committed_at {way}, name {way}
  limit iif(:sort = {chosen}, :looks, 0))

-- name: matching
-- scope: project
-- returns: WalkRow<lists::ListedRow>*
-- Reads :looks refs of the kind :kind (names up to :end) after the date :at and the name :name in the order :sort,
-- which a LIMIT chooses, because SQLite would check a condition for each row. Skips :skip matches, and returns the next
-- :most and the last ref read. Ends early if texts are long. :search: JSON list of the parts of the name in lower case,
-- one after the other, with a line feed before the first to match the start of the name, or after the last to match the
-- end. The ref :exact is the first of the list, unless the page :follows another one.
with looked as (
  select project_id, name, row_number() over () as number, (is_exact or name is not :exact) and {ref_fits} as fits
  from (
    select project_id, name, 1 as is_exact
    from refs
    where project_id = (select project_id from scope) and name = iif(:follows, null, :exact)
    union all
    select project_id, name, 0
    from (
      {by_name(name > max(:kind, :name) and name < :end, name, 'name_asc')}
      union all
      {by_name(name > :kind and name < min(:name, :end), name desc, 'name_desc')}
      union all
      {by_date(>, asc, 'updated_asc')}
      union all
      {by_date(<, desc, 'updated_desc')}))
  limit :looks
), {page_looked(looked, ref_lengths, {key})}
select r.*, p.own and p.shown as fits, p.number = :looks or p.is_full as ends
{from_page}
order by p.number;

-- name: count
-- scope: project
-- returns: WalkTotal?
-- The number of matches. null if there are more than 1,000 or :looks have to be read.
select {fitting_total(number = :looks)}
from (
  select {ref_fits} as fits, row_number() over () as number
  from (
    select name
    from refs
    where project_id = (select project_id from scope) and name > :kind and name < :end
    order by name
    limit :looks));

-- name: by_version
-- scope: project
-- returns: WalkRow<lists::ListedRow>*
-- The matches among the last thousand refs of the kind :kind (names up to :end) by the numbers in their names: `1.9`
-- before `1.10`, and `1.9-rc` before `1.9`. The ref :exact is the first. The pages before have :passed matches: skips
-- :skip more, and returns the next :most with their places. No index has this order. The page ends early if its texts
-- have more than 3 MB.
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
), ordered as (
  select project_id, name, row_number() over (order by name is not :exact, iif(:descends, -1, 1) * ascending) as number
  from (
    select project_id, name,
      row_number() over (order by cast(version as integer), cast(rest as integer), cast(last as integer),
        instr(version, '-') = 0, name) as ascending
    from versions)
), {page_where((select * from ordered order by number {reached_after(:passed)}), number, ref_lengths, {is_own(number)},
  {key})}
select r.*, p.number as place, p.own as fits, p.is_full as ends
{from_page}
order by p.number;

-- name: containing
-- scope: project
-- returns: v4::Name*
-- The refs that contain the commit with the name :name. These are the first 10,000 refs at its 5,000 nearest
-- descendants, and the branch that it belongs to. Only names that start with :kind and come after :after, and the total
-- of all. Past the end a row without a name.
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
select p.name, t.total
from (select count(*) as total from found) t
left join (select name from found where name > :after order by name limit :most offset :skip) p
order by p.name;
