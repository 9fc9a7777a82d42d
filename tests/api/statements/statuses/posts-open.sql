-- The state of the unfinished status.
-- Binds: ?1.. self.key.binds()
-- Rows in the small world: 0 given, 0 written

select json_quote(o.state) as v
from (select ?1 as commit_id, ?2 as ref, ?3 as name, ?4 as user_id) t
cross join statuses o
on o.commit_id = t.commit_id and o.ref = t.ref and o.name = t.name
  and o.user_id = t.user_id and o.state in ('pending', 'running')

-- Plan:
-- CO-ROUTINE t
-- SCAN t
-- SEARCH o USING INDEX statuses_open (commit_id=? AND ref=? AND name=? AND user_id=?)
