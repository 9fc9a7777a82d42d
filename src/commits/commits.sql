-- Commits of a project's repository mirror. Which commit a name is: the view commit_names.

-- name: one?
-- The commit that :name names, and how many of its newest statuses are in each state.
select c.*, (select json_object('pending', sum(n.pending), 'running', sum(n.running), 'success', sum(n.success), 'failed', sum(n.failed),
  'canceled', sum(n.canceled)) from status_counts n where n.commit_id = c.id having count(*) > 0) as counts
from scope s cross join commit_names n on n.project_id = s.project_id and n.name = json_array(:name) cross join commits c on c.id = n.commit_id

-- name: diff?
-- The finished diff of the commit that :name names: part 0, or parts from 1 where it is long, or the object that it lies in. No row:
-- no such commit, or none that has its diff yet. No `order by`: it would read every part once more.
select d.part, iif(d.object is null, d.text, d.digest) as text, d.bytes,
  (select w.store || '/' || c.project_id || '/' || c.sha || '-' || d.object from object_sweeps w cross join commits c
    where c.id = d.commit_id and d.object is not null) as key
from scope s cross join commit_names n on n.project_id = s.project_id and n.name = json_array(:name) cross join diffs d on d.commit_id = n.commit_id

-- name: reached?
-- How many commits the commit that :name names reaches, itself included: what the hook counted where it is the tip of a ref, else a
-- walk of 10,001 at most. :last_parent: the position of the last parent that is followed.
select coalesce(
  (select r.commits from refs r where r.commit_id = n.commit_id and r.commits is not null and :last_parent > 0 limit 1),
  (with down (id) as (
    select n.commit_id union select p.parent_id from down cross join parents p on p.child_id = down.id and p.position <= :last_parent
    limit 10001) select count(*) from down)) as count
from scope s cross join commit_names n on n.project_id = s.project_id and n.name = json_array(:name) where n.commit_id is not null
