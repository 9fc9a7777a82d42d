-- The comments of an issue in the order in which they were made. An owner may give a comment an earlier time, so their
-- ids are in another order.
create index notes_by_creation on notes (issue_id, created_at, id, has_event);
