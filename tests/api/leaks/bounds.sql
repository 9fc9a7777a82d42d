-- What every world has at either end of each table, hidden from all.
insert into namespaces (id, kind, path, path_key) values ({id}, 'user', '{name}-user', '{name}-user'), ({id} + 1, 'group', '{name}', '{name}');
insert into users (id, username, name, email, email_key, state, created_at) values ({id}, '{name}-user', 'bound', '{name}', '{name}', 'blocked', 0);
insert into groups (id, name, path, visibility, created_at) values ({id} + 1, '{name}', '{name}', 0, 0);
insert into group_members (user_id, group_id, access, created_at) values ({id}, {id} + 1, 50, 0);
insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, default_branch, created_at, updated_at)
values ({id}, {id} + 1, {id}, 'bound', '{name}', '{name}/{name}', '{name}/{name}', '{name}', 0, 'master', 0, 0);
insert into project_members (user_id, project_id, access, created_at, namespace_id) values ({id}, {id}, 50, 0, {id} + 1);
insert into issue_counts (project_id, last_iid) values ({id}, 1);
insert into labels (id, project_id, title, color, created_at) values ({id}, {id}, '{name}', '#000000', 0);
insert into milestones (id, project_id, iid, title, created_at, updated_at) values ({id}, {id}, 1, '{name}', 0, 0);
insert into issues (id, project_id, iid, author_id, assignee_id, milestone_id, title, state, confidential, created_at, updated_at)
values ({id}, {id}, 1, {id}, {id}, {id}, '{name}', '{state}', 1, {id}, {id});
insert into issue_labels (issue_id, label_id, section, created_at) select id, {id}, section, created_at from issues where id = {id};
insert into subscriptions (issue_id, user_id, subscribed) values ({id}, {id}, 1);
insert into notes (id, project_id, issue_id, author_id, body, created_at, updated_at) values ({id}, {id}, {id}, {id}, '{name}', 0, 0);
insert into participants (issue_id, user_id, note_id) values ({id}, {id}, {id});
insert into todos (id, user_id, author_id, project_id, issue_id, note_id, action, state, created_at, updated_at) values ({id}, {id}, {id}, {id}, {id}, {id}, 'marked', 'pending', 0, 0);
insert into tokens (hash, id, user_id, kind, project_id, scopes, name, created_at) values ('{sha}', {id}, {id}, 'hook', {id}, 64, '{name}', 0);
insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name, committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas, branch)
values ({id}, {id}, '{sha}', 'a', 'a', 0, 0, 'a', 'a', 0, 0, 'm', 0, 0, '[]', 'master');
insert into parents (child_id, position, parent_id, parent_committed_at) values ({id}, 0, {id}, 0);
insert into refs (project_id, name, commit_id) values ({id}, 'refs/heads/master', {id}), ({id}, 'refs/tags/v1', {id});
insert into diffs (commit_id, part, text) values ({id}, 0, '[]');
insert into commit_comments (id, project_id, commit_id, author_id, note, created_at, updated_at) values ({id}, {id}, {id}, {id}, 'n', 0, 0);
insert into statuses (id, project_id, commit_id, ref, name, user_id, state, created_at) values ({id}, {id}, {id}, 'master', '{name}', {id}, 'pending', 0);
insert into resource_events (id, issue_id, user_id, kind, action, state, created_at) values ({id}, {id}, {id}, 'state', 'closed', 'opened', 0);
insert into awards (id, issue_id, note_id, user_id, name, created_at) values ({id}, {id}, 0, {id}, 'star', 0);
insert into badges (id, project_id, link_url, image_url, created_at) values ({id}, {id}, 'https://a', 'https://b', 0);
insert into label_subscriptions (label_id, user_id) values ({id}, {id});
insert into uploads (id, project_id, secret, filename, size, sha256, author_id, created_at) values ({id}, {id}, printf('%032d', {id}), 'a', 0, printf('%064d', 0), {id}, 0);
insert into packages (id, project_id, name, version, author_id, created_at) values ({id}, {id}, '{name}', '1', {id}, 0);
insert into package_files (id, package_id, project_id, file_name, object, size, sha256, created_at) values ({id}, {id}, {id}, 'a', printf('%032d', {id}), 0, printf('%064d', 0), 0);
insert into environments (id, project_id, number, name, created_at) values ({id}, {id}, 1, '{name}', 0);
insert into deployments (id, project_id, iid, environment_id, commit_id, ref, user_id, changed_by, name, state, created_at)
values ({id}, {id}, 1, {id}, {id}, 'master', {id}, {id}, '{name}', 'pending', 0);
