-- Commits of a repository mirror. The view commit_names finds the commit of a name.

-- piece: builds
-- The newest pipeline of the commit c, and the number of its newest statuses in each state.
(select p.document from pipeline_documents p where p.commit_id = c.id order by p.id desc limit 1) as last_pipeline,
  (select json_object('pending', sum(n.pending), 'running', sum(n.running), 'success', sum(n.success), 'failed',
    sum(n.failed), 'canceled', sum(n.canceled))
    from status_counts n
    where n.commit_id = c.id
    having count(*) > 0) as counts

-- name: one
-- scope: project
-- The commit of the name :name, or else of :plain_name, with its builds.
select c.*, {builds}
from scope s
cross join commits c on c.id = coalesce({id_of_commit(:name)}, {id_of_commit(:plain_name)});

-- name: built
-- The builds of the commits :shas, JSON.
select c.sha, {builds}
from json_each(:shas) j
cross join commits c on c.project_id = :project_id and c.sha = j.value;

-- name: diff
-- scope: project
-- The diff of the commit with the name :name. It is part 0, or parts from 1 if it is long, or the key of its object. No
-- row if the commit does not exist or has no diff yet. No `order by`: it would read every part once more.
select d.part, iif(d.object is null, d.text, d.digest) as text, d.bytes,
  (select coalesce(d.store, w.store) || '/' || c.project_id || '/' || c.sha || '-' || d.object
    from object_sweeps w
    cross join commits c
    where c.id = d.commit_id and d.object is not null) as key
from {commit_named(:name)}
cross join diffs d on d.commit_id = n.commit_id;

-- name: reached
-- scope: project
-- The number of commits that the commit :name reaches, including itself. The tip of a ref has the hook's count. Other
-- commits need a walk of at most 10,001 commits. :last_parent: the position of the last parent to follow.
select coalesce((select r.commits
  from (select commits from refs where commit_id = n.commit_id limit 1000) r
  where r.commits is not null and :last_parent > 0
  limit 1),
  (with down (id) as (
    select n.commit_id
    union
    select p.parent_id
    from down
    cross join parents p on p.child_id = down.id and p.position <= :last_parent
    limit 10001
  )
    select count(*)
    from down)) as count
from {commit_named(:name)}
where n.commit_id is not null;
