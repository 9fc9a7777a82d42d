-- retention: projects left
-- Rows in the small world: 0 given, 0 written

select json_quote(project_id) as v
from project_remains
order by project_id
limit 1

-- Plan:
-- SCAN project_remains
