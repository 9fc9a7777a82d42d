-- A member of a project may be its owner (50), as a member of a group may.
create table project_members_to_be (
  user_id integer not null references users (id),
  project_id integer not null references projects (id),
  -- 10 guest, 20 reporter, 30 developer, 40 master, 50 owner
  access integer not null check (access in (10, 20, 30, 40, 50)),
  created_at integer not null,
  primary key (user_id, project_id)
) strict, without rowid;
insert into project_members_to_be (user_id, project_id, access, created_at)
select user_id, project_id, access, created_at from project_members;
drop table project_members;
alter table project_members_to_be rename to project_members;
create index project_members_of_project on project_members (project_id, user_id);
