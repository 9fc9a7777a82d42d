-- Lists of users, groups and tokens at the cost of a page.
create index users_blocked on users (id) where state <> 'active';
create index groups_by_visibility on groups (visibility, id);
create index tokens_of_project on tokens (project_id, id) where project_id is not null;
