-- Deletes the rows of projects that nobody can restore any more. Each statement deletes a few. A row goes after those
-- that name it.

-- piece: some_of(table, key)
-- Keys of some rows of the project that ends.
(select {key} from {table} where project_id = (select project_id from ending_project) limit 100)

-- piece: some_without(table, others, column)
-- Those that no row of another table names.
(select r.id
  from {table} r
  where r.project_id = (select project_id from ending_project) and {none({others}, {column}, r.id)}
  limit 100)

-- piece: some_pairs_of(table, one, other, most)
-- The same by a key of two columns.
(select {one}, {other} from {table} where project_id = (select project_id from ending_project) limit {most})

-- piece: some_edges(end)
-- Edges of its commits, by the end at which the commit is.
(select e.child_id, e.position from ending_commits c cross join parents e on e.{end} = c.id limit 100)

-- piece: of_ending_issues(table)
-- The end of a subselect: some rows t of its issues.
from ending_issues i cross join {table} t on t.issue_id = i.id limit 100

-- piece: oldest_hook_events
(select id from hook_events where project_id = (select project_id from ending_project) order by id limit 100)

-- piece: none_left(table)
-- Of the project that ends.
{none({table}, project_id, project_remains.project_id)}

-- name: end_projects
-- Nobody can restore these projects after this.
insert into project_remains (project_id)
select id
from (
  select p.id
  from projects p
  where p.deleted_at < :before and p.deleted_at is not null and p.purged_at is null
  order by p.deleted_at
  limit 20)
where true
on conflict do nothing;

-- name: purge_projects
-- The rows of projects stay forever.
update projects
set purged_at = :now, description = null
where id in (select project_id from project_remains) and purged_at is null;

-- name: project_left
select project_id from project_remains order by project_id limit 1;

-- name: todos
delete from todos where id in (select t.id {of_ending_issues(todos)});

-- name: notes
-- Only notes without to-do items.
delete from notes
where id in (select n.id
  from ending_issues i
  cross join notes n on n.issue_id = i.id
  where not exists (select 1 from todos t where t.note_id = n.id)
  limit 100);

-- name: participants
delete from participants
where (issue_id, user_id, note_id) in (select t.issue_id, t.user_id, t.note_id {of_ending_issues(participants)});

-- name: subscriptions
delete from subscriptions where (issue_id, user_id) in (select t.issue_id, t.user_id {of_ending_issues(subscriptions)});

-- name: commit_references
delete from commit_references where id in (select t.id {of_ending_issues(commit_references)});

-- name: resource_events
delete from resource_events where id in (select t.id {of_ending_issues(resource_events)});

-- name: awards
delete from awards where id in (select t.id {of_ending_issues(awards)});

-- name: issue_links
delete from issue_links
where id in (
  select *
  from (select t.id from ending_issues i cross join issue_links t on t.source_id = i.id limit 50)
  union all
  select *
  from (select t.id from ending_issues i cross join issue_links t on t.target_id = i.id limit 50));

-- name: issue_labels
delete from issue_labels where issue_id in (select id from ending_issues);

-- name: count_off_issues
-- Triggers update the counts.
update issues
set deleted_at = :now, user_notes_count = 0, system_notes_count = 0, event_notes_count = 0
where deleted_at is null and id in (select id from ending_issues);

-- name: moved_issues
update issues set moved_to_id = null where moved_to_id in (select id from ending_issues);

-- name: issue_remains
delete from issue_remains where issue_id in (select id from ending_issues);

-- name: issues
-- Only issues without further rows.
delete from issues
where id in (select i.id
  from ending_issues i
  where {none(todos, issue_id, i.id)} and {none(notes, issue_id, i.id)} and {none(participants, issue_id, i.id)}
    and {none(subscriptions, issue_id, i.id)} and {none(commit_references, issue_id, i.id)}
    and {none(resource_events, issue_id, i.id)} and {none(awards, issue_id, i.id)}
    and {none(issue_links, source_id, i.id)} and {none(issue_links, target_id, i.id)});

-- name: deployments
delete from deployments where id in {some_of(deployments, id)};

-- name: refs
delete from refs where (project_id, name) in {some_pairs_of(refs, project_id, name, 100)};

-- name: tag_objects
delete from tag_objects where (project_id, sha) in {some_pairs_of(tag_objects, project_id, sha, 100)};

-- name: status_heads
delete from status_heads
where (commit_id, ref, name) in (
  select h.commit_id, h.ref, h.name
  from ending_commits c
  cross join status_heads h on h.commit_id = c.id
  limit 100);

-- name: statuses
-- Only statuses without heads.
delete from statuses
where id in (select s.id
  from ending_commits c
  cross join statuses s on s.commit_id = c.id
  where not exists (select 1 from status_heads h where h.commit_id = s.commit_id)
  limit 100);

-- name: status_counts
delete from status_counts
where (commit_id, ref) in (
  select n.commit_id, n.ref
  from ending_commits c
  cross join status_counts n on n.commit_id = c.id
  where not exists (select 1 from statuses s where s.commit_id = n.commit_id)
  limit 100);

