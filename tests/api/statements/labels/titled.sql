-- The labels `?1`, `[[project, title], ..]`, each behind its project.
-- Binds: ?1 named
-- Rows in the small world: 0 given, 0 written

select json_array(project_id, json(json_array(id, title, color, description, opened, closed, opened_hidden, closed_hidden))) as v
from (
  select l.*
  from json_each(?1) named
  cross join labels l
  on l.project_id = named.value ->> 0 and l.title = named.value ->> 1
)

-- Plan:
-- SCAN named VIRTUAL TABLE INDEX 1:
-- SEARCH l USING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?)
