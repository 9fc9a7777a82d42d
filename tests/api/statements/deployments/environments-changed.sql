-- deployments: environments changed
-- Binds: ?1 id
-- Rows in the small world: 1 given, 0 written

select json_array(e.id, e.number, e.name, e.external_url, e.created_at, e.updated_at, e.state, e.tier, e.description) as v
from environments e
where e.id = (select ?1)

-- Plan:
-- SEARCH e USING INTEGER PRIMARY KEY (rowid=?)
