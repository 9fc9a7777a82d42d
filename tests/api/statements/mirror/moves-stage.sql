-- Keeps a portion of changes, whose commits are known, until the last one comes.
-- Binds: ?1 project_id, ?2 portion, ?3 sync, ?4 json!(changes).to_string()
-- Rows in the small world: 0 given, 1 written

insert into staged_swaps (project_id, portion, sync, changes)
values (?1, ?2, ?3, ?4)
on conflict (project_id, portion) do update set sync = excluded.sync, changes = excluded.changes

-- Plan:
