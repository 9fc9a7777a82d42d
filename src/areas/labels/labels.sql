-- A label that is being deleted has a comma and its id as its title, because no name has a comma. The view label_rows
-- omits it.

-- piece: is_followed
-- Whether the caller follows the label l.
exists (select 1 from label_subscriptions b where b.label_id = l.id and b.user_id = (select user_id from scope))

-- piece: label_columns
id, project_id, title, color, description, priority, opened, closed, opened_hidden, closed_hidden

-- piece: own_of(person)
select *
from (select i.id
  from scope s
  cross join issues i on i.{person} = s.user_id and i.project_id = s.project_id and i.section in (2, 3)
  where not s.reads_confidential
  limit 1000)

-- piece: is_hidden
project_id = :project_id and title >= ',' and title < '-'

-- list: list
-- scope: project
-- shows: LabelRow
-- order: l.title text
-- total: 1000
select l.*, {is_followed} as subscribed
from label_rows l
where l.project_id = (select project_id from scope) and {after};

-- list: search
-- scope: project
-- shows: LabelRow
-- order: l.title text
-- filters: words
-- The labels whose titles contain :words.
select l.*, {is_followed} as subscribed, {has_text(l.title, :words)} as fits
from label_rows l
where l.project_id = (select project_id from scope) and {after};

-- name: one
-- scope: project
-- returns: LabelRow?
-- The label of this project with the id :id, or else the title :title.
select l.*, {is_followed} as subscribed
from label_rows l
where l.id = coalesce(
  (select id from label_rows where id = :id and project_id = (select project_id from scope)),
  (select id from label_rows where title = :title and project_id = (select project_id from scope)));

-- name: own_confidential
-- scope: project
-- returns: OwnConfidential*
-- For a caller who does not see all confidential issues: how many open and closed ones of their own have each label. Of
-- those that they wrote or are assigned to it counts a thousand.
select b.label_id, sum(b.section = 2) as opened, sum(b.section = 3) as closed
from (
  {own_of(author_id)}
  union
  {own_of(assignee_id)}) o
cross join issue_labels b on b.issue_id = o.id
group by b.label_id
order by b.label_id;

-- name: titled
-- returns: LabelRow*
-- The labels of :named, JSON [{project_id, title}, ..].
select l.*
from json_each(:named) n
cross join label_rows l on l.project_id = n.value ->> 'project_id' and l.title = n.value ->> 'title';

-- name: create
-- returns: LabelRow?
-- No row if the title is taken.
insert into labels (project_id, title, color, description, priority, created_at)
values (:project_id, :title, :color, :description, :priority, :now)
on conflict do nothing
returning {label_columns};

-- name: update
-- returns: LabelRow?
-- No row if the label was deleted or, with :as_seen, if it has changed since it was read.
update labels
set title = coalesce(:title, title), color = coalesce(:color, color),
  description = iif(:keeps_description, description, :description), priority = iif(:keeps_priority, priority, :priority)
where id = (select id from label_rows where id = :id)
  and (not :as_seen
    or (title = :title_was and color = :color_was and description is :description_was and priority is :priority_was))
returning {label_columns};

-- name: subscribe
-- No row if the user follows the label already.
insert into label_subscriptions (label_id, user_id)
select id, :user_id
from label_rows
where id = :label_id
on conflict do nothing
returning label_id;

-- name: unsubscribe
-- No row if the user does not follow the label.
delete from label_subscriptions where label_id = :label_id and user_id = :user_id returning label_id;

-- name: hide
-- No read shows the label from now on, and another label may have its name.
update labels set title = ',' || id where id = :id;

-- name: take_off
-- Removes a deleted label from some of its issues.
delete from issue_labels
where (issue_id, label_id) in (select issue_id, label_id
  from issue_labels
  where label_id = (select id from labels where {is_hidden} order by title limit 1)
  limit :most);

-- name: unsubscribe_all
-- Some users stop following deleted labels.
delete from label_subscriptions
where (label_id, user_id) in (select b.label_id, b.user_id
  from labels l
  cross join label_subscriptions b on b.label_id = l.id
  where {is_hidden}
  limit 1000);

-- name: remove_hidden
-- Removes the deleted labels that no issue has any more and nobody follows.
delete from labels
where {is_hidden} and not exists (select 1 from issue_labels b where b.label_id = labels.id)
  and not exists (select 1 from label_subscriptions b where b.label_id = labels.id);

-- name: is_hidden_left
-- A row if there are deleted labels that issues still have.
select id from labels where {is_hidden} limit 1;
