-- name: state
-- Whether the migration :newest is applied, whether a person has a token, and which share of the ids of issues the
-- index of words has, null if it has all.
select exists (select 1 from d1_migrations where name = :newest) as is_migrated,
  exists (select 1 from tokens where kind = 'personal' and id > 0) as has_tokens,
  (select 100 - 100 * below / (select max(id) + 1 from issues) from issue_index where not {is_index_whole})
    as percent_indexed;
