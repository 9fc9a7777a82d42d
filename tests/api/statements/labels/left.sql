-- Are there deleted labels that are on issues yet?
-- Binds: ?1 project_id
-- Rows in the small world: 1 given, 0 written

select json(iif(exists (
  select 1
  from labels
  where project_id = (select ?1) and title >= ',' and title < '-'
), 'true', 'false')) as v

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH labels USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=? AND title>? AND title<?)
