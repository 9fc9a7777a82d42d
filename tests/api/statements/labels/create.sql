-- labels: create
-- Binds: ?1 project_id, ?2 name, ?3 color, ?4 description, ?5 now
-- Rows in the small world: 1 given, 1 written

insert into labels (project_id, title, color, description, created_at)
values (?1, ?2, ?3, ?4, ?5)
on conflict do nothing
returning json_array(id, title, color, description, opened, closed, opened_hidden, closed_hidden) as v

-- Plan:
-- SEARCH issue_labels USING COVERING INDEX issue_labels_of_label (label_id=?)
