-- members: insert project members
-- Binds: ?1 *user_id, ?2 place_id, ?3 access, ?4 now
-- Rows in the small world: 1 given, 1 written

insert into project_members (user_id, project_id, access, created_at)
values (?1, ?2, ?3, ?4)
on conflict do nothing
returning 'true' as v

-- Plan:
