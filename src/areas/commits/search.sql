-- Commits found by a text (search.rs).

-- piece: looked
-- The commits with the words :asked, and those with the text :text of 1,000 that are not indexed yet. No token is `_`.
select *
from (select rowid as id, 0 as is_read
  from commit_words
  where commit_words match ifnull((select replace(:asked, '#', {word_key(project_id, 0)}) from scope), '_')
  limit 10000)
union
select *
from (select c.id, 1
  from (select u.commit_id
    from scope s
    cross join unindexed_commits u on u.project_id = s.project_id and u.class = 0
    limit 1000) u
  cross join commits c on c.id = u.commit_id
  where {has_begun({searched(c.message)}, :text)})

-- piece: of_branch
-- Of `looked` those of the default branch. :inexact: as :text if the index finds more than the search does, else null.
select c.id, c.committed_at + c.lift as at,
  l.is_read or :inexact is null or {has_begun({searched(c.message)}, :inexact)} as fits
from looked l
cross join commits c on c.id = l.id
where c.branch = (select default_branch from scope)

-- list: found
-- scope: project
-- shows: FoundRow of commit_documents
-- weighs: commit_lengths
-- order: at desc, id desc
-- filters: inexact
-- looks: 1000
-- total: none
-- The newest first. They are right only if `is_known` of `known` is true, which has their number.
with looked as ({looked})
select id, at, fits
from ({of_branch})
where {after};

-- name: known
-- scope: project
-- returns: Known?
-- The number of commits in `found`, null if more than :most are to be counted. is_known: whether `found` has all
-- commits of :name: it is the default branch, the branches of all commits are known, the index is complete but for
-- 1,000 commits, and it finds fewer than 10,000.
with looked as materialized ({looked})
select (:name is null or :name is s.default_branch) and {are_on_branches(s.project_id)}
    and not exists (select 1 from commit_index p cross join commits c on c.id < p.below)
    and (select count(*)
      from (select 1 from unindexed_commits where project_id = s.project_id and class = 0 limit 1001)) < 1001
    and (select total(not is_read) from looked) < 10000 as is_known,
  n.counted, iif(n.counted > :most, null, n.total) as total
from scope s
cross join (select count(*) as counted, ifnull(sum(fits), 0) as total
  from (select fits from ({of_branch}) limit (select :most + 1))) n;
