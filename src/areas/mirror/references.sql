-- What the messages of pushed commits do to issues (references/mod.rs).

-- name: before_swap
-- scope: project
-- Whether the mirror has refs, and the commit of the default branch. user_id: the user in whose name commits close and
-- mention issues. history_until: commits up to this id never mention an issue. seen_until: commits up to this id came
-- with an earlier push.
select coalesce((select t.pusher_id from tokens t where t.hash = s.key), s.user_id) as user_id,
  (select t.user_id from tokens t where t.hash = s.key and t.cross_project) as maker_id,
  exists (select 1 from refs r where r.project_id = s.project_id) as has_refs, p.autoclose,
  (select push_event_hooks_limit from settings) as hooks_limit, coalesce(m.history_until, 0) as history_until,
  coalesce(m.seen_until, 0) as seen_until,
  (select c.sha
    from refs r
    cross join commits c on c.id = r.commit_id
    where r.project_id = s.project_id and r.name = 'refs/heads/' || p.default_branch) as main_sha
from scope s
cross join projects p on p.id = s.project_id
left join mirrors m on m.project_id = s.project_id;

-- name: came
-- The commits that :new reaches (below -2) and those that :old reaches (below -1), each with its parents.
with recursive starts(side, id, label) as materialized (
  select -1, c.id, c.committed_at + c.lift
  from commits c
  where c.project_id = :project_id and c.sha = :old
  union all
  select -2, c.id, c.committed_at + c.lift
  from commits c
  where c.project_id = :project_id and c.sha = :new
), walk (id, label) as ({walk_of_starts})
select json_group_array(child) as children, json_group_array(parent) as parents
from {walked_pairs};

-- name: tag_objects
-- The objects of the annotated tags among the refs :names, JSON [name, ..].
select r.name, r.tag_sha
from json_each(:names) n
cross join refs r on r.project_id = :project_id and r.name = n.value
where r.tag_sha is not null;

-- name: messages
-- The first 64 kB of the messages of the commits :ids, JSON in their order, that may name an issue. Reads 4 MB of
-- messages, and returns 1 MB as JSON. skipped: the commits beyond that.
with read as materialized (
  select n.key, c.id, c.sha, sum(octet_length(c.message)) over (order by n.key) as bytes
  from json_each(:ids) n
  cross join commits c on c.id = n.value
), texts as materialized (
  select r.key, r.id, r.sha, substr(c.message, 1, 65536) as message
  from read r
  cross join commits c on c.id = r.id
  where r.bytes <= 4000000
), named as materialized (
  select *, sum(octet_length(json_quote(message))) over (order by key) as bytes
  from texts
  where instr(message, '#') or instr(message, '/issues/') or instr(message, '/work_items/')
)
select (select json_group_array(json_object('id', id, 'sha', sha, 'message', message))
  from named
  where bytes <= 1000000) as messages, (select count(*) from read where bytes > 4000000)
  + (select count(*) from named where bytes > 1000000) as skipped;

