-- issues
insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, state, created_at, updated_at)
select {project}, 1000 + n, {ann}, {ann}, {milestone}, 'x', iif(n % 2, 'opened', 'closed'), n, n from numbers;
insert into issue_labels (issue_id, label_id, section, created_at)
select i.id, {label}, i.section, i.created_at from issues i join numbers on i.iid = 1000 + n;
-- labels of an issue: 64 128 256
insert into labels (project_id, title, color, created_at) select {project}, 'l' || n, '#ff0000', n from numbers;
insert into issue_labels (issue_id, label_id, section, created_at)
select {issue}, l.id, 0, 1 from labels l join numbers on l.title = 'l' || n;
-- comments
insert into notes (project_id, issue_id, author_id, body, created_at, updated_at)
select {project}, {issue}, {ann}, 'x', n, n from numbers;
-- comments of the system
insert into notes (project_id, issue_id, author_id, body, system, created_at, updated_at)
select {project}, {issue}, {ann}, 'x', 1, n, n from numbers;
-- comments of the system with events
insert into notes (project_id, issue_id, author_id, body, system, has_event, created_at, updated_at)
select {project}, {issue}, {ann}, 'x', 1, 1, n, n from numbers;
-- comments of the system about hidden issues
insert into notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, reference_issue_id, created_at, updated_at)
select {project}, {issue}, {ann}, 'x', 1, 'y', {project}, {issue} + 1, n, n from numbers;
-- awards of an issue and of a comment: 50 100 200
insert into awards (issue_id, note_id, user_id, name, created_at) select {issue}, 0, {ann}, 'a' || n, n from numbers;
insert into awards (issue_id, note_id, user_id, name, created_at) select {issue}, {note}, {ann}, 'a' || n, n from numbers;
-- links of issues: 12 24 48
insert into issues (project_id, iid, author_id, title, created_at, updated_at)
select {project}, 1000 + n, {ann}, 'x', n, n from numbers;
insert into issue_links (source_id, target_id, link_type, created_at, project_id)
select {issue}, i.id, 'blocks', n, {project} from numbers join issues i on i.iid = 1000 + n;
-- links of issues that relate: 128 256 512
insert into issues (project_id, iid, author_id, title, created_at, updated_at)
select {project}, 1000 + n, {ann}, 'x', n, n from numbers;
insert into issue_links (source_id, target_id, link_type, created_at, project_id)
select {issue}, i.id, 'relates_to', n, {project} from numbers join issues i on i.iid = 1000 + n;
-- participants and subscribers and followers of a label
{users}
insert into participants (issue_id, user_id, note_id) select {issue}, 1000000 + n, {note} from numbers;
insert into subscriptions (issue_id, user_id, subscribed) select {issue}, 1000000 + n, 1 from numbers;
insert into label_subscriptions (label_id, user_id) select {label}, 1000000 + n from numbers;
-- events of an issue
insert into resource_events (issue_id, user_id, kind, action, label_id, state, created_at)
select {issue}, {ann}, 'label', 'add', {label}, 'opened', n from numbers;
insert into resource_events (issue_id, user_id, kind, action, milestone_id, state, created_at)
select {issue}, {ann}, 'milestone', 'add', {milestone}, 'opened', n from numbers;
insert into resource_events (issue_id, user_id, kind, action, state, created_at)
select {issue}, {ann}, 'state', 'closed', 'closed', n from numbers;
-- references of commits, and packages that are hidden
insert into commit_references (issue_id, sha, closes, fresh) select {issue}, printf('%040x', n), 1, 0 from numbers;
insert into packages (project_id, name, version, status, author_id, created_at) select {project}, 'p' || n, '1', 'hidden', {ann}, n from numbers;
-- milestones
insert into milestones (project_id, iid, title, created_at, updated_at) select {project}, 100 + n, 'm' || n, n, n from numbers;
-- deleted issues and milestones
insert into milestones (project_id, iid, title, created_at, updated_at)
select {project}, 100000 + n, 'm' || n, n, n from numbers where n = 1;
insert into milestones (project_id, iid, title, created_at, updated_at) select {project}, -100 - n, 'd' || n, n, n from numbers;
insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, deleted_at, created_at, updated_at)
select {project}, 1000 + n, {ann}, {ann}, {milestone}, '', n, n, n from numbers;
-- to-do items
insert into todos (user_id, author_id, project_id, issue_id, action, state, created_at, updated_at)
select {ann}, {ann}, {project}, {issue}, 'mentioned', iif(n % 50, 'pending', 'done'), n, n from numbers;
-- users
{users}
-- members
{users}
insert into project_members (user_id, project_id, access, created_at, namespace_id)
select 1000000 + n, {project}, 30, n, {group} from numbers;
-- members of a group
{users}
insert into group_members (user_id, group_id, access, created_at) select 1000000 + n, {group}, 30, n from numbers;
-- groups
insert into namespaces (id, kind, path, path_key) select 2000000 + n, 'group', 'g' || n, 'g' || n from numbers;
insert into groups (id, name, path, visibility, created_at) select 2000000 + n, 'g' || n, 'g' || n, 20, n from numbers;
insert into group_members (user_id, group_id, access, created_at) select {ann}, 2000000 + n, 50, n from numbers;
-- projects
{projects}
-- projects of a member
{projects}
insert into project_members (user_id, project_id, access, created_at, namespace_id)
select {ann}, 3000000 + n, 30, n, {group} from numbers;
-- hidden projects
{projects}
update projects set visibility = 0, namespace_id = {rae} where id > 3000000;
-- tokens: 100 200 400
insert into tokens (hash, id, user_id, name, created_at) select 'x' || n, 4000000 + n, {ann}, 't' || n, n from numbers;
insert into namespaces (id, kind, path, path_key) select -1000000 - n, 'user', 'bot' || n, 'bot' || n from numbers;
insert into users (id, username, name, email, email_key, external, created_at)
select -1000000 - n, 'bot' || n, 'bot', 'bot' || n, 'bot' || n, 1, n from numbers;
insert into tokens (hash, id, user_id, kind, project_id, bot_id, scopes, access, name, created_at)
select 'z' || n, 6000000 + n, {ann}, 'project', {project}, -1000000 - n, 4, 30, 't' || n, n from numbers;
insert into tokens (hash, id, user_id, kind, project_id, scopes, name, created_at)
select 'y' || n, 5000000 + n, {ann}, 'hook', {project}, 64, 't' || n, n from numbers;
-- tokens that are revoked
insert into tokens (hash, id, user_id, name, created_at, revoked_at) select 'x' || n, 4000000 + n, {ann}, 't' || n, n, 1 from numbers;
-- commits: 128 256 512 40000 45000
{commits}
insert into parents (child_id, position, parent_id, parent_committed_at)
select {commit} + n, 0, {commit} + n - 1, {at} + n - 1 from numbers;
update refs set commit_id = {commit} + (select max(n) from numbers) where name = 'refs/heads/master';
-- parents of a commit: 16 32 64
{commits}
insert into parents (child_id, position, parent_id, parent_committed_at)
select {commit}, n, {commit} + n, {at} + n from numbers;
update commits set parent_shas = (select json_group_array(p.sha) from commits p where p.id > {commit}) where id = {commit};
-- children of a commit
{commits}
insert into parents (child_id, position, parent_id, parent_committed_at) select {commit} + n, 0, {commit}, {at} from numbers;
insert into refs (project_id, name, commit_id, committed_at)
select {project}, 'refs/heads/r' || n, {commit} + n, {at} + n from numbers;
-- commits that wait for their branch, and those to forget
{commits}
insert into branch_queue (commit_id, project_id, committed_at) select {commit} + n, {project}, {at} + n from numbers;
insert into forgotten_commits (commit_id, project_id) select {commit} + n, {project} from numbers;
-- branches and tags
insert into refs (project_id, name, commit_id, committed_at) select {project}, 'refs/heads/r' || n, {commit}, {at} from numbers;
insert into refs (project_id, name, commit_id, committed_at) select {project}, 'refs/tags/r' || n, {commit}, {at} from numbers;
insert into tag_objects (project_id, sha, commit_id) select {project}, printf('%040x', n), {commit} from numbers;
-- statuses
insert into statuses (project_id, commit_id, ref, name, user_id, state, created_at)
select {project}, {commit}, 'master', 'j' || n, {ann}, 'success', n from numbers;
-- statuses of one name
insert into statuses (project_id, commit_id, ref, name, user_id, state, created_at)
select {project}, {commit}, 'master', 'job', {ann}, 'success', n from numbers;
-- statuses of many refs: 128 256 512
insert into statuses (project_id, commit_id, ref, name, user_id, state, created_at)
select {project}, {commit}, 'r' || n, 'job', {ann}, 'success', n from numbers;
-- statuses of many commits
{commits}
insert into statuses (project_id, commit_id, ref, name, user_id, state, created_at)
select {project}, {commit} + n, 'master', 'job', {ann}, 'success', n from numbers;
-- reports of one name
insert into reports (project_id, job_id, commit_id, ref, name, kind, size, length, sha256, total, failed, errors, skipped,
  flaky, seconds, broken, passed, whole, slowest, created_at)
