-- Lists of projects: everywhere, and in a namespace. Those who may not see a project never pass over it.
create index projects_listed on projects (visibility, id) where deleted_at is null;
create index projects_within on projects (namespace_id, visibility, id) where deleted_at is null;
create index projects_within_by_name on projects (namespace_id, visibility, lower(name), id) where deleted_at is null;
create index projects_within_by_path on projects (namespace_id, visibility, lower(path), id) where deleted_at is null;
create index projects_within_by_update on projects (namespace_id, visibility, updated_at, id) where deleted_at is null;

-- Tokens by what they are for: those of a person, of all persons, of a project.
create index tokens_of_person on tokens (user_id, id) where kind = 'personal';
create index tokens_of_persons on tokens (id) where kind = 'personal';
create index tokens_of_project_by_kind on tokens (project_id, kind, id) where project_id is not null;
