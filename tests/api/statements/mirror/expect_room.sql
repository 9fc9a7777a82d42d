-- If there are new commits, the bytes of the project are no more than `?2`, and of all no more than `?3`; 0: any
--   number.
-- Binds: ?1 project_id, ?2 quotas.project_bytes, ?3 quotas.instance_bytes
-- Rows in the small world: 0 given, 0 written

insert into expectations (holds)
select (?2 = 0 or m.bytes <= ?2) and (?3 = 0 or s.bytes <= ?3)
from mirrors m
cross join stored s
where m.project_id = (select ?1) and exists (
  select 1
  from commits c
  where c.id > m.before_batch
)

-- Plan:
-- SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH c EXISTS USING INTEGER PRIMARY KEY (rowid>?)
-- SCAN s
