-- The next walk begins anew: what was the newest may be so no more.
-- Rows in the small world: 0 given, 1 written

update sweeps
set after = iif(after = upto, 0, upto)
where what = 'statuses'

-- Plan:
-- SEARCH sweeps USING PRIMARY KEY (what=?)
