-- The diffs of the next commits, those of a hundred at most, up to the one that passes two million bytes: long ones
--   that lie here with their texts, of all others rows without.
-- Rows in the small world: 6 given, 0 written

select json_object('commit_id', cast(n.commit_id as text), 'part', d.part, 'key', (
  select store
  from object_sweeps
) || '/' || c.project_id || '/' || c.sha || '-', 'text', iif(n.size > 1024 and n.objects = 0, d.text, null)) as v
from (
  select *, sum(size) over (order by commit_id rows between unbounded preceding and 1 preceding) as before
  from (
    select commit_id, sum(octet_length(text)) as size, count(object) as objects
    from diffs
    where commit_id > (
      select moved
      from object_sweeps
    )
    group by commit_id
    order by commit_id
    limit 100
  )
) n
cross join diffs d
on d.commit_id = n.commit_id
cross join commits c
on c.id = n.commit_id
where n.before is null or n.before < 2000000
order by n.commit_id, d.part

-- Plan:
-- CO-ROUTINE n
--   CO-ROUTINE (subquery)
--     CO-ROUTINE (subquery)
--       SEARCH diffs USING PRIMARY KEY (commit_id>?)
--       SCALAR SUBQUERY
--         SCAN object_sweeps
--     SCAN (subquery)
--   SCAN (subquery)
-- SCAN n
-- SEARCH d USING PRIMARY KEY (commit_id=?)
-- SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SCAN object_sweeps
-- USE TEMP B-TREE FOR ORDER BY
