-- What a person wrote and what is assigned to them, as lists in the orders of all issue lists: in one project, as each
-- viewer of it sees them, and of what is assigned in all projects. These are postings of kind 2, the person in owner_id, and
-- in label_id, where the numbers of labels are positive, -2: assigned to them anywhere, -3: written by them, -4: assigned to
-- them. Of the last two milestone_id is the project.

create view issue_persons as
select i.id as issue_id, i.project_id, 2 as kind, iif(k.role = -3, i.author_id, i.assignee_id) as owner_id,
  k.role as label_id, iif(k.role = -2, 0, i.project_id) as milestone_id,
  iif(k.viewer = 1, i.author_id, iif(k.viewer = 2, i.assignee_id, iif(k.role = -2, 0, -i.confidential))) as viewer_id,
  i.state = 'closed' as closed, o.updated, iif(o.updated, i.updated_at, i.created_at) as at
from issues i
cross join (select column1 as role, column2 as viewer
  from (values (-2, 0), (-3, 0), (-3, 1), (-3, 2), (-4, 0), (-4, 1), (-4, 2))) k
cross join (select 0 as updated union all select 1) o
where i.deleted_at is null and (k.role = -3 or i.assignee_id is not null)
  and (k.viewer = 0 or (i.confidential and (k.viewer = 1 or i.assignee_id <> i.author_id)));

-- the triggers of 0002 move, take off and put on whatever stands here
drop view issue_entries;
create view issue_entries as
select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id from issue_places
union all
select p.kind, p.owner_id, l.label_id, p.milestone_id, p.viewer_id, p.closed, p.updated, p.at, p.issue_id, p.project_id
from issue_labels l cross join issue_places p on p.issue_id = l.issue_id where p.kind <> 1
union all
select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id from issue_persons;

create trigger issue_persons_created after insert on issues when new.deleted_at is null BEGIN
  insert into issue_postings (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id)
  select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id
  from issue_persons where issue_id = new.id;
END;
-- an issue that everyone sees changes hands: its other postings stay
create trigger issue_persons_left before update of assignee_id on issues
when old.assignee_id is not new.assignee_id and old.milestone_id is new.milestone_id and not old.confidential
  and not new.confidential and old.deleted_at is null and new.deleted_at is null BEGIN
  delete from issue_postings
  where (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id) in (
    select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id
    from issue_persons where issue_id = old.id and label_id <> -3);
END;
create trigger issue_persons_entered after update of assignee_id on issues
when old.assignee_id is not new.assignee_id and old.milestone_id is new.milestone_id and not old.confidential
  and not new.confidential and old.deleted_at is null and new.deleted_at is null BEGIN
  insert into issue_postings (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id)
  select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id
  from issue_persons where issue_id = new.id and label_id <> -3;
END;

insert into issue_postings (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id)
select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id from issue_persons;

-- archived projects are passed over in the lists of their namespace where these are asked to
create index projects_archived on projects (namespace_id) where archived and deleted_at is null;
-- the next milestone that is due
create index milestones_by_due_date on milestones (project_id, due_date, id) where state = 'active' and due_date is not null;
