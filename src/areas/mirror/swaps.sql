-- Moves refs. During the transaction the changes of a request are a row of staged_swaps with the number -1. If a sync
-- has more changes than one request takes, its earlier requests store chunks 0, 1, .. until the last request.

-- name: stage
insert into staged_swaps (project_id, portion, sync, changes)
values (:project_id, :portion, :sync, :changes)
on conflict (project_id, portion) do update set sync = excluded.sync, changes = excluded.changes;

-- name: expect_ends
-- Ends the batch if the new commit of a change does not exist.
insert into expectations (holds)
select not exists (select 1
  from staged_changes x
  left join commits c on c.project_id = x.project_id and c.sha = x.new
  where x.project_id = :project_id and x.portion = :portion and x.new is not null and c.id is null);

-- name: expect_staged
-- Ends the batch if an earlier chunk of the sync is missing.
insert into expectations (holds)
select :portions = (select count(*)
  from staged_swaps
  where project_id = :project_id and portion >= 0 and portion < :portions and sync = :sync);

-- name: expect_unmoved
-- Ends the batch if a ref is not at the commit where the hook saw it.
insert into expectations (holds)
select not exists (select 1
  from staged_changes x
  left join refs r on r.project_id = x.project_id and r.name = x.name
  left join commits c on c.id = r.commit_id
  where x.project_id = :project_id and x.portion = :portion and c.sha is not x.old);

-- name: count_version
-- Counts the version, so that other requests cannot store branches that they computed before.
insert into mirrors (project_id, version)
values (:project_id, 1)
on conflict (project_id) do update set version = version + 1;

-- name: set_default_branch
-- The branch that the hook sent, if it exists, or else main, master or the first one. A trigger starts a scan of all
-- commits and queues the tip of the new branch.
update projects
set default_branch = x.name
from (select iif(:default_branch is null, null,
  coalesce((select :default_branch
    from refs
    where project_id = :project_id and name = 'refs/heads/' || :default_branch),
    (select 'main' from refs where project_id = :project_id and name = 'refs/heads/main'),
    (select 'master' from refs where project_id = :project_id and name = 'refs/heads/master'),
    (select substr(name, 12)
      from refs
      where project_id = :project_id and name > 'refs/heads/' and name < 'refs/heads0'
      order by name
      limit 1), :default_branch)) as name) x
where id = :project_id and default_branch is not x.name;

-- name: queue_ends
-- Queues the old and new commits of branches.
insert into branch_queue (commit_id, project_id, committed_at)
select c.id, x.project_id, c.committed_at
from staged_changes x
cross join commits c on c.project_id = x.project_id and c.sha in (x.old, x.new)
where x.project_id = :project_id and x.portion = :portion and x.name >= 'refs/heads/' and x.name < 'refs/heads0'
on conflict do nothing;

-- name: delete_refs
delete from refs
where project_id = :project_id
  and name in (
    select x.name
    from staged_changes x
    where x.project_id = :project_id and x.portion = :portion and x.new is null);

-- name: move_refs
insert into refs (project_id, name, commit_id, tag_sha, message, commits, committed_at)
select x.project_id, x.name, c.id, x.tag_sha, x.message, nullif(x.commits, 0), c.committed_at
from staged_changes x
cross join commits c on c.project_id = x.project_id and c.sha = x.new
where x.project_id = :project_id and x.portion = :portion
on conflict (project_id, name) do update set commit_id = excluded.commit_id, tag_sha = excluded.tag_sha,
  message = excluded.message, commits = excluded.commits, committed_at = excluded.committed_at;

-- name: keep_tag_objects
-- Notes the commits of annotated tags, and of the tags inside a tag of a tag.
insert into tag_objects (project_id, sha, commit_id)
select x.project_id, t.value, c.id
from staged_changes x
cross join json_each(json_insert(x.inner_tags, '$[#]', x.tag_sha)) t
cross join commits c on c.project_id = x.project_id and c.sha = x.new
where x.project_id = :project_id and x.portion = :portion and x.tag_sha is not null
on conflict (project_id, sha) do update set commit_id = excluded.commit_id
where commit_id <> excluded.commit_id;

-- name: unstage
-- Deletes the changes of the request, and with :all also earlier chunks.
delete from staged_swaps where project_id = :project_id and (portion = -1 or :all);

-- name: scan_all
-- Starts a scan of all commits.
update mirrors set scan_after = '' where project_id = :project_id;
