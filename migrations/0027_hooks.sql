-- Outgoing web hooks (behaviour 14). What happens is written to hook_events by the batch that makes the change, with one row of
-- deliveries for each hook that gets it. Deliveries are sent afterwards.

-- events: a bit for each kind. 1 push, 2 tag_push, 4 issues, 8 confidential_issues, 16 note, 32 confidential_note, 64 merge_requests, 128 job,
-- 256 pipeline, 512 wiki_page, 1024 deployment, 2048 feature_flag, 4096 releases, 8192 milestone, 16384 emoji, 32768 resource_access_token,
-- 65536 resource_deploy_token, 131072 vulnerability, 262144 repository_update, 524288 what every system hook gets.
-- Sealed: encrypted by the Worker, base64.
create table hooks (
  id integer primary key,
  -- null: a hook of the system
  project_id integer references projects (id),
  -- who saved it last: the hook gets no more than this user may see
  maker_id integer not null references users (id),
  -- without a password
  url text not null check (octet_length(url) <= 8192),
  -- the whole address, sealed, if it has a password
  sealed_url text check (octet_length(sealed_url) <= 16384),
  name text check (octet_length(name) <= 1020),
  description text check (octet_length(description) <= 8192),
  events integer not null,
  enable_ssl_verification integer not null default 1 check (enable_ssl_verification in (0, 1)),
  branch_filter_strategy text not null default 'wildcard' check (branch_filter_strategy in ('wildcard', 'regex', 'all_branches')),
  push_events_branch_filter text check (octet_length(push_events_branch_filter) <= 1020),
  custom_webhook_template text check (octet_length(custom_webhook_template) <= 16384),
  -- sealed
  token text check (octet_length(token) <= 4096),
  signing_token text check (octet_length(signing_token) <= 4096),
  -- until when the signing token before signs, too
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
  quota_bytes integer as (1000 + octet_length(url) + coalesce(octet_length(description), 0) + coalesce(octet_length(custom_webhook_template), 0)
    + octet_length(url_variables) + octet_length(custom_headers)) virtual
) strict;
create index hooks_of_project on hooks (project_id, id);
create index hooks_due on hooks (next_at) where next_at is not null;
create index hooks_leased on hooks (lease) where lease is not null;

create table hook_events (
  id integer primary key,
  kind text not null check (octet_length(kind) <= 64),
  action text not null check (octet_length(action) <= 64),
  -- which hooks of the project and which of the system get it: a bit of hooks.events
  bit integer not null,
  system_bit integer not null default 0,
  project_id integer references projects (id),
  -- set: for this hook alone, for a try that somebody asked for
  hook_id integer,
  -- JSON object: base address, chain of the request, and the access and visibility that it takes to see the record
  origin text not null check (octet_length(origin) <= 4096),
  -- JSON of the record before and after the change. Snapshot is null until the end of the batch
  before text check (octet_length(before) <= 1900000),
  snapshot text check (octet_length(snapshot) <= 1900000),
  created_at integer not null,
  quota_bytes integer as (200 + coalesce(octet_length(before), 0) + coalesce(octet_length(snapshot), 0)) virtual
) strict;
-- those without a snapshot have no bit yet
create index hook_events_open on hook_events (bit) where snapshot is null;
create index hook_events_by_time on hook_events (created_at);
create index hook_events_of_project on hook_events (project_id, id);

-- What is still to be sent. Its hook and its event may be gone.
create table deliveries (
  id integer primary key,
  event_id integer not null,
  hook_id integer not null,
  -- the same for all tries
  webhook_id text not null check (octet_length(webhook_id) <= 64),
  -- tries so far
  attempt integer not null default 0,
  next_at integer not null,
  created_at integer not null
) strict;
create index deliveries_first on deliveries (hook_id, id) where attempt = 0;
create index deliveries_again on deliveries (hook_id, next_at) where attempt > 0;
create index deliveries_of_event on deliveries (event_id);
create index deliveries_by_time on deliveries (created_at);

-- One row for each try.
create table hook_log (
  id integer primary key,
  hook_id integer not null,
  project_id integer references projects (id),
  event_id integer not null,
  webhook_id text not null check (octet_length(webhook_id) <= 64),
  attempt integer not null,
  bit integer not null,
  url text not null check (octet_length(url) <= 8192),
  request_headers text not null check (octet_length(request_headers) <= 100000),
  -- null: there was no answer
  response_status integer,
  response_headers text not null check (octet_length(response_headers) <= 200000),
  -- of the answer, or the fault
  response_body text not null check (octet_length(response_body) <= 50000),
  millis real not null,
  next_attempt_at integer,
  created_at integer not null,
  quota_bytes integer as (300 + octet_length(url) + octet_length(request_headers) + octet_length(response_headers)
    + octet_length(response_body)) virtual
) strict;
create index hook_log_of_hook on hook_log (hook_id, id);
create index hook_log_of_project on hook_log (project_id, created_at);
create index hook_log_by_time on hook_log (created_at);
create index hook_log_of_event on hook_log (event_id);

-- Which hooks were called because of a request of a chain.
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

-- The greatest id of a hook that was deleted: its log stays for some days, and its id never names another.
alter table stored add column last_hook_id integer not null default 0;
create trigger hooks_number after delete on hooks BEGIN
  update stored set last_hook_id = max(last_hook_id, old.id) where id = 1;
END;

create trigger hooks_of_project_end before insert on hooks when new.project_id is not null
and 100 <= (select count(*) from hooks where project_id = new.project_id) BEGIN
  select raise(abort, 'E_HOOKS_OF_PROJECT');
END;
create trigger hooks_of_system_end before insert on hooks when new.project_id is null
and 20 <= (select count(*) from hooks where project_id is null) BEGIN
  select raise(abort, 'E_HOOKS_OF_SYSTEM');
END;

create view hook_rows as
select id, project_id, maker_id, url, sealed_url, name as title, description, events, enable_ssl_verification, branch_filter_strategy,
  push_events_branch_filter, custom_webhook_template, token, signing_token, old_signing_token, old_signing_until,
  url_variables, custom_headers, failures, disabled_until, revision, created_at
from hooks;

-- Documents of records in events. A text that is long as JSON is cut.
create view event_people as
select id, json_object('id', id, 'username', username, 'name', name, 'state', state, 'email', email) as document from users;

create view event_projects as
select p.id, json_object('id', p.id, 'name', p.name, 'description', substr(p.description, 1, 8192), 'full_path', p.full_path, 'visibility', p.visibility,
  'default_branch', p.default_branch, 'namespace', coalesce((select g.name from groups g where g.id = p.namespace_id),
  (select u.name from users u where u.id = p.namespace_id))) as document
from projects p;

create view event_issues as
select i.id, i.project_id, i.confidential, json_object('id', i.id, 'iid', i.iid, 'project_id', i.project_id, 'author_id', i.author_id,
  'assignee_id', i.assignee_id, 'milestone_id', (select m.id from milestones m where m.id = i.milestone_id and m.iid > 0), 'moved_to_id', i.moved_to_id,
  'title', i.title, 'description', iif(octet_length(i.description) > 40000 and octet_length(json_quote(i.description)) > 250000,
    substr(i.description, 1, 8192), i.description),
  'state', i.state, 'confidential', i.confidential, 'discussion_locked', i.discussion_locked, 'due_date', i.due_date,
  'created_at', i.created_at, 'updated_at', i.updated_at, 'closed_at', i.closed_at,
  'labels', json((select json_group_array(json_object('id', l.id, 'title', l.title, 'color', l.color, 'project_id', l.project_id,
    'created_at', l.created_at, 'description', substr(l.description, 1, 255)))
    from issue_labels b cross join labels l on l.id = b.label_id where b.issue_id = i.id and not (l.title >= ',' and l.title < '-'))),
  'assignee', json((select u.document from event_people u where u.id = i.assignee_id))) as document
from issues i;

create view event_notes as
select n.id, n.project_id, n.issue_id, n.system, json_object('id', n.id, 'author_id', n.author_id, 'body',
    iif(octet_length(n.body) > 60000 and octet_length(json_quote(n.body)) > 400000, substr(n.body, 1, 8192), n.body),
  'created_at', n.created_at, 'updated_at', n.updated_at) as document
from notes n;

create view event_milestones as
select m.id, m.project_id, m.iid, json_object('id', m.id, 'iid', m.iid, 'title', m.title, 'description', iif(octet_length(m.description) > 60000
    and octet_length(json_quote(m.description)) > 400000, substr(m.description, 1, 8192), m.description), 'state', m.state,
  'created_at', m.created_at, 'updated_at', m.updated_at, 'due_date', m.due_date, 'start_date', m.start_date, 'project_id', m.project_id) as document
from milestones m;

-- files: of a diff that is one row of the database, name and kind of its files. Other diffs are in the object store, or too long.
create view event_commits as
select c.id, json_object('sha', c.sha, 'author_name', c.author_name, 'author_email', c.author_email, 'committed_at', c.committed_at,
  'committer_zone', c.committer_zone, 'message', substr(c.message, 1, 8192), 'files', json((select json_group_array(json_array(substr(f.value ->> 'new_path', 1, 1000),
    f.value ->> 'new_file' or f.value ->> 'renamed_file', f.value ->> 'deleted_file')) from diffs d cross join json_each(d.text) f
    where d.commit_id = c.id and d.part = (select min(n.part) from diffs n where n.commit_id = c.id) and d.object is null
      and octet_length(d.text) <= 20000 and json_valid(d.text)))) as document
from commits c;

create view event_pipelines as
select r.commit_id, r.git_ref, r.user_id, json_object('id', r.id, 'iid', r.iid, 'ref', r.git_ref, 'sha', r.sha, 'state', r.state,
  'tag', exists (select 1 from refs t where t.project_id = r.project_id and t.name = 'refs/tags/' || r.git_ref), 'created_at', r.created_at,
  'updated_at', r.updated_at, 'commit', json((select d.document from event_commits d where d.id = r.commit_id)), 'builds', json((
    select json_group_array(json_object('id', s.id, 'name', s.name, 'state', iif(s.skipped, 'skipped', s.state), 'created_at', s.created_at,
      'started_at', s.started_at, 'finished_at', s.finished_at, 'user', json((select u.document from event_people u where u.id = s.user_id))))
    from (select h.status_id from status_heads h where h.commit_id = r.commit_id and h.ref = r.git_ref and h.stage = 'external'
      order by h.name limit 100) n cross join statuses s on s.id = n.status_id))) as document
from pipeline_rows r;

-- Whether the maker of a hook may see the record of an event.
create view hook_ears as
select h.id as hook_id, e.id as event_id, iif(e.project_id is null or h.project_id is null,
  exists (select 1 from users u where u.id = h.maker_id and u.admin and u.state = 'active'),
  exists (select 1 from project_viewers v cross join users u on u.id = v.user_id cross join projects p on p.id = v.project_id
    where v.user_id = h.maker_id and v.project_id = e.project_id and u.state = 'active' and v.sees
      and (v.access >= e.origin ->> 'access' or p.visibility >= e.origin ->> 'visibility')
      and iif(e.origin ->> 'part' = 'issues', p.issues_enabled, iif(e.origin ->> 'part' = 'builds', p.builds_enabled, 1)))) as hears
from hooks h cross join hook_events e;

create trigger hook_events_made after insert on hook_events when new.snapshot is not null and new.hook_id is null BEGIN
  insert into deliveries (event_id, hook_id, webhook_id, next_at, created_at)
  select new.id, h.id, lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
    || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), new.created_at, new.created_at
  from hooks h where h.project_id = new.project_id and h.events & new.bit and h.failures < 40
    and (select x.hears from hook_ears x where x.hook_id = h.id and x.event_id = new.id);
  insert into deliveries (event_id, hook_id, webhook_id, next_at, created_at)
  select new.id, h.id, lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
    || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), new.created_at, new.created_at
  from hooks h where new.system_bit > 0 and h.project_id is null and h.events & new.system_bit and h.failures < 40
    and (select x.hears from hook_ears x where x.hook_id = h.id and x.event_id = new.id);
END;
create trigger hook_events_filled after update of snapshot on hook_events when old.snapshot is null and new.hook_id is null BEGIN
  insert into deliveries (event_id, hook_id, webhook_id, next_at, created_at)
  select new.id, h.id, lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
    || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), new.created_at, new.created_at
  from hooks h where h.project_id = new.project_id and h.events & new.bit and h.failures < 40
    and (select x.hears from hook_ears x where x.hook_id = h.id and x.event_id = new.id);
END;
create trigger deliveries_made after insert on deliveries BEGIN
  update hooks set next_at = min(coalesce(next_at, 9007199254740991), max(new.next_at, coalesce(disabled_until, 0))) where id = new.hook_id;
END;

-- What counts in the quotas.
create trigger hooks_stored after insert on hooks when new.project_id is not null BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger hooks_restored after update of url, description, custom_webhook_template, url_variables, custom_headers on hooks
when new.quota_bytes <> old.quota_bytes and new.project_id is not null BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger hooks_unstored after delete on hooks when old.project_id is not null BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger hook_events_stored after insert on hook_events when new.project_id is not null BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger hook_events_restored after update of snapshot on hook_events when new.quota_bytes <> old.quota_bytes and new.project_id is not null BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger hook_events_unstored after delete on hook_events when old.project_id is not null BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger hook_log_stored after insert on hook_log when new.project_id is not null BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger hook_log_unstored after delete on hook_log when old.project_id is not null BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
