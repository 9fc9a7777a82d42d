-- Statuses as requests see them.

-- The commit that a name in a request is. tip_of: the branch that the name is, if the commit is its tip. first_branch: the branch that
-- the commit belongs to. Ask as the view commit_names: for one project and name = json_array(the name).
create view status_targets as
select n.project_id, n.name, c.id as commit_id, c.sha, c.branch as first_branch,
  (select substr(r.name, 12) from refs r where r.project_id = n.project_id and r.commit_id = c.id and r.name = n.branch) as tip_of
from commit_names n cross join commits c on c.id = n.commit_id;

create view status_rows as
select s.id, s.commit_id, s.user_id, s.ref as git_ref, s.state, s.name, s.target_url, s.description, s.coverage, s.skipped, s.created_at,
  s.started_at, s.finished_at, (select c.sha from commits c where c.id = s.commit_id) as sha,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = s.user_id) as author
from statuses s;

-- The statuses of a commit in the order of their ids, all and the newest ones.
drop index statuses_of_commit;
create index statuses_of_commit on statuses (commit_id, id);
drop index status_heads_in_order;
create index status_heads_in_order on status_heads (commit_id, status_id);

-- A deployment with all it refers to. job: the status that is its job. author: who runs the job.
create view deployment_rows as
select d.id, d.iid, d.project_id, d.environment_id, d.created_at,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = d.user_id) as user,
  (select json_object('id', e.id, 'number', e.number, 'name', e.name, 'external_url', e.external_url, 'created_at', e.created_at,
    'updated_at', e.updated_at, 'state', e.state, 'tier', e.tier, 'description', e.description)
    from environments e where e.id = d.environment_id) as environment,
  json_object('id', s.id, 'git_ref', s.ref, 'state', s.state, 'name', s.name, 'target_url', s.target_url, 'description', s.description,
    'coverage', s.coverage, 'skipped', s.skipped, 'created_at', s.created_at, 'started_at', s.started_at, 'finished_at', s.finished_at,
    'commit_id', s.commit_id, 'stage', s.stage, 'tag', s.tag, 'user_id', s.user_id) as job,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email, 'created_at', u.created_at,
    'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location, 'skype', u.skype,
    'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url,
    'projects_limit', coalesce(u.projects_limit, (select default_projects_limit from settings)), 'projects_count', u.projects_count)
    from users u where u.id = s.user_id) as author,
  (select c.document from commit_documents c where c.id = s.commit_id) as "commit",
  iif(s.skipped, 'skipped', iif(s.state = 'pending', 'created', s.state)) as v4_state,
  coalesce(s.finished_at, s.started_at, s.created_at) as updated_at, s.finished_at, s.ref as git_ref, octet_length(s.description) as bytes
from deployments d cross join statuses s on s.id = d.status_id;

-- Milestones as requests see them. A deleted one stays, so that its number is not given out again: its number is less than 0, and its
-- title one that no milestone can have.
create view milestone_rows as
select id, iid, project_id, title, description, state, due_date, start_date, created_at, updated_at, opened, closed, opened_hidden, closed_hidden
from milestones where iid > 0;
