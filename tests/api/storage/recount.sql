-- Every counter and every copy of issues, counted anew: each statement yields what disagrees, so nothing.

-- a project's issues by state
with actual as (
  select project_id, sum(state = 'opened' and not confidential) as opened, sum(state = 'closed' and not confidential) as closed,
    sum(state = 'opened' and confidential) as opened_hidden, sum(state = 'closed' and confidential) as closed_hidden
  from issues where deleted_at is null group by 1)
select json_object('counter', 'issue_counts', 'project', n.project_id, 'opened', n.opened, 'of', a.opened, 'closed', n.closed, 'of', a.closed) as v
from issue_counts n left join actual a on a.project_id = n.project_id
where n.opened <> coalesce(a.opened, 0) or n.closed <> coalesce(a.closed, 0)
  or n.opened_hidden <> coalesce(a.opened_hidden, 0) or n.closed_hidden <> coalesce(a.closed_hidden, 0);

-- a group's members
select json_object('counter', 'members_count', 'group', g.id, 'is', g.members_count) as v
from groups g where g.members_count <> (select count(*) from group_members m where m.group_id = g.id);

-- numbers are given out one after the other, none twice
select json_object('numbers of', n.project_id, 'last', n.last_iid, 'issues', count(i.id), 'least', min(i.iid), 'most', max(i.iid)) as v
from issue_counts n left join issues i on i.project_id = n.project_id
where not exists (select 1 from project_remains r where r.project_id = n.project_id) group by n.project_id
having count(i.id) <> count(distinct i.iid) or coalesce(max(i.iid), 0) <> n.last_iid
  -- imports leave out numbers
  or count(i.id) <> n.last_iid and not exists (select 1 from imported m where m.project_id = n.project_id and m.kind = 3);

-- nothing of an import is left over, and its keys are of records that are there or were deleted
select json_object('left over', 'staged records', 'kind', kind) as v from staged_records
union all select json_object('left over', 'silence', 'id', id) from request_marks
union all select json_object('imported issue', m.record_id, 'project', m.project_id) from imported m
  left join issues i on i.id = m.record_id and i.project_id = m.project_id where m.kind = 3 and i.id is null;

-- a label's issues by state
with actual as (
  select b.label_id, sum(i.state = 'opened' and not i.confidential) as opened, sum(i.state = 'closed' and not i.confidential) as closed,
    sum(i.state = 'opened' and i.confidential) as opened_hidden, sum(i.state = 'closed' and i.confidential) as closed_hidden
  from issue_labels b join issues i on i.id = b.issue_id where i.deleted_at is null group by 1)
select json_object('counter', 'labels', 'label', n.title, 'opened', n.opened, 'of', a.opened, 'closed', n.closed, 'of', a.closed) as v
from labels n left join actual a on a.label_id = n.id
where n.opened <> coalesce(a.opened, 0) or n.closed <> coalesce(a.closed, 0)
  or n.opened_hidden <> coalesce(a.opened_hidden, 0) or n.closed_hidden <> coalesce(a.closed_hidden, 0);

-- a milestone's issues by state
with actual as (
  select milestone_id, sum(state = 'opened' and not confidential) as opened, sum(state = 'closed' and not confidential) as closed,
    sum(state = 'opened' and confidential) as opened_hidden, sum(state = 'closed' and confidential) as closed_hidden
  from issues where deleted_at is null group by 1)
select json_object('counter', 'milestones', 'milestone', n.title, 'opened', n.opened, 'of', a.opened, 'closed', n.closed, 'of', a.closed) as v
from milestones n left join actual a on a.milestone_id = n.id
where n.opened <> coalesce(a.opened, 0) or n.closed <> coalesce(a.closed, 0)
  or n.opened_hidden <> coalesce(a.opened_hidden, 0) or n.closed_hidden <> coalesce(a.closed_hidden, 0);

-- an issue's labels are its project's
select json_object('label of another project', b.label_id, 'issue', b.issue_id) as v
from issue_labels b join issues i on i.id = b.issue_id join labels l on l.id = b.label_id
where l.project_id <> i.project_id or i.deleted_at is not null;

