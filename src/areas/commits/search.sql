-- Commits found by a text (search.rs).

-- piece: asked
-- The query of the index of words. No token is `_`.
ifnull((select replace(:asked, '#', {word_key(project_id, 0)}) from scope), '_')

-- list: found
-- scope: project
-- shows: FoundRow of commit_documents
-- weighs: commit_lengths
-- order: at desc, id desc
-- filters: inexact
-- looks: 1000
-- total: 10000
-- The commits of the default branch with the words :asked, the newest first. It reads the messages of 1,000 that are
-- not indexed yet. :text: a list with the pattern of the text. :inexact: the same if the index finds more than the
-- search does, else null. It is right only if `is_known` is true.
with looked as (
  select *
  from (select rowid as id, 0 as is_read from commit_words where commit_words match {asked} limit 10000)
  union
  select *
  from (select c.id, 1
    from (select u.commit_id
      from scope s
      cross join unindexed_commits u on u.project_id = s.project_id and u.class = 0
      limit 1000) u
    cross join commits c on c.id = u.commit_id
    where {has_begun({searched(c.message)}, :text)})
)
select id, at, fits
from (select c.id, c.committed_at + c.lift as at,
    l.is_read or :inexact is null or {has_begun({searched(c.message)}, :inexact)} as fits
  from looked l
  cross join commits c on c.id = l.id
  where c.branch = (select default_branch from scope))
where {after};

-- name: is_known
-- scope: project
-- returns: bool?
-- Whether `found` has all commits of :name: it is the default branch, the branches of all commits are known, the index
-- is complete but for 1,000 commits, and it finds fewer than 10,000.
select (:name is null or :name = s.default_branch) and {are_on_branches(s.project_id)}
  and not exists (select 1 from commit_index p cross join commits c on c.id < p.below)
  and (select count(*)
    from (select 1 from unindexed_commits where project_id = s.project_id and class = 0 limit 1001)) < 1001
  and (select count(*) from (select 1 from commit_words where commit_words match {asked} limit 10000)) < 10000
  as is_known
from scope s;
