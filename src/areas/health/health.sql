-- name: state
-- Whether the migration :newest is applied, whether a person has a token, and which share of the ids of issues,
-- comments and commits the indexes of words have that are not whole, null if all are.
select exists (select 1 from d1_migrations where name = :newest) as is_migrated,
  exists (select 1 from tokens where kind = 'personal' and id > 0) as has_tokens,
  (select 100 - 100 * sum(below) / sum(ids)
    from (select below, (select min(id) from issues) as first, (select max(id) + 1 from issues) as ids
      from issue_index
      union all
      select below, (select min(id) from notes), (select max(id) + 1 from notes)
      from note_index
      union all
      select below, (select min(id) from commits), (select max(id) + 1 from commits)
      from commit_index)
    where first < below) as percent_indexed;