-- a label knows where each of its issues stands in lists
select json_object('label', b.label_id, 'issue', b.issue_id, 'section', b.section, 'is', i.section) as v
from issue_labels b join issues i on i.id = b.issue_id where b.section <> i.section or b.created_at <> i.created_at;

-- an issue's milestone is its project's
select json_object('milestone of another project', i.id) as v from issues i join milestones m on m.id = i.milestone_id
where m.project_id <> i.project_id;

-- an issue's comments
select json_object('counter', 'user_notes_count', 'issue', i.id, 'is', i.user_notes_count) as v
from issues i where i.user_notes_count <> (select count(*) from notes n where n.issue_id = i.id and not n.system);

-- nothing hangs on a deleted issue
select json_object('left over', 'of a deleted issue', 'issue', i.id) as v from issues i where i.deleted_at is not null
  and (exists (select 1 from notes x where x.issue_id = i.id) or exists (select 1 from todos x where x.issue_id = i.id)
    or exists (select 1 from subscriptions x where x.issue_id = i.id)
    or exists (select 1 from commit_references x where x.issue_id = i.id)
    or exists (select 1 from awards x where x.issue_id = i.id)
    or exists (select 1 from issue_links x where i.id in (x.source_id, x.target_id))
    or exists (select 1 from participants x where x.issue_id = i.id));

-- the emoji of an issue and its comments, and the thumbs of the issue
select json_object('counter', 'awards', 'issue', i.id) as v from issues i where json_array(i.awards_count, i.upvotes, i.downvotes) <> (
  select json_array(count(*), coalesce(sum(note_id = 0 and name = 'thumbsup'), 0), coalesce(sum(note_id = 0 and name = 'thumbsdown'), 0))
  from awards a where a.issue_id = i.id);

-- no emoji is left of a comment that is gone, and nobody takes part by an emoji that is gone
select json_object('left over', 'award', 'id', a.id) as v from awards a
where a.note_id > 0 and not exists (select 1 from notes n where n.id = a.note_id and n.issue_id = a.issue_id and not n.system);
select json_object('left over', 'participant', 'issue', t.issue_id, 'award', -t.note_id) as v from participants t
where t.note_id < 0 and not exists (select 1 from awards a where a.id = -t.note_id and a.issue_id = t.issue_id and a.user_id = t.user_id);

-- two issues are linked once
select json_object('linked twice', a.id, 'and', b.id) as v from issue_links a join issue_links b on b.source_id = a.target_id and b.target_id = a.source_id;

-- nobody takes part by a comment that is gone
select json_object('left over', 'participant', 'issue', t.issue_id, 'note', t.note_id) as v from participants t
where t.note_id > 0 and not exists (select 1 from notes n where n.id = t.note_id and n.issue_id = t.issue_id);

-- a moved issue has one copy, and both have a note about the move
select json_object('moved', i.id, 'to', i.moved_to_id) as v from issues i left join issues n on n.id = i.moved_to_id
where i.moved_to_id is not null and (n.id is null or n.project_id = i.project_id
  or (i.deleted_at is null and not exists (select 1 from notes x where x.issue_id = i.id and x.system and x.body = 'Moved to' and x.reference_project_id = n.project_id))
  or (n.deleted_at is null and not exists (select 1 from notes x where x.issue_id = n.id and x.system and x.body = 'Moved from' and x.reference_project_id = i.project_id))
  or (select count(*) from issues x where x.moved_to_id = n.id) <> 1);

-- what a batch expects is never stored
select json_object('left over', 'expectation') as v from expectations;

-- an issue is closed at some time or open
select json_object('closed', i.closed_at, 'by', i.closed_by_id, 'issue', i.id) as v from issues i
where iif(i.state = 'closed', i.closed_at is null, coalesce(i.closed_at, i.closed_by_id) is not null);

-- the newest statuses of a commit and ref by state
select json_object('counter', 'status_counts', 'commit', n.commit_id, 'ref', n.ref) as v from status_counts n
where (select json_array(count(*), sum(s.state = 'pending'), sum(s.state = 'running'), sum(s.state = 'success'),
    sum(s.state = 'failed'), sum(s.state = 'canceled'), sum(s.skipped))
  from status_heads h join statuses s on s.id = h.status_id where h.commit_id = n.commit_id and h.ref = n.ref)
  <> json_array(n.pending + n.running + n.success + n.failed + n.canceled, n.pending, n.running, n.success, n.failed, n.canceled, n.skipped)
  and n.pending + n.running + n.success + n.failed + n.canceled + n.skipped > 0;

-- the bytes of a pipeline
select json_object('counter', 'bytes', 'commit', n.commit_id, 'ref', n.ref) as v from status_counts n
where n.bytes <> (select coalesce(sum(s.quota_bytes), 0) from statuses s where s.commit_id = n.commit_id and s.ref = n.ref);

-- the pipelines of posted statuses
select json_object('counter', 'pipelines', 'status', s.id) as v from statuses s
where not exists (select 1 from status_counts n where n.commit_id = s.commit_id and n.ref = s.ref
  and n.pipeline_id is not null);

-- the comments of the service with an event
select json_object('counter', 'event_notes_count', 'issue', i.id, 'is', i.event_notes_count) as v from issues i
where i.deleted_at is null and i.event_notes_count <> (select count(*) from notes n where n.issue_id = i.id and n.has_event);

-- no reference is left to be carried out
select json_object('left over', 'fresh reference', 'issue', issue_id) as v from commit_references where fresh = 1;

-- the bytes of the server: in the database, and in the object store
select json_object('counter', 'stored', 'is', s.bytes, 'counted', n.bytes, 'objects', s.objects, 'counted', n.objects) as v from stored s cross join (
  select (select coalesce(sum(objects), 0) from storage) as objects, (select coalesce(sum(bytes - objects), 0) from storage) + (select coalesce(sum(quota_bytes), 0) from groups)
    + (select coalesce(sum(quota_bytes), 0) from tokens) + (select coalesce(sum(quota_bytes), 0) from idempotency_keys)
    + (select coalesce(sum(quota_bytes), 0) from users where id < 0) as bytes) n
where s.bytes <> n.bytes or s.objects <> n.objects;

-- the bytes of each project
select json_object('counter', 'storage', 'project', id, 'is', bytes, 'counted', counted) as v from (
  select p.id, s.bytes, p.quota_bytes
    + coalesce(issues.bytes, 0)
    + coalesce(notes.bytes, 0)
    + coalesce(labels.bytes, 0)
    + coalesce(milestones.bytes, 0)
    + coalesce(commits.bytes, 0)
    + coalesce(commit_comments.bytes, 0)
    + coalesce(refs.bytes, 0) + coalesce(tag_objects.bytes, 0)
    + coalesce(staged_swaps.bytes, 0)
    + coalesce(statuses.bytes, 0)
    + coalesce(environments.bytes, 0)
    + coalesce(deployments.bytes, 0)
    + coalesce(diffs.bytes, 0) + coalesce(more_paths.bytes, 0) + coalesce(resource_events.bytes, 0)
    + coalesce(awards.bytes, 0) + coalesce(issue_links.bytes, 0) + coalesce(badges.bytes, 0)
    + coalesce(releases.bytes, 0) + coalesce(release_links.bytes, 0) + coalesce(milestone_releases.bytes, 0)
    + coalesce(todos.bytes, 0) + coalesce(participants.bytes, 0) + coalesce(commit_references.bytes, 0)
    + coalesce(label_subscriptions.bytes, 0) + coalesce(issue_labels.bytes, 0) + coalesce(hooks.bytes, 0) + coalesce(hook_events.bytes, 0) + coalesce(hook_log.bytes, 0) + coalesce(deliveries.bytes, 0) + coalesce(events.bytes, 0) + coalesce(objects.bytes, 0)
    + coalesce(uploads.bytes, 0) + coalesce(packages.bytes, 0) + coalesce(package_files.bytes, 0) + coalesce(reports.bytes, 0) + coalesce(reservations.bytes, 0) as counted
  from projects p left join storage s on s.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from issues group by 1) issues on issues.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from notes group by 1) notes on notes.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from labels group by 1) labels on labels.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from milestones group by 1) milestones on milestones.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from commits group by 1) commits on commits.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from commit_comments group by 1) commit_comments on commit_comments.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from refs group by 1) refs on refs.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from tag_objects group by 1) tag_objects on tag_objects.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from staged_swaps where portion >= 0 group by 1) staged_swaps on staged_swaps.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from status_counts group by 1) statuses on statuses.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from environments group by 1) environments on environments.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from deployments group by 1) deployments on deployments.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from objects group by 1) objects on objects.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from uploads group by 1) uploads on uploads.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from packages group by 1) packages on packages.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from package_files group by 1) package_files on package_files.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from reports group by 1) reports on reports.project_id = p.id
  left join (select project_id, sum(bytes) as bytes from reservations group by 1) reservations on reservations.project_id = p.id
  left join (select c.project_id, sum(d.quota_bytes) as bytes from diffs d cross join commits c on c.id = d.commit_id group by 1) diffs
    on diffs.project_id = p.id
  left join (select c.project_id, sum(d.quota_bytes) as bytes from more_paths d cross join commits c on c.id = d.commit_id group by 1) more_paths
    on more_paths.project_id = p.id
  left join (select i.project_id, sum(e.quota_bytes) as bytes from resource_events e cross join issues i on i.id = e.issue_id group by 1) resource_events
    on resource_events.project_id = p.id
  left join (select i.project_id, sum(a.quota_bytes) as bytes from awards a cross join issues i on i.id = a.issue_id group by 1) awards
    on awards.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from issue_links group by 1) issue_links on issue_links.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from releases group by 1) releases on releases.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from release_links group by 1) release_links on release_links.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from milestone_releases group by 1) milestone_releases on milestone_releases.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from badges group by 1) badges on badges.project_id = p.id
  left join (select i.project_id, 40 * count(*) as bytes from issue_labels b cross join issues i on i.id = b.issue_id group by 1) issue_labels
    on issue_labels.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from todos group by 1) todos on todos.project_id = p.id
  left join (select i.project_id, sum(t.quota_bytes) as bytes from participants t cross join issues i on i.id = t.issue_id group by 1) participants
    on participants.project_id = p.id
  left join (select i.project_id, sum(r.quota_bytes) as bytes from commit_references r cross join issues i on i.id = r.issue_id group by 1)
    commit_references on commit_references.project_id = p.id
  left join (select l.project_id, 40 * count(*) as bytes from label_subscriptions b cross join labels l on l.id = b.label_id group by 1) label_subscriptions
    on label_subscriptions.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from hooks group by 1) hooks on hooks.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from hook_events group by 1) hook_events on hook_events.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from events group by 1) events on events.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from hook_log group by 1) hook_log on hook_log.project_id = p.id
  left join (select project_id, sum(quota_bytes) as bytes from deliveries group by 1) deliveries on deliveries.project_id = p.id
) where bytes is not counted;

-- the bytes of events of no project, and of their deliveries
select json_object('counter', 'storage', 'is', s.bytes, 'counted', n.bytes) as v from storage s cross join (
  select coalesce((select sum(quota_bytes) from hook_events where project_id is null), 0)
    + coalesce((select sum(quota_bytes) from deliveries where project_id is null), 0) as bytes) n
where s.project_id = 0 and s.bytes <> n.bytes;

-- the bytes of the answers that each person keeps
select json_object('counter', 'shares', 'user', coalesce(h.user_id, n.person_id), 'answers', h.answers, 'counted', n.answers) as v from shares h
full join (select person_id, sum(quota_bytes) as answers from idempotency_keys group by 1) n on n.person_id = h.user_id
where coalesce(h.answers, 0) <> coalesce(n.answers, 0);

