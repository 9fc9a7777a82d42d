-- A namespace with its name, and the user whose own it is.
create view namespace_rows as
select n.id, n.kind, n.path, n.path_key, coalesce(g.name, n.path) as name, coalesce(g.description, '') as description,
  coalesce(g.created_at, u.created_at) as created_at,
  iif(u.id is null, null, json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)) as owner
from namespaces n left join groups g on g.id = n.id left join users u on u.id = n.id;

-- A project with all that answers tell of it, whoever asks. opened: its open issues, opened_hidden: the confidential ones besides.
create view project_rows as
select p.id, p.namespace_id, p.name, p.path, p.full_name, p.full_path, p.description, p.visibility, p.default_branch, p.issues_enabled,
  p.builds_enabled, p.archived, p.creator_id, p.created_at, p.updated_at,
  (select json_object('id', n.id, 'kind', n.kind, 'path', n.path, 'name', n.name, 'description', n.description,
    'created_at', n.created_at, 'owner', json(n.owner)) from namespace_rows n where n.id = p.namespace_id) as namespace,
  (select c.opened from issue_counts c where c.project_id = p.id) as opened,
  (select c.opened_hidden from issue_counts c where c.project_id = p.id) as opened_hidden,
  (select b.commits from branch_counts b where b.project_id = p.id and b.branch = p.default_branch) as commits
from projects p where p.deleted_at is null;

-- A group with all that answers tell of it.
create view group_rows as
select g.id, g.name, g.path, g.description, g.visibility, g.created_at,
  (select default_branch_protection from settings where id = 1) as branch_protection
from groups g;