select {project}, 1000000 + n, {commit}, 'master', 'job', 1, 0, 0, printf('%064x', n), 1, 0, 0, 0, 0, 1, '[]', '[]', 1, '[]', n
from numbers;
-- comments of a commit
insert into commit_comments (project_id, commit_id, author_id, note, created_at, updated_at)
select {project}, {commit}, {ann}, 'x', n, n from numbers;
-- environments and uploads
insert into environments (project_id, number, name, created_at) select {project}, 100 + n, 'e' || n, n from numbers;
insert into uploads (project_id, secret, filename, size, sha256, author_id, created_at)
select {project}, printf('%032x', n), 'f', 1, printf('%064x', n), {ann}, n from numbers;
-- deployments
insert into deployments (project_id, iid, environment_id, commit_id, ref, user_id, changed_by, name, state, created_at)
select {project}, 100 + n, {environment}, {commit}, '', {ann}, {ann}, 'e', 'success', n from numbers;
-- releases
insert into releases (project_id, tag, sha, author_id, created_at, updated_at, released_at)
select {project}, 'r' || n, '', {ann}, n, n, n from numbers;
insert into milestone_releases (release_id, milestone_id, project_id)
select r.id, {milestone}, {project} from releases r join numbers on r.tag = 'r' || n;
-- milestones of a release: 4 8 16
insert into milestones (project_id, iid, title, created_at, updated_at) select {project}, 100 + n, 'm' || n, n, n from numbers;
insert into milestone_releases (release_id, milestone_id, project_id)
select {release}, m.id, {project} from milestones m join numbers on m.title = 'm' || n;
-- badges, and links of a release: 24 48 96
insert into release_links (release_id, project_id, name, url, link_type) select {release}, {project}, 'l' || n, 'https://x/' || n, 'other' from numbers;
insert into badges (project_id, name, link_url, image_url, created_at) select {project}, 'b' || n, 'https://x/', 'https://x/', n from numbers;
-- packages
insert into packages (project_id, name, version, author_id, created_at) select {project}, 'p' || n, '1', {ann}, n from numbers;
insert into package_files (package_id, project_id, file_name, object, size, sha256, created_at)
select p.id, {project}, 'f', printf('%032x', n), 1, printf('%064x', n), n from packages p join numbers on p.name = 'p' || n;
-- files of a package
insert into package_files (package_id, project_id, file_name, object, size, sha256, created_at)
select {package}, {project}, 'f' || n, printf('%032x', n), 1, printf('%064x', n), n from numbers;
-- hooks: 4 8 16
insert into hooks (project_id, maker_id, url, events, created_at) select {project}, {ann}, 'https://x/', 4, n from numbers;
insert into hooks (maker_id, url, events, created_at) select {ann}, 'https://x/', 4, n from numbers;
-- tries of a hook
insert into hook_log (hook_id, project_id, event_id, webhook_id, attempt, bit, url, request_headers, response_status, response_headers, response_body, millis, created_at)
select {hook}, {project}, 1, 'w' || n, 1, 4, 'https://x/', '{}', 200, '{}', 'x', 1, {now} from numbers;
-- events of hooks and deliveries
insert into hook_events (kind, action, bit, project_id, origin, snapshot, created_at) select 'issue', 'open', 4, {project}, '{}', '{}', {now} from numbers;
-- events
insert into events (project_id, author_id, kind, action, target_id, created_at)
select {project}, {ann}, 'issue', 'created', {issue}, {now} from numbers;
-- events of a push
insert into events (project_id, author_id, kind, action, detail, created_at)
select {project}, {ann}, 'push', 'pushed', '{"action":"pushed","ref":"master","ref_type":"branch","commit_count":1}', {now} from numbers;
-- events about what is gone
insert into events (project_id, author_id, kind, action, target_id, created_at)
select {project}, {ann}, 'note', 'commented', 900000 + n, {now} from numbers;
-- acts of administrators
insert into audit_events (author_id, entity_type, entity_id, event_name, path, request, created_at)
select 1, 'User', n, 'PUT /users/:id', '/api/v4/users/' || n, printf('%016x', n), {now} + n from numbers;
-- files of a diff: 2000 4000 8000
update diffs set text = (select json_group_array(json_object('diff', '@@ -1 +1 @@', 'new_path', 'x' || n, 'old_path', 'x' || n, 'a_mode', '100644', 'b_mode', '100644',
'new_file', json('false'), 'renamed_file', json('false'), 'deleted_file', json('false'))) from all_numbers) where commit_id = {commit};
-- more paths of a commit: 4 8 16
insert into more_paths (commit_id, part, text) select {commit}, n, '["x' || n || '"]' from numbers;
-- lengths of texts: 100000 200000 400000
update issues set description = replace(hex(zeroblob((select max(n) from numbers))), '0', 'x') where id = {issue};
update notes set body = replace(hex(zeroblob((select max(n) from numbers))), '0', 'x') where id = {note};
update milestones set description = replace(hex(zeroblob((select max(n) from numbers))), '0', 'x') where id = {milestone};
update releases set description = replace(hex(zeroblob((select max(n) from numbers))), '0', 'x') where id = {release};
update commits set message = replace(hex(zeroblob((select max(n) from numbers))), '0', 'x') where id = {commit};
update projects set description = replace(hex(zeroblob((select max(n) from numbers))), '0', 'x') where id = {project};
update commit_comments set note = replace(hex(zeroblob((select max(n) from numbers))), '0', 'x') where commit_id = {commit};
