-- What lists compare. In the tables these columns lie behind a description of up to 900 kB, and SQLite reads all of it to reach them.
create index issues_narrow on issues (id, project_id, iid, author_id, assignee_id, milestone_id, due_date, created_at, updated_at,
  closed_by_id, section);
create index milestones_narrow on milestones (id, iid, project_id, state, start_date, due_date);
drop view milestone_turns;
create view milestone_turns as
select m.id, (select t.title from milestones t where t.id = m.id) as title, m.state = 'active' as is_active, m.start_date, m.due_date,
  (select max(b.due_date) from milestones b
  where b.project_id = m.project_id and b.iid > 0 and b.state = 'active' and (b.due_date, b.id) < (m.due_date, m.id)) as due_before
from milestones m indexed by milestones_narrow where m.iid > 0;
