-- mirror: moves count
-- Binds: ?1 project_id
-- Rows in the small world: 0 given, 1 written

insert into mirrors (project_id, version)
values (?1, 1)
on conflict (project_id) do update set version = version + 1

-- Plan:
