-- The one that was just made.
-- Rows in the small world: 1 given, 0 written

select json_object('id', e.id, 'number', e.number, 'name', e.name, 'external_url', e.external_url, 'created_at',
  e.created_at, 'updated_at', e.updated_at, 'state', e.state, 'tier', e.tier, 'description', e.description) as v
from environments e
where changes() = 1 and e.id = last_insert_rowid()

-- Plan:
-- SEARCH e USING INTEGER PRIMARY KEY (rowid=?)
