-- Reads the index for the hook, and stores and forgets commits.

-- piece: lacking_commits
-- Of the JSON list `value` those that are new or forgotten.
commits c on c.project_id = :project_id and c.sha = value ->> 'commit'
  and (c.id > (select before_batch from mirrors where project_id = :project_id)
    or exists (select 1 from forgotten_commits f where f.commit_id = c.id))

-- name: state
-- scope: project
-- returns: State?
-- pending: some commits are not assigned to branches yet. bytes: of the project. forgotten: at most a thousand hashes.
-- unreferenced: at most a thousand commits with objects at which no ref ends, and commits whose objects a sync has only
-- begun to send. contents: the extent of the last sync that sent objects.
select not ({are_on_branches(s.project_id)}) as pending,
  (select t.bytes from storage t where t.project_id = s.project_id) as bytes,
  (select json_group_array(c.sha)
    from (select f.commit_id from forgotten_commits f where f.project_id = s.project_id limit 1000) f
    cross join commits c on c.id = f.commit_id) as forgotten,
  (select json_group_array(json_array(sha, contents))
    from (select c.sha, c.contents
      from commits c
      where c.project_id = s.project_id and c.contents > 0
        and (c.contents = 3 or not exists (select 1 from refs r where r.commit_id = c.id))
      limit 1000)) as unreferenced, (select m.contents from mirrors m where m.project_id = s.project_id) as contents
from scope s;

-- name: refs
-- scope: project
-- returns: Ref*
-- At most :most refs after the name :after, with messages if :messages, up to and including the ref that passes :bytes
-- bytes.
select name, sha, tag_sha, message, contents
from (
  select r.name, c.sha, r.tag_sha, r.message, c.contents,
    sum(octet_length(r.name) + coalesce(octet_length(r.message), 0))
    over (order by r.name rows between unbounded preceding and 1 preceding) as before
  from (select name, commit_id, tag_sha, iif(:messages, message, null) as message
    from refs
    where project_id = (select project_id from scope) and name > :after
    order by name
    limit :most) r
  cross join commits c on c.id = r.commit_id
  order by r.name)
where coalesce(before, 0) <= :bytes;

-- name: commits
-- scope: project
-- returns: Belonging*
-- The commits after the hash :after, with their branches.
select sha as id, branch
from commits
where project_id = (select project_id from scope) and sha > :after
order by sha
limit :most;

-- name: known
-- scope: project
-- returns: String?
select c.sha as id from commits c where c.project_id = (select project_id from scope) and c.sha = :sha;

-- name: before_push
-- scope: project
-- returns: store::PushState
-- place: the start of the keys of the project's objects.
select exists (select 1 from forgotten_commits f where f.project_id = s.project_id) as has_forgotten,
  coalesce((select m.extra_parents from mirrors m where m.project_id = s.project_id), 0) as extra_parents,
  coalesce(w.own, w.store) || '/' || s.project_id || '/' as place
from scope s
cross join object_sweeps w on w.id = 1;

-- name: expect_known
-- Ends the batch if one of the hashes :shas is not a commit of the project.
insert into expectations (holds)
select not exists (select 1
  from json_each(:shas) named
  left join commits c on c.project_id = :project_id and c.sha = named.value
  where c.id is null);

-- name: unknown
-- The hashes in :shas that are not commits of the project.
select named.value as sha
from json_each(:shas) named
left join commits c on c.project_id = :project_id and c.sha = named.value
where c.id is null;

-- name: begin_batch
-- Stores the greatest id: commits with greater ids are new in this batch.
insert into mirrors (project_id, version, before_batch)
values (:project_id, 0, (select coalesce(max(id), 0) from commits))
on conflict (project_id) do update set before_batch = excluded.before_batch;

-- name: add_commits
-- Adds the missing commits of :commits, and overwrites forgotten ones.
insert into commits (project_id, sha, author_name, author_email, authored_at, author_zone, committer_name,
  committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas, tree)
