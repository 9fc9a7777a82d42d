-- labels: update
-- Binds: ?1 id, ?2 name, ?3 color, ?4 !description.is_keep(), ?5 text
-- Rows in the small world: 1 given, 1 written

update labels
set title = coalesce(?2, title), color = coalesce(?3, color), description = case when ?4 then ?5 else description end
where id = (select ?1)
returning json_array(id, title, color, description, opened, closed, opened_hidden, closed_hidden) as v

-- Plan:
-- SEARCH labels USING INTEGER PRIMARY KEY (rowid=?)
