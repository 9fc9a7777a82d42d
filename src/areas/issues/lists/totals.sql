-- name: of_project
-- scope: project
-- The total of a list of a whole project.
select iif(instr(:sections, '0'), c.opened, 0) + iif(instr(:sections, '1'), c.closed, 0)
  + iif(s.reads_confidential, iif(instr(:sections, '2'), c.opened_hidden, 0)
    + iif(instr(:sections, '3'), c.closed_hidden, 0), 0)
  + iif(s.reads_confidential, 0,
    (select count(*)
      from issues i
      where instr(:sections, i.section)
        and i.id in (
          select x.id
          from issues x
          where x.author_id = s.user_id and x.project_id = s.project_id and x.section in (2, 3)
          union all
          select x.id
          from issues x
          where x.assignee_id = s.user_id and x.project_id = s.project_id and x.section in (2, 3)))) as total,
  0 as looked
from scope s
cross join issue_counts c on c.project_id = s.project_id
where s.issues_enabled

-- name: milestone
-- scope: project
-- A row if the project has the milestone.
select m.id from milestones m where m.id = :milestone_id and m.project_id = (select project_id from scope) and m.iid > 0
