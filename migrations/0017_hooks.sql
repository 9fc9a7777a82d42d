-- Outgoing web hooks (behaviour 14), and what they were sent.

-- Sealed texts are encrypted by the Worker, and in base64.
create table hooks (
  id integer primary key autoincrement,
  -- null: a hook of the system
  project_id integer references projects (id),
  -- who saved it last: the hook gets no more than this user may see
  maker_id integer not null references users (id),
  -- without a password
  url text not null check (octet_length(url) <= 8192),
  -- the whole address, sealed, if it has a password
  sealed_url text check (octet_length(sealed_url) <= 16384),
  name text check (octet_length(name) <= 1020),
  -- a bit for each kind: 1 push, 2 tag_push, 4 issues, 8 confidential_issues, 16 note, 32 confidential_note,
  -- 64 merge_requests, 128 job, 256 pipeline, 512 wiki_page, 1024 deployment, 2048 feature_flag, 4096 releases,
  -- 8192 milestone, 16384 emoji, 32768 resource_access_token, 65536 resource_deploy_token, 131072 vulnerability,
  -- 262144 repository_update, 524288 what every system hook gets
  events integer not null,
  enable_ssl_verification integer not null default 1 check (enable_ssl_verification in (0, 1)),
  branch_filter_strategy text not null default 'wildcard' check (
    branch_filter_strategy in ('wildcard', 'regex', 'all_branches')
  ),
  push_events_branch_filter text check (octet_length(push_events_branch_filter) <= 1020),
  custom_webhook_template text check (octet_length(custom_webhook_template) <= 16384),
  -- sealed
  token text check (octet_length(token) <= 4096),
  signing_token text check (octet_length(signing_token) <= 4096),
  -- the signing token before, and until when it signs, too
  old_signing_token text check (octet_length(old_signing_token) <= 4096),
  old_signing_until integer,
  -- JSON array of objects key, value, the values sealed
  url_variables text not null default '[]' check (octet_length(url_variables) <= 400000),
  custom_headers text not null default '[]' check (octet_length(custom_headers) <= 400000),
  -- failed tries in a row, and until when nothing is sent
  failures integer not null default 0,
  disabled_until integer,
  -- when the next of its deliveries is due, null: it has none
  next_at integer,
  -- who sends one now, and until when nobody else does
  lease text check (octet_length(lease) <= 64),
  lease_until integer,
  -- counts the changes
  revision integer not null default 0,
  created_at integer not null,
  quota_bytes integer as (
    1000 + octet_length(url) + coalesce(octet_length(description), 0)
      + coalesce(octet_length(custom_webhook_template), 0) + octet_length(url_variables) + octet_length(custom_headers)
  ) virtual,
  -- the delivery that is sent under the lease
  sending integer,
  -- rows and bytes of its log, at most 1000 rows and 10 MB
  log_rows integer not null default 0,
  log_bytes integer not null default 0,
  -- events that it did not get since its last try, because too many waited
  dropped integer not null default 0,
  description text check (octet_length(description) <= 8192)
) strict;
create index hooks_of_project on hooks (project_id, id);
create index hooks_due on hooks (next_at) where next_at is not null;
create index hooks_leased on hooks (lease) where lease is not null;

-- The system has at most 20 hooks, and so has each project.
create trigger hooks_of_system_end before insert on hooks
when new.project_id is null and 20 <= (select count(*) from hooks where project_id is null) BEGIN
  select raise(abort, 'E_HOOKS_OF_SYSTEM');
END;
create trigger hooks_stored after insert on hooks when new.project_id is not null BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger hooks_restored after update of
  url, description, custom_webhook_template, url_variables, custom_headers
on hooks
when new.quota_bytes <> old.quota_bytes and new.project_id is not null BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger hooks_unstored after delete on hooks when old.project_id is not null BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger hooks_of_project_end before insert on hooks
when new.project_id is not null and 20 <= (select count(*) from hooks where project_id = new.project_id) BEGIN
  select raise(abort, 'E_HOOKS_OF_PROJECT');
END;
create trigger hooks_queued after update of next_at on hooks when new.next_at is not null BEGIN
  insert into hook_queues (project_id, turn, next_at)
  values (coalesce(new.project_id, 0), 8 * new.next_at, new.next_at)
  on conflict (project_id) do update set next_at = excluded.next_at
  where hook_queues.next_at is null or hook_queues.next_at > excluded.next_at;
END;
create trigger hooks_unqueued after delete on hooks
when not exists (select 1 from hooks where project_id is old.project_id) BEGIN
  delete from hook_queues where project_id = coalesce(old.project_id, 0);
END;

-- One row for each try.
create table hook_log (
  id integer primary key,
  hook_id integer not null,
  project_id integer references projects (id),
  event_id integer not null,
  webhook_id text not null check (octet_length(webhook_id) <= 64),
  attempt integer not null,
  -- that of the event
  bit integer not null,
  url text not null check (octet_length(url) <= 8192),
  request_headers text not null check (octet_length(request_headers) <= 100000),
  -- null: there was no answer
  response_status integer,
  response_headers text not null check (octet_length(response_headers) <= 200000),
  -- the body of the answer, or the error text
  response_body text not null check (octet_length(response_body) <= 50000),
  millis real not null,
  next_attempt_at integer,
  created_at integer not null,
  quota_bytes integer as (
    300 + octet_length(url) + octet_length(request_headers) + octet_length(response_headers)
      + octet_length(response_body)
  ) virtual
) strict;
create index hook_log_of_hook on hook_log (hook_id, id);
create index hook_log_of_project on hook_log (project_id, created_at);
create index hook_log_by_time on hook_log (created_at);
create index hook_log_of_event on hook_log (event_id);

create trigger hook_log_stored after insert on hook_log when new.project_id is not null BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger hook_log_unstored after delete on hook_log when old.project_id is not null BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger hook_log_counted after insert on hook_log BEGIN
  update hooks set log_rows = log_rows + 1, log_bytes = log_bytes + new.quota_bytes where id = new.hook_id;
END;
create trigger hook_log_uncounted after delete on hook_log BEGIN
  update hooks set log_rows = log_rows - 1, log_bytes = log_bytes - old.quota_bytes where id = old.hook_id;
END;

-- Which hooks were called because of a request that an earlier delivery caused. The chain is the id of the delivery
-- that began it.
create table hook_chains (
  chain text not null check (octet_length(chain) <= 64),
  hook_id integer not null,
  -- of the delivery, because only this one may be tried again
  webhook_id text not null check (octet_length(webhook_id) <= 64),
  created_at integer not null,
  primary key (chain, hook_id)
) strict, without rowid;
create index hook_chains_by_time on hook_chains (created_at);

-- Tries that somebody asked for, of the last minute.
create table hook_trials (
  id integer primary key,
  project_id integer not null,
  user_id integer not null,
  created_at integer not null
) strict;
create index hook_trials_of_user on hook_trials (project_id, user_id, created_at);
create index hook_trials_by_time on hook_trials (created_at);

-- A hook in answers, and as the sending of its deliveries reads it.
create view hook_rows as
select
  id, project_id, maker_id, url, sealed_url, name as title, description, events, enable_ssl_verification,
  branch_filter_strategy, push_events_branch_filter, custom_webhook_template, token, signing_token, old_signing_token,
  old_signing_until, url_variables, custom_headers, failures, disabled_until, revision, created_at
from hooks;

-- room: the bytes that still fit into the project of a hook. line: those of a row of its log without headers and body.
create view hook_rooms as
select
  h.id as hook_id, h.log_rows, h.log_bytes, 304 + octet_length(h.url) as line,
  coalesce(
    (
      select min(
        iif(s.project_most > 0, s.project_most - t.bytes, 9007199254740991),
        iif(s.most > 0, s.most - s.bytes, 9007199254740991)
      )
      from stored s
      cross join storage t
      where s.id = 1 and t.project_id = h.project_id
    ),
    9007199254740991
  ) as room
from hooks h;
