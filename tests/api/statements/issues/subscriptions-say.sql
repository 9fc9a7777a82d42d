-- What the user `?2` says himself, over what taking part would say. No row: it was said already.
-- Binds: ?1 row.id, ?2 entered.caller.user.id, ?3 subscribed
-- Rows in the small world: 1 given, 1 written

insert into subscriptions (issue_id, user_id, subscribed)
select id, ?2, ?3
from issues
where id = (select ?1) and deleted_at is null
on conflict do update set subscribed = excluded.subscribed
where subscribed <> excluded.subscribed
returning json_quote(subscribed) as v

-- Plan:
-- SEARCH issues USING INTEGER PRIMARY KEY (rowid=?)
