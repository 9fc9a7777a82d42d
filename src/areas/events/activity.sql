-- Events for the lists of section 14.7 of docs/behaviour.md that no trigger can write, because it does not know who
-- acts, or when.

-- name: milestone
-- The milestone :id, or the newest of the project, which the batch has made.
insert into events (project_id, author_id, kind, action, target_id, detail, created_at)
select m.project_id, :user_id, 'milestone', :action, m.id, json_object('iid', m.iid, 'title', m.title), :now
from milestones m
where m.id = coalesce(:id, (select max(id) from milestones where project_id = :project_id)) and m.iid > 0;

-- name: left
-- The event that a user leaves the project. Runs before they do.
insert into events (project_id, author_id, kind, action, created_at)
select project_id, user_id, 'member', 'left', :now
from project_members
where user_id = :user_id and project_id = :project_id;

-- name: pushed
-- :pushes: JSON list of what moved. The title is the first line of the commit, 70 letters of it.
insert into events (project_id, author_id, kind, action, detail, created_at)
select :project_id, :user_id, 'push', 'pushed',
  json_object('commit_count', p.value ->> 'commit_count', 'action', p.value ->> 'action', 'ref_type',
    p.value ->> 'ref_type', 'commit_from', p.value ->> 'commit_from', 'commit_to', p.value ->> 'commit_to', 'ref',
    p.value ->> 'ref', 'commit_title',
    (select substr(c.message, 1, min(70, instr(c.message || char(10), char(10)) - 1))
      from commits c
      where c.project_id = :project_id and c.sha = p.value ->> 'commit_to'), 'ref_count', p.value ->> 'ref_count'), :now
from json_each(:pushes) p
order by p.key;
