-- Deployments are listed by their numbers within the project, which ascend with their ids.
drop index deployments_of_project;

-- Environments, too: numbered within the project from 1, without gaps.
alter table environments add column number integer not null default 0;
update environments set number = (select count(*) from environments other
  where other.project_id = environments.project_id and other.id <= environments.id);
create unique index environments_in_order on environments (project_id, number);
