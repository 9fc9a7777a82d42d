-- Projects, their members and badges.

create table projects (
  id integer primary key,
  namespace_id integer not null references namespaces (id),
  creator_id integer not null references users (id),
  name text not null,
  path text not null,
  -- the path of the namespace, a slash and the path of the project
  full_path text not null,
  -- lower case of the full path, by which a project is looked up
  path_key text not null unique,
  -- the name of the namespace and the name of the project, with a slash between blanks
  full_name text not null,
  -- 0 private, 10 internal, 20 public
  visibility integer not null check (visibility in (0, 10, 20)),
  issues_enabled integer not null default 1 check (issues_enabled in (0, 1)),
  builds_enabled integer not null default 1 check (builds_enabled in (0, 1)),
  archived integer not null default 0 check (archived in (0, 1)),
  -- a branch without refs/heads/, as the mirror names it, null: empty repository
  default_branch text,
  created_at integer not null,
  -- of the last change or, to the hour, of what last happened in the project
  updated_at integer not null,
  -- soft deletion: from then on no read shows the project
  deleted_at integer,
  -- since then what belongs to a deleted project is being removed, and the project cannot come back. Its row stays
  purged_at integer,
  -- 1: a commit that comes into the default branch closes the issues that its message names for that
  autoclose integer not null default 1 check (autoclose in (0, 1)),
  quota_bytes integer as (
    1000 + 15 * (octet_length(name) + octet_length(path)) + coalesce(octet_length(description), 0)
  ) virtual,
  description text
) strict;
-- no two projects of a namespace have the same name
create unique index projects_named on projects (namespace_id, name) where deleted_at is null;
-- the orders of lists within a namespace
create index projects_of_namespace on projects (namespace_id, id);
create index projects_by_name on projects (namespace_id, lower(name), id);
create index projects_by_path on projects (namespace_id, lower(path), id);
create index projects_by_update on projects (namespace_id, updated_at, id);
-- the same by visibility: callers never pass over projects that they may not see
create index projects_within on projects (namespace_id, visibility, id) where deleted_at is null;
create index projects_within_by_name on projects (namespace_id, visibility, lower(name), id) where deleted_at is null;
create index projects_within_by_path on projects (namespace_id, visibility, lower(path), id) where deleted_at is null;
create index projects_within_by_update on projects (namespace_id, visibility, updated_at, id) where deleted_at is null;
-- the orders of the list of all projects that a caller sees
create index projects_by_visibility on projects (visibility, id);
create index projects_listed on projects (visibility, id) where deleted_at is null;
create index projects_seen_by_name on projects (visibility, lower(name), id) where deleted_at is null;
create index projects_seen_by_path on projects (visibility, lower(path), id) where deleted_at is null;
create index projects_seen_by_update on projects (visibility, updated_at, id) where deleted_at is null;
-- those of a namespace from either end of its visibilities
create index projects_of_namespace_by_visibility on projects (namespace_id, visibility) where deleted_at is null;
create index projects_seen_of_namespace on projects (visibility, namespace_id) where deleted_at is null;
-- the few of a namespace whose issues nobody sees
create index projects_without_issues on projects (namespace_id) where deleted_at is not null or not issues_enabled;
create index projects_archived on projects (namespace_id) where archived and deleted_at is null;
-- those that retention removes
create index projects_to_purge on projects (deleted_at) where deleted_at is not null and purged_at is null;

-- A group counts its projects.
create trigger projects_counted after insert on projects when new.deleted_at is null BEGIN
  update groups set projects_count = projects_count + 1 where id = new.namespace_id;
END;
create trigger projects_uncounted after update of deleted_at on projects
when old.deleted_at is null and new.deleted_at is not null BEGIN
  update groups set projects_count = projects_count - 1 where id = new.namespace_id;
END;
create trigger projects_recounted after update of deleted_at on projects
when old.deleted_at is not null and new.deleted_at is null BEGIN
  update groups set projects_count = projects_count + 1 where id = new.namespace_id;
END;
-- A project is at most as visible as its group, also when two requests change both at once.
create trigger projects_begin_no_more_visible_than_their_group before insert on projects
when new.visibility > (select g.visibility from groups g where g.id = new.namespace_id) BEGIN
  select raise(abort, 'E_VISIBILITY');
END;
create trigger projects_stay_no_more_visible_than_their_group before update of visibility on projects
when new.visibility > old.visibility
  and new.visibility > (select g.visibility from groups g where g.id = new.namespace_id) BEGIN
  select raise(abort, 'E_VISIBILITY');
