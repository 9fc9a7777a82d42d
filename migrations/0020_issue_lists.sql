-- Lists of issues are ranges of indexes in the order of the list, each of one state and either confidential or not, and merged.
-- So nothing but the issue itself and its labels is written for a list.

drop trigger issue_postings_created;
drop trigger issue_postings_labeled;
drop trigger issue_postings_moved;
drop trigger issue_postings_left;
drop trigger issue_postings_entered;
drop trigger issue_persons_created;
drop trigger issue_persons_left;
drop trigger issue_persons_entered;
drop trigger issue_words_created;
drop trigger issue_words_left;
drop trigger issue_words_entered;
drop trigger issue_authors_created;
drop trigger issue_authors_changed;
drop trigger issue_labels_added;
drop trigger issue_labels_removed;
drop view issue_entries;
drop view issue_places;
drop view issue_persons;
drop view issue_word_entries;
drop table issue_postings;
drop table issue_words;
drop table issue_authors;
drop index issues_without_words;
alter table issues drop column words;
alter table issues drop column unlabeled;

-- Where an issue stands in lists: 0 opened, 1 closed, 2 opened and confidential, 3 closed and confidential, 4 deleted.
alter table issues add column section integer as (iif(deleted_at is null, 2 * confidential + (state = 'closed'), 4)) virtual;

-- The ranges of a project, of an author and an assignee in a project, and of a milestone.
create index issues_by_creation on issues (project_id, section, created_at, id);
create index issues_by_update on issues (project_id, section, updated_at, id);
create index issues_of_author on issues (author_id, project_id, section, created_at, id);
create index issues_of_assignee on issues (assignee_id, project_id, section, created_at, id) where assignee_id is not null;
drop index issues_of_milestone;
create index issues_of_milestone on issues (milestone_id, section, created_at, id) where milestone_id is not null;

-- Which issue bears which label, with what lists of the label go by: section and created_at of the issue. What inserts a row
-- copies them, and a trigger follows the issue.
create table kept_labels (issue_id integer, label_id integer) strict;
insert into kept_labels (issue_id, label_id) select issue_id, label_id from issue_labels;
drop table issue_labels;
create table issue_labels (
  issue_id integer not null references issues (id),
  label_id integer not null references labels (id),
  section integer not null,
  created_at integer not null,
  primary key (issue_id, label_id)
) strict, without rowid;
insert into issue_labels (issue_id, label_id, section, created_at)
select k.issue_id, k.label_id, i.section, i.created_at from kept_labels k cross join issues i on i.id = k.issue_id;
drop table kept_labels;
create index issue_labels_of_label on issue_labels (label_id, section, created_at, issue_id);
create trigger issue_labels_follow after update of state, confidential, deleted_at on issues when old.section <> new.section BEGIN
  update issue_labels set section = new.section where issue_id = new.id;
END;

-- The counters of labels.
create trigger issue_labels_added after insert on issue_labels BEGIN
  update labels set opened = opened + (new.section = 0), closed = closed + (new.section = 1),
    opened_hidden = opened_hidden + (new.section = 2), closed_hidden = closed_hidden + (new.section = 3)
  where id = new.label_id;
END;
create trigger issue_labels_removed after delete on issue_labels BEGIN
  update labels set opened = opened - (old.section = 0), closed = closed - (old.section = 1),
    opened_hidden = opened_hidden - (old.section = 2), closed_hidden = closed_hidden - (old.section = 3)
  where id = old.label_id;
END;
create trigger issue_labels_moved after update on issue_labels BEGIN
  update labels set opened = opened + (new.section = 0) - (old.section = 0), closed = closed + (new.section = 1) - (old.section = 1),
    opened_hidden = opened_hidden + (new.section = 2) - (old.section = 2),
    closed_hidden = closed_hidden + (new.section = 3) - (old.section = 3)
  where id = new.label_id;
END;

-- The counters of projects and milestones.
drop trigger issues_count_created;
drop trigger issues_count_created_milestone;
drop trigger issues_count_changed;
drop trigger issues_count_changed_milestone;
create trigger issues_count_created after insert on issues when new.section < 4 BEGIN
  update issue_counts set last_iid = max(last_iid, new.iid),
    opened = opened + (new.section = 0), closed = closed + (new.section = 1),
    opened_hidden = opened_hidden + (new.section = 2), closed_hidden = closed_hidden + (new.section = 3)
  where project_id = new.project_id;
END;
create trigger issues_count_changed after update of state, confidential, deleted_at on issues when old.section <> new.section BEGIN
  update issue_counts set opened = opened + (new.section = 0) - (old.section = 0), closed = closed + (new.section = 1) - (old.section = 1),
    opened_hidden = opened_hidden + (new.section = 2) - (old.section = 2),
    closed_hidden = closed_hidden + (new.section = 3) - (old.section = 3)
  where project_id = new.project_id;
END;
create trigger issues_count_planned after insert on issues when new.section < 4 and new.milestone_id is not null BEGIN
  update milestones set opened = opened + (new.section = 0), closed = closed + (new.section = 1),
    opened_hidden = opened_hidden + (new.section = 2), closed_hidden = closed_hidden + (new.section = 3)
  where id = new.milestone_id;
END;
create trigger issues_count_replanned after update of state, confidential, deleted_at, milestone_id on issues
when old.section <> new.section or old.milestone_id is not new.milestone_id BEGIN
  update milestones set opened = opened + (id is new.milestone_id and new.section = 0) - (id is old.milestone_id and old.section = 0),
    closed = closed + (id is new.milestone_id and new.section = 1) - (id is old.milestone_id and old.section = 1),
    opened_hidden = opened_hidden + (id is new.milestone_id and new.section = 2) - (id is old.milestone_id and old.section = 2),
    closed_hidden = closed_hidden + (id is new.milestone_id and new.section = 3) - (id is old.milestone_id and old.section = 3)
  where id in (old.milestone_id, new.milestone_id);
END;

-- The titles of the labels that an issue bears, for filters.
create view issue_titles as select b.issue_id, l.title from issue_labels b cross join labels l on l.id = b.label_id;

-- How long an issue is in a list, in bytes.
create view issue_lengths as
select i.id, coalesce(octet_length(i.description), 0) + 2000 + coalesce((select octet_length(m.description) from milestones m where m.id = i.milestone_id), 0) as bytes
from issues i;

-- Milestones with the due date of the open one before, so that the next one of a project is known for any day.
create view milestone_turns as
select m.id, m.title, m.state = 'active' as is_active, m.start_date, m.due_date, (select max(b.due_date) from milestones b
  where b.project_id = m.project_id and b.iid > 0 and b.state = 'active' and (b.due_date, b.id) < (m.due_date, m.id)) as due_before
from milestones m where m.iid > 0;

-- How many issues there are of each section.
create view project_totals as select project_id as id, json_array(opened, closed, opened_hidden, closed_hidden) as counts from issue_counts;
create view label_totals as select id, json_array(opened, closed, opened_hidden, closed_hidden) as counts from labels;
create view milestone_totals as select id, json_array(opened, closed, opened_hidden, closed_hidden) as counts from milestones;
