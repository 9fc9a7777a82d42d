-- Makes the labels `?2` that the project does not have yet.
-- Binds: ?1 self.row.project_id, ?2 on.as_str(), ?3 self.now
-- Rows in the small world: 0 given, 0 written

insert into labels (project_id, title, color, created_at)
select ?1, value, '#428BCA', ?3
from json_each(?2)
where true
on conflict do nothing

-- Plan:
-- SCAN json_each VIRTUAL TABLE INDEX 1:
-- SEARCH issue_labels USING COVERING INDEX issue_labels_of_label (label_id=?)
