-- Groups, tokens and the users of tokens count in the share of the person who made them, beside projects. The list of
-- what administrators did shows names of settings, and acts in groups.

-- null: nobody knows who made the group. Its bytes are in the share of nobody
alter table groups add column creator_id integer references users (id);
update groups
set creator_id = o.user_id
from (select group_id, user_id, min(created_at) from group_members where access = 50 group by group_id) o
where o.group_id = groups.id;

-- who made the token that acts as this user, null: a person
alter table users add column maker_id integer references users (id);
update users
set maker_id = t.user_id
from (
  select coalesce(bot_id, pusher_id) as id, min(user_id) as user_id
  from tokens
  where coalesce(bot_id, pusher_id) is not null
  group by 1
) t
where t.id = users.id;

-- in the database, of groups, tokens and users of tokens that the person made. They count in steps of 256 KiB, too
alter table shares add column records integer not null default 0;
insert into shares (user_id, bytes)
select distinct user_id, 0
from (
  select user_id
  from tokens
  union all
  select maker_id
  from users
  union all
  select creator_id
  from groups
)
where user_id is not null
on conflict do nothing;
update shares
set records = r.bytes
from (
  select user_id, sum(quota_bytes) as bytes
  from (
    select user_id, quota_bytes
    from tokens
    union all
    select maker_id, quota_bytes
    from users
    union all
    select creator_id, quota_bytes
    from groups
  )
  group by 1
) r
where r.user_id = shares.user_id;
update shares set steps = steps + ((records + 258048) >> 18);

create trigger shares_of_records after update of records on shares
when (new.records + 258048) >> 18 <> (old.records + 258048) >> 18 BEGIN
  update shares
  set steps = steps + ((new.records + 258048) >> 18) - ((old.records + 258048) >> 18)
  where user_id = new.user_id;
  select raise(abort, 'E_PERSON_FULL')
  from stored s
  cross join shares h on h.user_id = new.user_id
  cross join users u on u.id = new.user_id
  where s.id = 1
    and s.person_most > 0
    and new.records > old.records
    and h.steps << 18 > s.person_most
    and not u.admin;
END;

create trigger tokens_shared after insert on tokens BEGIN
  insert into shares (user_id, bytes)
  values (new.user_id, 0)
  on conflict do nothing;
  update shares set records = records + new.quota_bytes where user_id = new.user_id;
END;
create trigger tokens_unshared after delete on tokens BEGIN
  update shares set records = records - old.quota_bytes where user_id = old.user_id;
END;

create trigger users_of_tokens_shared after insert on users when new.maker_id is not null BEGIN
  insert into shares (user_id, bytes)
  values (new.maker_id, 0)
  on conflict do nothing;
  update shares set records = records + new.quota_bytes where user_id = new.maker_id;
END;
create trigger users_of_tokens_reshared after update of name on users when new.quota_bytes <> old.quota_bytes BEGIN
  update shares set records = records + new.quota_bytes - old.quota_bytes where user_id = new.maker_id;
END;
create trigger users_of_tokens_unshared after delete on users when old.maker_id is not null BEGIN
  update shares set records = records - old.quota_bytes where user_id = old.maker_id;
END;

create trigger groups_shared after insert on groups when new.creator_id is not null BEGIN
  insert into shares (user_id, bytes)
  values (new.creator_id, 0)
  on conflict do nothing;
  update shares set records = records + new.quota_bytes where user_id = new.creator_id;
END;
create trigger groups_reshared after update of name, path, description on groups
when new.quota_bytes <> old.quota_bytes BEGIN
  update shares set records = records + new.quota_bytes - old.quota_bytes where user_id = new.creator_id;
END;
create trigger groups_unshared after delete on groups BEGIN
  update shares set records = records - old.quota_bytes where user_id = old.creator_id;
END;

-- audit_events again, for acts in groups and with the names of changed settings.
create table more_audit_events (
  id integer primary key autoincrement,
  -- the owner of the token, also with SUDO
  author_id integer not null,
  entity_type text not null check (entity_type in ('User', 'Group', 'Project', 'SystemHook', 'ApplicationSetting')),
  -- null: the settings, which are one record
  entity_id integer,
  -- the verb and path of the route, with names in place of ids
  event_name text not null check (octet_length(event_name) <= 100),
  -- the path of the request, cut at its limit, without the query
  path text not null check (octet_length(path) <= 200),
  -- of the request: a batch that runs again adds no second row
  request text not null check (octet_length(request) = 16),
  created_at integer not null,
  -- the names of the settings that changed
  changes text check (octet_length(changes) <= 4000)
) strict;
insert into more_audit_events (id, author_id, entity_type, entity_id, event_name, path, request, created_at)
select id, author_id, entity_type, entity_id, event_name, path, request, created_at
from audit_events;
drop table audit_events;
alter table more_audit_events rename to audit_events;
create index audit_events_by_creation on audit_events (created_at);
