-- What guards the writing transactions.

-- What a batch expects. A row with holds = 0 ends the whole batch and nothing of it is written. A row with holds = 1 is
-- dropped, so the table stays empty.
create table expectations (
  -- whether the expected condition is true
  holds integer not null
) strict;
create trigger expectations_hold before insert on expectations when new.holds BEGIN
  select raise(ignore);
END;
create trigger expectations_fail before insert on expectations when not new.holds BEGIN
  select raise(abort, 'E_EXPECTATION');
END;

-- Requests that name themselves by an Idempotency-Key, and what they were answered: for a day a repeat gets the same.
-- A row without an answer is seen by no other batch than its own.
create table idempotency_keys (
  user_id integer not null references users (id),
  -- SHA-256 of the key, lower-case hexadecimal
  key text not null,
  -- SHA-256 of the request: verb, path and parameters
  digest text not null,
  -- JSON: the row that the answer was made of, and what else it depended on
  answer text,
  -- the record that the batch found, if it changed one instead of making it
  record_id integer,
  created_at integer not null,
  primary key (user_id, key)
) strict, without rowid;
create index idempotency_keys_by_age on idempotency_keys (created_at);
-- After a day they are of no use: every further one takes ten of the oldest along, so that no request pays for many.
create trigger idempotency_keys_expire after insert on idempotency_keys BEGIN
  delete from idempotency_keys where (user_id, key) in (select o.user_id, o.key from idempotency_keys o
    where o.created_at <= new.created_at - 86400000 order by o.created_at limit 10);
END;
