-- Deleted users, orders of lists of users, and the members of a group as a number.

-- When an administrator deleted the user, null for the others. The row stays, because records refer to it. It has no
-- name of its own any more, so that name and address are free.
alter table users add column deleted_at integer;

-- the orders of lists of users
create index users_by_name on users (lower(name), id) where id > 0 and deleted_at is null;
create index users_by_username on users (lower(username), id) where id > 0 and deleted_at is null;
drop index users_of_people;
create index users_of_people on users (id) where id > 0 and deleted_at is null;

-- how many members a group has
alter table groups add column members_count integer not null default 0;
update groups set members_count = (select count(*) from group_members m where m.group_id = groups.id);
create trigger group_members_counted after insert on group_members BEGIN
  update groups set members_count = members_count + 1 where id = new.group_id;
END;
create trigger group_members_uncounted after delete on group_members BEGIN
  update groups set members_count = members_count - 1 where id = old.group_id;
END;

-- What owners are told of their namespace: a JSON object of both counts. A user has no members.
create view namespace_counts as
select n.id, json_object('projects_count', coalesce(g.projects_count, u.projects_count), 'members_count', g.members_count) as counts
from namespaces n left join groups g on g.id = n.id left join users u on u.id = n.id;
