-- The one that was just made.
-- Rows in the small world: 1 given, 0 written

select json_array(e.id, e.number, e.name, e.external_url, e.created_at, e.updated_at, e.state, e.tier, e.description) as v
from environments e
where changes() = 1 and e.id = last_insert_rowid()

-- Plan:
-- SEARCH e USING INTEGER PRIMARY KEY (rowid=?)