-- the bytes of the groups, tokens and users of tokens that each person made
select json_object('counter', 'shares', 'user', coalesce(h.user_id, n.user_id), 'records', h.records, 'counted', n.bytes) as v from shares h full join (
  select user_id, sum(quota_bytes) as bytes from (select user_id, quota_bytes from tokens union all select maker_id, quota_bytes from users where id < 0
    union all select creator_id, quota_bytes from groups) where user_id is not null group by 1) n on n.user_id = h.user_id
where coalesce(h.records, 0) <> coalesce(n.bytes, 0);

-- the steps of each person who made projects, groups and tokens
select json_object('counter', 'shares', 'user', coalesce(h.user_id, n.creator_id), 'is', h.steps, 'counted', n.steps) as v from shares h full join (
  select p.creator_id, sum((s.bytes - s.objects + 258048) >> 18) as steps from storage s join projects p on p.id = s.project_id group by 1) n
  on n.creator_id = h.user_id where coalesce(h.steps, 0) <> coalesce(n.steps, 0) + ((coalesce(h.records, 0) + 258048) >> 18);

-- the bytes of each project in the object store
select json_object('counter', 'storage', 'project', s.project_id, 'uploads', s.uploads, 'packages', s.packages, 'contents', s.contents,
  'reports', s.reports, 'diffs', s.diffs, 'reserved', s.reserved, 'outside', s.outside) as v from storage s
where s.uploads <> coalesce((select sum(size) from uploads u where u.project_id = s.project_id), 0) + s.reports
  or s.reports <> coalesce((select sum(size) from reports r where r.project_id = s.project_id), 0)
  or s.packages <> coalesce((select sum(size) from package_files f where f.project_id = s.project_id), 0)
  or s.contents <> coalesce((select sum(packed) from objects o where o.project_id = s.project_id), 0)
  or s.diffs <> coalesce((select sum(d.bytes) from commits c cross join diffs d on d.commit_id = c.id where c.project_id = s.project_id), 0)
  or s.reserved <> coalesce((select sum(bytes) from reservations r where r.project_id = s.project_id), 0)
  or s.outside <> coalesce((select sum(size) from uploads u where u.project_id = s.project_id and u.outside), 0)
    + coalesce((select sum(bytes) from reservations r where r.project_id = s.project_id and r.outside), 0);

-- the bytes of each person in the object store
select json_object('counter', 'shares', 'user', coalesce(h.user_id, n.person_id), 'is', h.bytes, 'counted', n.bytes) as v from shares h full join (
  select person_id, sum(size) as bytes from (select person_id, size from uploads union all select person_id, size from package_files
    union all select person_id, packed from objects union all select x.person_id, x.bytes from (
      select person_id, size as bytes from reports union all select person_id, bytes from diffs where bytes is not null union all select person_id, bytes from reservations) x)
  where person_id is not null group by 1) n on n.person_id = h.user_id where coalesce(h.bytes, 0) <> coalesce(n.bytes, 0);

-- the deliveries of each project that wait
select json_object('counter', 'storage', 'project', s.project_id, 'deliveries', s.deliveries, 'system', s.system_deliveries) as v from storage s
where s.deliveries <> (select count(*) from deliveries d where coalesce(d.project_id, 0) = s.project_id and d.system = 0)
  or s.system_deliveries <> (select count(*) from deliveries d where coalesce(d.project_id, 0) = s.project_id and d.system = 1);

-- the log of each hook
select json_object('counter', 'hooks', 'id', h.id, 'rows', h.log_rows, 'bytes', h.log_bytes) as v from hooks h
where (h.log_rows, h.log_bytes) <> (select count(*), coalesce(sum(l.quota_bytes), 0) from hook_log l where l.hook_id = h.id);

-- no reference is left to be carried out
select json_object('left over', 'fresh reference', 'issue', issue_id) as v from commit_references where fresh = 1;
