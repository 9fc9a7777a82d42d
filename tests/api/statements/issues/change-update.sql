-- Writes what was given of an issue; the rest stays.
-- Binds: ?1 self.row.id, ?2 self.updated_at.unwrap_or(self.now), ?3 edit.title.set().map(String::as_str), ?4
--   flag(edit.description.is_keep()), ?5 edit.description.set().map(String::as_str), ?6
--   edit.confidential.set().copied(), ?7 flag(edit.assignee_id.is_keep()), ?8 edit.assignee_id.set().copied(), ?9
--   flag(edit.milestone_id.is_keep()), ?10 edit.milestone_id.set().copied(), ?11 flag(edit.due_date.is_keep()), ?12
--   edit.due_date.set().map(String::as_str), ?13 self.state, ?14 self.user_id, ?15 edit.discussion_locked, ?16
--   words::column(self.title(), self.description()).to_string()
-- Rows in the small world: 0 given, 138 written

update issues
set updated_at = ?2, title = coalesce(?3, title), description = case when ?4 then ?5 else description end, confidential = coalesce(?6,
  confidential), assignee_id = case when ?7 then ?8 else assignee_id end, milestone_id = case when ?9 then ?10 else milestone_id end,
  due_date = case when ?11 then ?12 else due_date end, state = coalesce(?13, state), closed_at = iif(coalesce(?13,
  state) = state, closed_at, iif(?13 = 'closed', ?2, null)), closed_by_id = iif(coalesce(?13, state) = state, closed_by_id,
  iif(?13 = 'closed', ?14, null)), discussion_locked = coalesce(?15, discussion_locked), words = case when words is null then ?16 else json_object('d',
  json(iif(?4, ?16, words) -> '$.d'), 't', json(iif(?3 is null, words, ?16) -> '$.t')) end
where id = (select ?1) and deleted_at is null

-- Plan:
-- SEARCH issues USING INTEGER PRIMARY KEY (rowid=?)
