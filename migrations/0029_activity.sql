-- of one kind that a push makes, moves or removes, the most refs that hooks get
alter table settings add column push_event_hooks_limit integer not null default 50 check (push_event_hooks_limit >= 0);
