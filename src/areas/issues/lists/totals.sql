-- name: of_project
-- scope: project
-- The total of a list of a whole project. null: the caller has more than a thousand confidential issues of their own,
-- and sees no others.
select iif(instr(:sections, '0'), c.opened, 0) + iif(instr(:sections, '1'), c.closed, 0)
  + iif(s.reads_confidential, iif(instr(:sections, '2'), c.opened_hidden, 0)
    + iif(instr(:sections, '3'), c.closed_hidden, 0), 0)
  + iif(s.reads_confidential, 0,
    (select iif(count(*) > 1000, null, count(*))
      from (
        select *
        from (
          select x.id
          from issues x
          where x.author_id = s.user_id and x.project_id = s.project_id and x.section in (2, 3)
            and instr(:sections, x.section)
          limit (select 1001))
        union all
        select *
        from (
          select x.id
          from issues x
          where x.assignee_id = s.user_id and x.project_id = s.project_id and x.section in (2, 3)
            and instr(:sections, x.section) and x.author_id <> s.user_id
          limit (select 1001))))) as total,
  0 as looked
from scope s
cross join issue_counts c on c.project_id = s.project_id
where s.issues_enabled;

-- name: milestone
-- scope: project
-- A row if the project has the milestone.
select m.id
from milestones m
where m.id = :milestone_id and m.project_id = (select project_id from scope) and m.iid > 0;
