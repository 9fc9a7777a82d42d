-- milestones: update
-- Binds: ?1 id, ?2 edit.title.set().map(|title| title.trim()), ?3 !edit.description.is_keep(), ?4
--   text(&edit.description), ?5 !edit.due_date.is_keep(), ?6 text(&edit.due_date), ?7 state, ?8 now, ?9
--   !edit.start_date.is_keep(), ?10 text(&edit.start_date)
-- Rows in the small world: 1 given, 1 written

update milestones
set title = coalesce(?2, title), description = case when ?3 then ?4 else description end, due_date = case when ?5 then ?6 else due_date end,
  state = coalesce(?7, state), updated_at = ?8, start_date = case when ?9 then ?10 else start_date end
where id = (select ?1)
returning json_array(id, iid, project_id, title, description, state, due_date, start_date, created_at, updated_at) as v

-- Plan:
-- SEARCH milestones USING INTEGER PRIMARY KEY (rowid=?)
