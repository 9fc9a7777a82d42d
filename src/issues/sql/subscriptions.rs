//! Statements of `issues/subscriptions.rs`.

/// What the user `?2` says himself, over what taking part would say. No row: it was said already.
pub const SAY: &str = "insert into subscriptions (issue_id, user_id, subscribed)
select id, ?2, ?3 from issues where id = (select ?1) and deleted_at is null
on conflict do update set subscribed = excluded.subscribed where subscribed <> excluded.subscribed
returning json_quote(subscribed) as v";
