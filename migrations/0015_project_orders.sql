-- The orders of the list of all projects that somebody may see.
create index projects_seen_by_name on projects (visibility, lower(name), id) where deleted_at is null;
create index projects_seen_by_path on projects (visibility, lower(path), id) where deleted_at is null;
create index projects_seen_by_update on projects (visibility, updated_at, id) where deleted_at is null;

-- the same of groups
create index groups_seen_by_name on groups (visibility, lower(name), id);
create index groups_seen_by_path on groups (visibility, lower(path), id);

-- Those of a namespace by visibility. Its neighbours in either direction are projects of the same visibility, so that reading
-- to the end of a range tells nothing of hidden ones.
create index projects_seen_of_namespace on projects (visibility, namespace_id) where deleted_at is null;

-- People alone, without the users of tokens, whose ids are negative: reading to the end of the list of people meets none of them.
create index users_of_people on users (id) where id > 0;
