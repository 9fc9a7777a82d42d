-- Writes to the first part of each diff where it lies now: commit, part, paths, object, bytes, digest. Not if it was
--   forgotten or moved meanwhile.
-- Binds: ?1 names.as_str()
-- Rows in the small world: 0 given, 1 written

update diffs
set text = m.value ->> 2, object = m.value ->> 3, bytes = m.value ->> 4, digest = m.value ->> 5
from json_each(?1) m
where diffs.commit_id = m.value ->> 0 and diffs.part = m.value ->> 1
  and diffs.object is null

-- Plan:
-- SCAN m VIRTUAL TABLE INDEX 1:
-- SEARCH diffs USING PRIMARY KEY (commit_id=? AND part=?)
