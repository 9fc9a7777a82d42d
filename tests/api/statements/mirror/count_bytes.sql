-- Counts the bytes of the commits that this batch brings.
-- Binds: ?1 project_id
-- Rows in the small world: 0 given, 2 written

update mirrors
set bytes = bytes + (
  select coalesce(sum(octet_length(c.message) + octet_length(c.author_name) + octet_length(c.author_email) + octet_length(c.committer_name) + octet_length(c.committer_email) + octet_length(c.parent_shas) + coalesce((
    select sum(coalesce(d.bytes, octet_length(d.text)))
    from diffs d
    where d.commit_id = c.id
  ), 0)), 0)
  from commits c
  where c.id > mirrors.before_batch
)
where project_id = (select ?1)

-- Plan:
-- SEARCH mirrors USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH c USING INTEGER PRIMARY KEY (rowid>?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH d USING PRIMARY KEY (commit_id=?)