-- name: commit_comments
delete from commit_comments
where id in (select m.id from ending_commits c cross join commit_comments m on m.commit_id = c.id limit 100);

-- name: diffs
delete from diffs where commit_id in (select id from ending_commits);

-- name: more_paths
delete from more_paths where commit_id in (select id from ending_commits);

-- name: objects
delete from objects where (project_id, sha) in {some_pairs_of(objects, project_id, sha, 300)};

-- name: reports
delete from reports where id in {some_of(reports, id)};

-- name: uploads
delete from uploads where id in {some_of(uploads, id)};

-- name: package_files
delete from package_files where id in {some_of(package_files, id)};

-- name: packages
-- Only packages without files.
delete from packages where id in {some_without(packages, package_files, package_id)};

-- name: forgotten_commits
delete from forgotten_commits where commit_id in (select id from ending_commits);

-- name: branch_queue
delete from branch_queue where commit_id in (select id from ending_commits);

-- name: edges_to_parents
delete from parents where (child_id, position) in {some_edges(child_id)};

-- name: edges_to_children
delete from parents where (child_id, position) in {some_edges(parent_id)};

-- name: commits
-- Only commits without further rows.
delete from commits
where id in (select c.id
  from ending_commits c
  where {none(status_heads, commit_id, c.id)} and {none(statuses, commit_id, c.id)}
    and {none(status_counts, commit_id, c.id)} and {none(commit_comments, commit_id, c.id)}
    and {none(parents, child_id, c.id)} and {none(parents, parent_id, c.id)} and {none(refs, commit_id, c.id)}
    and {none(deployments, commit_id, c.id)});

-- name: deliveries_of_project
delete from deliveries where event_id in {oldest_hook_events};

-- name: hook_log_of_project
delete from hook_log where id in {some_of(hook_log, id)};

-- name: hook_events_of_project
-- Those without deliveries.
delete from hook_events where id in {oldest_hook_events};

-- name: hooks_of_project
delete from hooks where id in {some_of(hooks, id)};

-- name: events_of_project
delete from events where id in {some_of(events, id)};

-- name: environments
delete from environments where id in {some_of(environments, id)};

-- name: badges
delete from badges where id in {some_of(badges, id)};

-- name: label_subscriptions
delete from label_subscriptions
where (label_id, user_id) in (select b.label_id, b.user_id
  from labels l
  cross join label_subscriptions b on b.label_id = l.id
  where l.project_id = (select project_id from ending_project)
  limit 100);

-- name: labels
-- Only labels that nobody follows.
delete from labels where id in {some_without(labels, label_subscriptions, label_id)};

-- name: release_links
delete from release_links
where id in (select l.id
  from (select id from releases where project_id = (select project_id from ending_project) limit 20) r
  cross join release_links l on l.release_id = r.id
  limit 200);

-- name: milestone_releases
delete from milestone_releases
where (release_id, milestone_id) in (select b.release_id, b.milestone_id
  from (select id from releases where project_id = (select project_id from ending_project) limit 20) r
  cross join milestone_releases b on b.release_id = r.id
  limit 200);

-- name: imported
delete from imported where (project_id, key) in {some_pairs_of(imported, project_id, key, 100)};

-- name: releases
-- Only releases without links and milestones.
delete from releases
where id in (select r.id
  from (select id from releases where project_id = (select project_id from ending_project) limit 20) r
  where not exists (select 1 from release_links l where l.release_id = r.id)
    and not exists (select 1 from milestone_releases b where b.release_id = r.id));

-- name: milestones
-- Only milestones without releases.
delete from milestones where id in {some_without(milestones, milestone_releases, milestone_id)};

-- name: project_members
delete from project_members where (user_id, project_id) in {some_pairs_of(project_members, user_id, project_id, 100)};

-- name: branch_counts
delete from branch_counts where (project_id, branch) in {some_pairs_of(branch_counts, project_id, branch, 100)};

-- name: project_tokens
delete from tokens where hash in {some_of(tokens, hash)};

-- name: staged_swaps
delete from staged_swaps where (project_id, portion) in {some_pairs_of(staged_swaps, project_id, portion, 100)};

-- name: issue_counts
delete from issue_counts where project_id = (select project_id from ending_project);

-- name: removed_numbers
delete from removed_numbers where project_id = (select project_id from ending_project);

-- name: mirrors
delete from mirrors where project_id = (select project_id from ending_project);

-- name: project_remains
-- Only if the project has no further rows.
delete from project_remains
where project_id = (select project_id from ending_project)
  and {none_left(issues)} and {none_left(commits)} and {none_left(environments)} and {none_left(hook_log)}
  and {none_left(hook_events)} and {none_left(hooks)} and {none_left(labels)} and {none_left(badges)}
  and {none_left(releases)} and {none_left(uploads)} and {none_left(reports)} and {none_left(packages)}
  and {none_left(milestones)}
  and {none_left(project_members)} and {none_left(branch_counts)} and {none_left(tokens)} and {none_left(staged_swaps)}
  and {none_left(tag_objects)} and {none_left(imported)};
