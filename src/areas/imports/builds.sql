-- Releases, environments, deployments, statuses and comments on commits.

-- name: stage_releases
insert into staged_records (kind, records)
select 8, json_group_array(json_set({decided}, '$.sha', s.sha))
from (select {facts(8)}, coalesce(k.record_id, {next('releases')} + r.key) as id, c.sha, {only_people} as follows,
    k.key is not null and e.id is null as is_gone,
    coalesce({no_user('author')},
      iif(k.key is null and x.id is not null, 'tag: it has another release', null),
      iif(k.key is null and c.id is null, 'tag: it is not indexed', null),
      iif(k.key is null
          and (select count(*)
            from json_each(r.value, '$.milestones') t
            cross join milestones m on m.project_id = :project_id and m.title = t.value and m.iid > 0)
            < coalesce(json_array_length(r.value, '$.milestones'), 0), 'milestones: not all of them are there', null))
    as refusal
  from {sent}
  left join refs t on t.project_id = :project_id and t.name = 'refs/tags/' || (r.value ->> 'tag')
  left join commits c on c.id = t.commit_id
  left join releases e on e.id = k.record_id and e.project_id = :project_id
  left join releases x on x.project_id = :project_id and x.tag = r.value ->> 'tag') s;

-- name: add_releases
insert into releases (id, project_id, tag, name, description, sha, author_id, created_at, updated_at, released_at)
select r.id, :project_id, r.record ->> 'tag', nullif(nullif(r.record ->> 'name', ''), r.record ->> 'tag'),
  r.record ->> 'description', r.record ->> 'sha', r.record ->> 'author', r.record ->> 'at', r.record ->> 'at',
  r.record ->> 'released_at'
from {new(8)}
order by r.place;

-- name: add_release_links
-- Of two links with the same name, address or path the first one.
insert or ignore into release_links (release_id, project_id, name, url, filepath, link_type)
select r.id, :project_id, l.value ->> 0, l.value ->> 1, l.value ->> 2, l.value ->> 3
from {new(8)}
cross join json_each(r.record, '$.links') l
order by r.place, l.key;

-- name: add_release_milestones
insert or ignore into milestone_releases (release_id, milestone_id, project_id)
select r.id, m.id, :project_id
from {new(8)}
cross join json_each(r.record, '$.milestones') t
cross join milestones m on m.project_id = :project_id and m.title = t.value and m.iid > 0;

-- name: change_releases
update releases
set author_id = r.record ->> 'author'
from {known(8)}
where releases.id = r.id and releases.author_id <> r.record ->> 'author';

-- name: stage_environments
insert into staged_records (kind, records)
select 9, json_group_array({decided})
from (select {facts(9)}, coalesce(k.record_id, e.id, {next('environments')} + r.key) as id, null as refusal,
    0 as is_gone, 0 as follows
  from {sent}
  left join environments e on e.project_id = :project_id and e.name = r.value ->> 'name') s;

-- name: add_environments
-- An environment of this name that is here stays. No two of the request have a slug in common.
insert into environments (id, project_id, number, name, state, tier, external_url, description, created_at, updated_at,
  slug)
select r.id, :project_id,
  {last_number(environments, number, 'environment')} + row_number() over (order by r.place), r.record ->> 'name',
  coalesce(r.record ->> 'state', 'available'), r.record ->> 'tier', r.record ->> 'external_url',
  r.record ->> 'description', r.record ->> 'at', r.record ->> 'at',
  (select c.value
    from json_each(r.record, '$.slugs') c
    where not exists (select 1 from environments e where e.project_id = :project_id and e.slug = c.value)
    order by c.key
    limit 1)
from {new(9)}
where not exists (select 1 from environments e where e.id = r.id)
order by r.place;

-- name: stage_deployments
insert into staged_records (kind, records)
select 10, json_group_array(json_set({decided}, '$.environment_id', s.environment_id, '$.commit_id', s.commit_id))
from (select {facts(10)}, coalesce(k.record_id, {next('deployments')} + r.key) as id, e.id as environment_id,
    c.id as commit_id, {only_people} as follows, k.key is not null and d.id is null as is_gone,
    coalesce({no_user('user')}, {no_commit},
      iif(e.id is null, 'environment: there is none of this name', null)) as refusal
  from {sent}
  left join environments e on e.project_id = :project_id and e.name = r.value ->> 'environment'
  left join commits c on c.project_id = :project_id and c.sha = r.value ->> 'sha'
  left join deployments d on d.id = k.record_id and d.project_id = :project_id) s;

-- name: add_deployments
insert into deployments (id, project_id, iid, environment_id, commit_id, ref, tag, user_id, changed_by, name, state,
  created_at, started_at, finished_at)
select r.id, :project_id,
  {last_number(deployments, iid, 'deployment')} + row_number() over (order by r.place), r.record ->> 'environment_id',
  r.record ->> 'commit_id', coalesce(r.record ->> 'ref', ''), coalesce(r.record ->> 'tag', 0), r.record ->> 'user',
  r.record ->> 'user', r.record ->> 'job', r.record ->> 'state', r.record ->> 'at', r.record ->> 'started_at',
  r.record ->> 'finished_at'
from {new(10)}
order by r.place;

-- name: change_deployments
update deployments
set user_id = r.record ->> 'user', changed_by = iif(changed_by = user_id, r.record ->> 'user', changed_by)
from {known(10)}
where deployments.id = r.id and deployments.user_id <> r.record ->> 'user';

-- piece: ref_of_status
-- Without a ref it is one of the first branch with the commit.
coalesce(r.value ->> 'ref', c.branch, '')

-- piece: is_of_new_ref
k.key is null and p.ref is null

-- name: stage_statuses
-- A commit has statuses of at most 1,000 refs.
insert into staged_records (kind, records)
select 11, json_group_array(json_set({decided}, '$.commit_id', s.commit_id, '$.ref', s.ref))
from (select {facts(11)}, coalesce(k.record_id, (select coalesce(max(id), 0) from statuses) + 1 + r.key) as id,
    c.id as commit_id, {ref_of_status} as ref, {only_people} as follows,
    k.key is not null and t.id is null as is_gone,
    coalesce({no_user('user')}, {no_commit},
      iif(r.value ->> 'skipped' and r.value ->> 'state' <> 'canceled', 'skipped: the state is not canceled', null),
      iif({is_of_new_ref}
          and dense_rank() over (partition by c.id, {is_of_new_ref} order by {ref_of_status})
            + (select count(*) from status_counts x where x.commit_id = c.id) > 1000,
        'ref: the commit has statuses of 1000 refs', null))
    as refusal
  from {sent}
  left join commits c on c.project_id = :project_id and c.sha = r.value ->> 'sha'
  left join status_counts p on p.commit_id = c.id and p.ref = {ref_of_status}
  left join statuses t on t.id = k.record_id and t.project_id = :project_id) s;

-- name: add_statuses
insert into statuses (id, project_id, commit_id, ref, name, user_id, state, skipped, target_url, description, coverage,
  created_at, started_at, finished_at)
select r.id, :project_id, r.record ->> 'commit_id', r.record ->> 'ref', r.record ->> 'name',
  r.record ->> 'user', r.record ->> 'state', coalesce(r.record ->> 'skipped', 0), r.record ->> 'target_url',
  r.record ->> 'description', r.record ->> 'coverage', r.record ->> 'at', r.record ->> 'started_at',
  r.record ->> 'finished_at'
from {new(11)}
order by r.place;

-- name: change_statuses
update statuses
set user_id = r.record ->> 'user'
from {known(11)}
where statuses.id = r.id and statuses.user_id <> r.record ->> 'user';

-- name: stage_comments
insert into staged_records (kind, records)
select 12, json_group_array(json_set({decided}, '$.commit_id', s.commit_id))
from (select {facts(12)}, coalesce(k.record_id, {next('commit_comments')} + r.key) as id, c.id as commit_id,
    {only_people} as follows, k.key is not null and m.id is null as is_gone,
    coalesce({no_user('author')}, {no_commit}) as refusal
  from {sent}
  left join commits c on c.project_id = :project_id and c.sha = r.value ->> 'sha'
  left join commit_comments m on m.id = k.record_id and m.project_id = :project_id) s;

-- name: add_comments
insert into commit_comments (id, project_id, commit_id, author_id, note, path, line, line_type, created_at, updated_at)
select r.id, :project_id, r.record ->> 'commit_id', r.record ->> 'author', r.record ->> 'note',
  r.record ->> 'path', iif(r.record ->> 'path' is not null, r.record ->> 'line', null),
  iif(r.record ->> 'path' is not null, r.record ->> 'line_type', null), r.record ->> 'at', r.record ->> 'at'
from {new(12)}
order by r.place;

-- name: change_comments
update commit_comments
set author_id = r.record ->> 'author'
from {known(12)}
where commit_comments.id = r.id and commit_comments.author_id <> r.record ->> 'author';
