-- issues: delete insert issue remains
-- Binds: ?1 issue_id
-- Rows in the small world: 0 given, 1 written

insert into issue_remains (issue_id)
values (?1)
on conflict do nothing

-- Plan:
