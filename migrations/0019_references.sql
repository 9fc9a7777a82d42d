-- What messages of commits say of issues, and whether they may close them.

-- 1: a commit that comes into the default branch closes the issues that its message says it closes
alter table projects add column autoclose integer not null default 1 check (autoclose in (0, 1));

-- Commits with ids up to this one came with a history, so that their messages mention no issue.
alter table mirrors add column history_until integer not null default 0;
-- Commits with greater ids have come since refs were moved last.
alter table mirrors add column seen_until integer not null default 0;
update mirrors set history_until = (select coalesce(max(id), 0) from commits), seen_until = (select coalesce(max(id), 0) from commits);

-- What commits have done to issues: each does it once.
create table commit_references (
  id integer primary key,
  issue_id integer not null references issues (id),
  sha text not null check (octet_length(sha) <= 64),
  -- 1: closes the issue, 0: mentions it
  closes integer not null check (closes in (0, 1)),
  -- 1: came with the batch that is being stored
  fresh integer not null default 1 check (fresh in (0, 1))
) strict;
create unique index commit_references_of_issue on commit_references (issue_id, sha, closes);
create index commit_references_fresh on commit_references (fresh, issue_id, closes, id) where fresh = 1;

-- the user in whose name a hook closes and mentions, null: not a hook, or made by an older version
alter table tokens add column pusher_id integer references users (id) check (pusher_id < 0);

drop view project_rows;
create view project_rows as
select p.id, p.namespace_id, p.name, p.path, p.full_name, p.full_path, p.description, p.visibility, p.default_branch, p.issues_enabled,
  p.builds_enabled, p.archived, p.creator_id, p.created_at, p.updated_at,
  (select json_object('id', n.id, 'kind', n.kind, 'path', n.path, 'name', n.name, 'description', n.description,
    'created_at', n.created_at, 'owner', json(n.owner)) from namespace_rows n where n.id = p.namespace_id) as namespace,
  (select c.opened from issue_counts c where c.project_id = p.id) as opened,
  (select c.opened_hidden from issue_counts c where c.project_id = p.id) as opened_hidden,
  (select b.commits from branch_counts b where b.project_id = p.id and b.branch = p.default_branch) as commits,
  p.autoclose
from projects p where p.deleted_at is null;
