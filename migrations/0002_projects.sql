-- Projects and their members.

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
  description text,
  -- 0 private, 10 internal, 20 public
  visibility integer not null check (visibility in (0, 10, 20)),
  issues_enabled integer not null default 1 check (issues_enabled in (0, 1)),
  builds_enabled integer not null default 1 check (builds_enabled in (0, 1)),
  archived integer not null default 0 check (archived in (0, 1)),
  -- a branch without refs/heads/, as the mirror names it, null: empty repository
  default_branch text,
  created_at integer not null,
  updated_at integer not null,
  -- soft deletion: from then on no read shows the project
  deleted_at integer,
  -- since then what belongs to a deleted project is being removed, and the project cannot come back. Its row stays
  purged_at integer
) strict;
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
create trigger groups_stay_as_visible_as_their_projects before update of visibility on groups
when new.visibility < old.visibility and exists (select 1 from projects p
  where p.namespace_id = new.id and p.visibility > new.visibility and p.deleted_at is null) BEGIN
  select raise(abort, 'E_VISIBILITY');
END;

create table project_members (
  user_id integer not null references users (id),
  project_id integer not null references projects (id),
  -- 10 guest, 20 reporter, 30 developer, 40 master, 50 owner
  access integer not null check (access in (10, 20, 30, 40, 50)),
  created_at integer not null,
  -- of the project, so that the members of any project of a group are found in an index
  namespace_id integer not null references namespaces (id),
  primary key (user_id, project_id)
) strict, without rowid;
create index project_members_of_namespace on project_members (user_id, namespace_id);
create index project_members_of_project on project_members (project_id, user_id);