END;
-- When the default branch changes, every commit may belong to another branch.
create trigger projects_default_branch after update of default_branch on projects
when old.default_branch is not new.default_branch and exists (select 1 from refs r where r.project_id = new.id) BEGIN
  insert into mirrors (project_id, version, scan_after)
  values (new.id, 1, '')
  on conflict (project_id) do update set version = version + 1, scan_after = '';
  insert into branch_queue (commit_id, project_id, committed_at)
  select c.id, new.id, c.committed_at
  from refs r
  join commits c on c.id = r.commit_id
  where r.project_id = new.id and r.name = 'refs/heads/' || new.default_branch
  on conflict do nothing;
END;
create trigger projects_restored after update of name, path, description on projects
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.id;
END;
-- A new project has a counter of its bytes first.
create trigger projects_stored after insert on projects BEGIN
  insert into storage (project_id, bytes) values (new.id, 0);
  update storage set bytes = bytes + new.quota_bytes where project_id = new.id;
  insert into events (project_id, author_id, kind, action, created_at)
  values (new.id, new.creator_id, 'project', 'created', new.created_at);
END;

create table project_members (
  user_id integer not null references users (id),
  project_id integer not null references projects (id),
  -- 10 guest, 20 reporter, 30 developer, 40 master, 50 owner
  access integer not null check (access in (10, 20, 30, 40, 50)),
  created_at integer not null,
  -- of the project, so that the members of any project of a group are found in an index
  namespace_id integer not null references namespaces (id),
  -- the day on which the membership ends, as 2026-01-31
  expires_at text check (octet_length(expires_at) = 10),
  primary key (user_id, project_id)
) strict, without rowid;
create index project_members_ending on project_members (expires_at) where expires_at is not null;
create index project_members_of_namespace on project_members (user_id, namespace_id);
create index project_members_of_project on project_members (project_id, user_id);

create trigger project_members_joined after insert on project_members BEGIN
  insert into events (project_id, author_id, kind, action, created_at)
  values (new.project_id, new.user_id, 'member', 'joined', new.created_at);
END;

-- Badges of projects: pictures with an address of their own, and where a click on them leads.
create table badges (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  name text check (octet_length(name) <= 1020),
  link_url text not null check (octet_length(link_url) <= 1020),
  image_url text not null check (octet_length(image_url) <= 1020),
  created_at integer not null,
  quota_bytes integer as (
    100 + coalesce(octet_length(name), 0) + octet_length(link_url) + octet_length(image_url)
  ) virtual
) strict;
create index badges_of_project on badges (project_id, id);

create trigger badges_stored after insert on badges BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger badges_restored after update of name, link_url, image_url on badges
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger badges_unstored after delete on badges BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- A project in answers, the same for every caller. opened: its open issues. opened_hidden: its open confidential
-- issues. commits: those of its default branch. sizes: the bytes of trees and files, of uploads and of packages.
create view project_rows as
select
  p.id, p.namespace_id, p.name, p.path, p.full_name, p.full_path, p.description, p.visibility, p.default_branch,
  p.issues_enabled, p.builds_enabled, p.archived, p.creator_id, p.created_at, p.updated_at,
  (
    select json_object(
      'id', n.id, 'kind', n.kind, 'path', n.path, 'name', n.name, 'description', n.description,
      'created_at', n.created_at, 'owner', json(n.owner)
    )
    from namespace_rows n
    where n.id = p.namespace_id
  ) as namespace,
  (select c.opened from issue_counts c where c.project_id = p.id) as opened,
  (select c.opened_hidden from issue_counts c where c.project_id = p.id) as opened_hidden,
  (select b.commits from branch_counts b where b.project_id = p.id and b.branch = p.default_branch) as commits,
  p.autoclose,
  (
    select json_object('contents', t.contents, 'uploads', t.uploads, 'packages', t.packages)
    from storage t
    where t.project_id = p.id
  ) as sizes,
  (select f.files from root_files f where f.project_id = p.id) as root_files,
  exists (
    select 1
    from refs r
    where r.project_id = p.id and r.name > 'refs/heads/' and r.name < 'refs/heads0'
  ) as has_branches
from projects p
where p.deleted_at is null;

-- The texts that a search reads. kind 1: name, whole path and description. 2: name, path and
-- description.
create view project_texts as
select id, 1 as kind, name || char(10) || full_path || char(10) || coalesce(description, '') as text
from projects
union all
select id, 2, name || char(10) || path || char(10) || coalesce(description, '')
from projects;
