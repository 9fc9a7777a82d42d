-- Is the walk at its end?
-- Rows in the small world: 1 given, 0 written

select json(iif(after = upto, 'true', 'false')) as v
from sweeps
where what = 'statuses'

-- Plan:
-- SEARCH sweeps USING PRIMARY KEY (what=?)
