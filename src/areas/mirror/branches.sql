-- Assigns commits to branches, a chunk at a time (branches.rs).

-- name: progress
-- The version of refs and branches, and the hash after which the scan continues (null without a scan).
select version, scan_after from mirrors where project_id = :project_id;

-- name: chunk
-- The newest commits of the queue and the newest that they reach, at most :size commits. The default branch is '', so
-- that it is the least. tip: the least of the branches that end at the commit. above: the least branch of its children
-- outside the chunk.
with project as materialized (
  select default_branch as main, 'refs/heads/' || default_branch as main_ref
  from projects
  where id = :project_id
), first as materialized (
  select commit_id, committed_at
  from branch_queue
  where project_id = :project_id
  order by committed_at desc
  limit :size
), area(id, at) as materialized (
  select commit_id, committed_at
  from first
  union
  select p.parent_id, p.parent_committed_at
  from area
  cross join parents p on p.child_id = area.id
  order by 2 desc
  limit :size
)
select c.id, c.committed_at, iif(c.branch = (select main from project), '', c.branch) as branch,
  exists (select 1 from branch_queue q where q.commit_id = c.id) as queued,
  iif(exists (select 1
    from refs r
    where r.project_id = :project_id and r.name = (select main_ref from project) and r.commit_id = c.id), '',
    (select substr(min(r.name), 12)
      from refs r
      where r.commit_id = c.id and r.name >= 'refs/heads/' and r.name < 'refs/heads0')) as tip,
  (select min(iif(k.branch = (select main from project), '', k.branch))
    from parents p
    cross join commits k on k.id = p.child_id
    where p.parent_id = c.id and p.child_id not in (select id from area)) as above,
  (select json_group_array(json_object('id', p.parent_id, 'committed_at', p.parent_committed_at))
    from parents p
    where p.child_id = c.id) as parents
from area
cross join commits c on c.id = area.id;

-- name: expect_version
-- Ends the batch if another request has moved refs or stored branches since.
insert into expectations (holds)
select exists (select 1 from mirrors where project_id = :project_id and version = :version);

-- name: unqueue
delete from branch_queue where commit_id in (select value from json_each(:commits));

-- name: count_moved
-- Updates the counts of the old and new branches before move_commits, because it reads the old ones.
insert into branch_counts (project_id, branch, commits)
select :project_id, branch, sum(more)
from (
  select iif(m.value ->> 'branch' = '', p.default_branch, m.value ->> 'branch') as branch, 1 as more
  from projects p
  cross join json_each(:moved) m
  where p.id = :project_id
  union all
  select c.branch, -1
  from json_each(:moved) m
  cross join commits c on c.id = m.value ->> 'id'
)
where branch is not null
group by branch
on conflict (project_id, branch) do update set commits = commits + excluded.commits;

-- name: move_commits
update commits
set branch = iif(m.value ->> 'branch' = '', p.default_branch, m.value ->> 'branch')
from json_each(:moved) m, projects p
where commits.id = m.value ->> 'id' and p.id = :project_id;

-- name: queue
insert into branch_queue (commit_id, project_id, committed_at)
select value ->> 'id', :project_id, value ->> 'committed_at'
from json_each(:commits)
where true
on conflict do nothing;

-- name: scan
-- Reads the next :size commits after the hash :after. Queues a commit if another branch ends at it, if a child belongs
-- to another branch, or if its branch does not end at it and no child belongs to its branch.
insert into branch_queue (commit_id, project_id, committed_at)
select c.id, c.project_id, c.committed_at
from (select * from commits where project_id = :project_id and sha > :after order by sha limit :size) c
where exists (select 1
  from refs r
  where r.commit_id = c.id and r.name >= 'refs/heads/' and r.name < 'refs/heads0'
    and substr(r.name, 12) is not c.branch)
  or exists (select 1
    from parents p
    join commits k on k.id = p.child_id
    where p.parent_id = c.id and k.branch is not null and k.branch is not c.branch)
  or (c.branch is not null
    and not exists (select 1
      from refs r
      where r.project_id = :project_id and r.name = 'refs/heads/' || c.branch and r.commit_id = c.id)
    and not exists (select 1
      from parents p
      join commits k on k.id = p.child_id
      where p.parent_id = c.id and k.branch = c.branch))
on conflict do nothing;

-- name: scanned_to
-- Sets the hash after which the next step starts.
update mirrors
set scan_after = (
  select sha
  from commits
  where project_id = :project_id and sha > :after
  order by sha
  limit 1 offset :size - 1)
where project_id = :project_id;
