-- deployments: environments changed
-- Binds: ?1 id
-- Rows in the small world: 1 given, 0 written

select json_object('id', e.id, 'number', e.number, 'name', e.name, 'external_url', e.external_url, 'created_at',
  e.created_at, 'updated_at', e.updated_at, 'state', e.state, 'tier', e.tier, 'description', e.description) as v
from environments e
where e.id = (select ?1)

-- Plan:
-- SEARCH e USING INTEGER PRIMARY KEY (rowid=?)