-- name: refer
-- :references: JSON [{iid, sha, closes, project}, ..]. project: the path of another one, or null. Leaves out what the
-- commit has done already, and the mention of an issue that it closed. In another project :maker_id must have the
-- access :plans. There must be room for all, because a full project would end the push. Closing writes rows for each
-- label of an issue: beyond 5,000 issues and labels a commit only mentions. A comment and a closing each write the row
-- of the issue again, with its description, and a closing also that of its milestone: after :bytes of these no further
-- reference counts.
insert into commit_references (issue_id, sha, closes)
select id, sha, closes and weight <= 5000
from (
  select n.key, i.id, n.value ->> 'sha' as sha, n.value ->> 'closes' and (p.id = :project_id or p.autoclose) as closes,
    sum(iif(n.value ->> 'closes', 1 + (select count(*) from issue_labels b where b.issue_id = i.id), 0))
    over (order by n.key) as weight,
    sum(iif(n.value ->> 'closes', 2 * i.quota_bytes
        + coalesce((select m.quota_bytes from milestones m where m.id = i.milestone_id), 0), i.quota_bytes))
    over (order by n.key) as bytes
  from json_each(:references) n
  cross join projects p on p.id = iif(n.value ->> 'project' is null, :project_id,
    (select o.id from projects o where o.path_key = n.value ->> 'project'))
  cross join issues i on i.project_id = p.id and i.iid = n.value ->> 'iid' and i.deleted_at is null
  where (p.id = :project_id and not p.archived or p.deleted_at is null and p.issues_enabled
    and exists (select 1
      from project_viewers v
      where v.user_id = :maker_id and v.project_id = p.id and v.sees and v.is_active and not v.archived
        and v.access >= :plans))
    and not exists (select 1
      from storage t
      cross join stored q on q.id = 1
      where t.project_id = p.id
        and (q.project_most > 0 and t.bytes > q.project_most - 1000 * json_array_length(:references) or q.most > 0
          and q.bytes > q.most - 1000 * json_array_length(:references)))
    and (n.value ->> 'closes'
      or not exists (select 1
        from commit_references c
        where c.issue_id = i.id and c.sha = n.value ->> 'sha' and c.closes))
)
where bytes <= :bytes
order by key
on conflict do nothing;

-- piece: no_closing_before
-- Whether no earlier commit of this push closes the issue of the reference c.
not exists (select 1
  from commit_references e
  where e.issue_id = c.issue_id and e.closes and e.fresh = 1 and e.id < c.id)

-- name: note_references
-- Of several commits that close an issue, the first one gets the comment. In another project all is done in the name of
-- :maker_id, because the name of the hook's user contains that of a project which others may not see.
insert into
  notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)
select i.project_id, i.id, iif(p.id = i.project_id, :user_id, :maker_id),
  iif(c.closes, 'closed via commit', 'mentioned in commit') || iif(p.id = i.project_id, ' ' || c.sha, ''), 1,
  iif(p.id = i.project_id, null, p.full_path || '@' || c.sha), iif(p.id = i.project_id, null, p.id), :now, :now
from commit_references c indexed by commit_references_fresh
cross join issues i on i.id = c.issue_id
cross join projects p on p.id = :project_id
where c.fresh = 1
  and (not c.closes or i.state = 'opened' and {no_closing_before})
order by c.id;

-- name: add_events_of_closing
insert into resource_events (issue_id, user_id, kind, action, state, source_sha, created_at)
select i.id, iif(i.project_id = :project_id, :user_id, :maker_id), 'state', 'closed', i.state,
  iif(i.project_id = :project_id, c.sha, null), :now
from commit_references c indexed by commit_references_fresh
cross join issues i on i.id = c.issue_id
where c.fresh = 1 and c.closes and i.state = 'opened' and {no_closing_before}
order by c.id;

-- name: close_referenced
update issues
set state = 'closed', closed_at = :now, closed_by_id = iif(project_id = :project_id, :user_id, :maker_id),
  updated_at = max(:now, updated_at + 1)
where state = 'opened' and id in (select issue_id from commit_references where fresh = 1 and closes);

-- name: settle_referenced
-- Marks the pending items of the user on the closed issues done.
update todos
set state = 'done', updated_at = :now
where user_id in (:user_id, :maker_id) and state = 'pending'
  and issue_id in (select issue_id from commit_references where fresh = 1 and closes);

-- name: end_references
update commit_references set fresh = 0 where fresh = 1;

-- name: see_commits
-- Notes the last commit, because later commits come with a later push. :is_history: the commits until then never
-- mention an issue.
update mirrors
set seen_until = (select coalesce(max(id), 0) from commits),
  history_until = iif(:is_history, (select coalesce(max(id), 0) from commits), history_until)
where project_id = :project_id;
