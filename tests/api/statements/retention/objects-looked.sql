-- How keys begin, and the one up to which the sweep looked through the object store.
-- Rows in the small world: 1 given, 0 written

select json_array(store || '/', after) as v
from object_sweeps

-- Plan:
-- SCAN object_sweeps
