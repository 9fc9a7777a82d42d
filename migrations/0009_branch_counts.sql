-- How many commits belong to each branch: the total of the commits of the default branch, without a count. Kept by the
-- batches that store the branches of commits.

create table branch_counts (
  project_id integer not null references projects (id),
  branch text not null,
  commits integer not null,
  primary key (project_id, branch)
) strict, without rowid;

insert into branch_counts (project_id, branch, commits)
select project_id, branch, count(*) from commits where branch is not null group by project_id, branch;
