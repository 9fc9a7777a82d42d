-- Labels of a project. A label that is being deleted has a comma and its id as its title: no label's name holds a comma.
-- The view label_rows leaves these out.

-- name: list?
-- The labels of the project whose titles come behind :after.
select l.* from label_rows l where l.project_id = (select project_id from scope) and l.title > :after
order by l.title limit :most offset :skip

-- name: search?
-- The same of those whose titles hold :text, in lower case, among the first 5000 behind :after.
select l.* from (select * from label_rows where project_id = (select project_id from scope) and title > :after order by title limit 5000) l
where instr(lower(l.title), :text) limit :most offset :skip

-- name: one?
-- The label of this project with the id :id, or else the title :title.
select l.* from label_rows l where l.id = coalesce(
  (select id from label_rows where id = :id and project_id = (select project_id from scope)),
  (select id from label_rows where title = :title and project_id = (select project_id from scope)))

-- name: titled
-- The labels that :named names, JSON [[project, title], ..].
select l.* from json_each(:named) n cross join label_rows l on l.project_id = n.value ->> 0 and l.title = n.value ->> 1

-- name: create
-- No row: there is one of that title.
insert into labels (project_id, title, color, description, created_at) values (:project_id, :title, :color, :description, :now)
on conflict do nothing
returning id, project_id, title, color, description, opened, closed, opened_hidden, closed_hidden

-- name: update
update labels set title = coalesce(:title, title), color = coalesce(:color, color),
  description = iif(:keeps_description, description, :description)
where id = :id
returning id, project_id, title, color, description, opened, closed, opened_hidden, closed_hidden

-- name: hide
-- From then on no read shows it, and another label may have its name.
update labels set title = ',' || id where id = :id

-- name: take_off
-- Takes a deleted label off some of the issues that bear it.
delete from issue_labels where (issue_id, label_id) in (select issue_id, label_id from issue_labels where label_id = (
  select id from labels where project_id = :project_id and title >= ',' and title < '-' order by title limit 1) limit :most)

-- name: remove_hidden
-- The deleted labels that no issue bears any more.
delete from labels where project_id = :project_id and title >= ',' and title < '-'
  and not exists (select 1 from issue_labels b where b.label_id = labels.id)

-- name: is_hidden_left
-- A row if there are deleted labels that issues bear yet.
select id from labels where project_id = :project_id and title >= ',' and title < '-' limit 1