select :project_id, value ->> 'sha', value ->> 'author_name', value ->> 'author_email', value ->> 'authored_at',
  value ->> 'author_zone', value ->> 'committer_name', value ->> 'committer_email', value ->> 'committed_at',
  value ->> 'committer_zone', value ->> 'message', value ->> 'additions', value ->> 'deletions', value -> 'parent_shas',
  nullif(value ->> 'tree', '')
from json_each(:commits)
where true
on conflict (project_id, sha) do update set author_name = excluded.author_name, author_email = excluded.author_email,
  committer_name = excluded.committer_name, committer_email = excluded.committer_email, message = excluded.message,
  additions = excluded.additions, deletions = excluded.deletions, tree = excluded.tree
where exists (select 1 from forgotten_commits f where f.commit_id = commits.id);

-- name: add_parents
-- Adds the edges :edges of new commits.
insert into parents (child_id, position, parent_id, parent_committed_at)
select c.id, value ->> 'position', p.id, p.committed_at
from json_each(:edges) edge
cross join commits c on c.project_id = :project_id and c.sha = value ->> 'child'
  and c.id > (select before_batch from mirrors where project_id = :project_id)
cross join commits p on p.project_id = :project_id and p.sha = value ->> 'parent'
where true
on conflict do nothing;

-- name: add_diffs
-- Adds the parts :parts of the diffs of new commits and forgotten ones.
insert into diffs (commit_id, part, text, object, bytes, digest, store, person_id)
select c.id, value ->> 'part', value ->> 'text', value ->> 'object', value ->> 'bytes', value ->> 'digest',
  iif(value ->> 'object' is null, null, w.own), :person_id
from json_each(:parts)
cross join object_sweeps w on w.id = 1
cross join {lacking_commits}
where true
on conflict do nothing;

-- name: add_more_paths
-- Adds the parts :parts of the paths that the diffs of new commits and forgotten ones leave out.
insert into more_paths (commit_id, part, text)
select c.id, value ->> 'part', value ->> 'text'
from json_each(:parts)
cross join {lacking_commits}
where true
on conflict do nothing;

-- name: remember
delete from forgotten_commits
where project_id = :project_id
  and commit_id in (
    select c.id
    from json_each(:shas)
    cross join commits c on c.project_id = :project_id and c.sha = value);

-- name: count_extra_parents
update mirrors
set extra_parents = extra_parents
  + (select count(*)
    from commits c
    cross join parents p on p.child_id = c.id and p.position > 1
    where c.id > mirrors.before_batch)
where project_id = :project_id;

-- name: expect_extra_parents
-- Ends the batch if pushes at the same time bring more than :most together.
insert into expectations (holds) select extra_parents <= :most from mirrors where project_id = :project_id;

-- name: key
-- The key of the object with the diff of the commit :sha. No row if the diff is in the database, or if the object
-- belongs to the database of which this one is a copy.
select coalesce(w.own, w.store) || '/' || c.project_id || '/' || c.sha || '-' || d.object as object_key
from object_sweeps w
cross join commits c
cross join diffs d on d.commit_id = c.id
where w.id = 1 and c.project_id = :project_id and c.sha = :sha and d.object is not null and d.store is w.own;

-- name: forget
-- Makes the hook send the diff of the commit :sha again. If :object is not null, only if the diff is in that object.
insert into forgotten_commits (commit_id, project_id)
select c.id, c.project_id
from commits c
where c.project_id = :project_id and c.sha = :sha
  and (:object is null or exists (select 1 from diffs d where d.commit_id = c.id and d.object = :object))
on conflict do nothing;

-- name: forget_diff
delete from diffs
where commit_id = (select c.id from commits c where c.project_id = :project_id and c.sha = :sha)
  and (:object is null or object = :object);

-- name: forget_more_paths
-- Deletes the further paths of a commit that is forgotten.
delete from more_paths
where commit_id = (select f.commit_id
  from commits c
  cross join forgotten_commits f on f.commit_id = c.id
  where c.project_id = :project_id and c.sha = :sha);
