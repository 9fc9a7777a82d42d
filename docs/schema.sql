-- The schema that all files of migrations/ together make, as SQLite keeps it: tables by name, each with its indexes by
-- name and its triggers in the order of creation, then views by name. migrations/ also has the comments on tables,
-- triggers and views. UPDATE_SNAPSHOTS=1 node --no-warnings --test tests/scripts/schema.test.mjs writes this file.

create table "audit_events" (
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
create index audit_events_by_creation on audit_events (created_at);

create table awards (
  id integer primary key autoincrement,
  issue_id integer not null references issues (id),
  -- 0: of the issue itself
  note_id integer not null,
  user_id integer not null,
  name text not null check (octet_length(name) between 1 and 50),
  created_at integer not null,
  quota_bytes integer as (100 + octet_length(name)) virtual
) strict;
create unique index awards_of_issue on awards (issue_id, note_id, user_id, name);

create trigger awards_stored after insert on awards BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = new.issue_id);
END;

create trigger awards_unstored after delete on awards BEGIN
  update storage
  set bytes = bytes - old.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;

create trigger awards_counted after insert on awards BEGIN
  update issues
  set
    awards_count = awards_count + 1, upvotes = upvotes + (new.note_id = 0 and new.name = 'thumbsup'),
    downvotes = downvotes + (new.note_id = 0 and new.name = 'thumbsdown')
  where id = new.issue_id;
END;

create trigger awards_uncounted after delete on awards BEGIN
  update issues
  set
    awards_count = awards_count - 1, upvotes = upvotes - (old.note_id = 0 and old.name = 'thumbsup'),
    downvotes = downvotes - (old.note_id = 0 and old.name = 'thumbsdown')
  where id = old.issue_id;
END;

create trigger awards_renamed after update of name on awards BEGIN
  update storage
  set bytes = bytes + new.quota_bytes - old.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = new.issue_id);
  update issues
  set
    upvotes = upvotes + (new.note_id = 0 and new.name = 'thumbsup'),
    downvotes = downvotes + (new.note_id = 0 and new.name = 'thumbsdown')
  where id = new.issue_id;
END;

create table badges (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  name text check (octet_length(name) <= 1020),
  link_url text not null check (octet_length(link_url) <= 1020),
  image_url text not null check (octet_length(image_url) <= 1020),
  created_at integer not null,
  quota_bytes integer as (
    100 + coalesce(octet_length(name), 0) + octet_length(link_url) + octet_length(image_url)
  ) virtual
) strict;
create index badges_of_project on badges (project_id, id);

create trigger badges_stored after insert on badges BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger badges_restored after update of name, link_url, image_url on badges
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

create trigger badges_unstored after delete on badges BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table branch_counts (
  project_id integer not null references projects (id),
  branch text not null,
  commits integer not null,
  primary key (project_id, branch)
) strict, without rowid;

create table branch_queue (
  commit_id integer primary key references commits (id),
  project_id integer not null references projects (id),
  -- that of the commit
  committed_at integer not null
) strict;
create index branch_queue_in_order on branch_queue (project_id, committed_at);

create table commit_comments (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  commit_id integer not null references commits (id),
  author_id integer not null references users (id),
  -- the place in the diff of the commit, all null: the comment is on the whole commit
  path text,
  line integer,
  line_type text check (line_type in ('new', 'old')),
  created_at integer not null,
  updated_at integer not null,
  quota_bytes integer as (100 + octet_length(note) + coalesce(octet_length(path), 0)) virtual,
  note text not null
) strict;
create index commit_comments_of_commit on commit_comments (commit_id, id);

create trigger commit_comments_stored after insert on commit_comments BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger commit_comments_restored after update of note, path on commit_comments
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

create trigger commit_comments_unstored after delete on commit_comments BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create trigger commit_comments_end before delete on commit_comments BEGIN
  delete from todos where comment_id = old.id;
END;

create trigger commit_comments_are_events after insert on commit_comments BEGIN
  insert into events (project_id, author_id, kind, action, target_id, created_at)
  values (
    new.project_id, new.author_id, 'push', 'commented', new.id,
    max(coalesce((select created_at from events order by id desc limit 1), 0), new.created_at)
  );
END;

create table commit_index (id integer primary key check (id = 1), below integer not null) strict;

create table commit_references (
  id integer primary key,
  issue_id integer not null references issues (id),
  sha text not null check (octet_length(sha) <= 64),
  -- 1: closes the issue, 0: mentions it
  closes integer not null check (closes in (0, 1)),
  -- 1: came with the batch that is being stored
  fresh integer not null default 1 check (fresh in (0, 1)),
  quota_bytes integer as (150) virtual
) strict;
create index commit_references_fresh on commit_references (fresh, issue_id, closes, id) where fresh = 1;
create unique index commit_references_of_issue on commit_references (issue_id, sha, closes);

create trigger commit_references_stored after insert on commit_references BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = new.issue_id);
END;

create trigger commit_references_unstored after delete on commit_references BEGIN
  update storage
  set bytes = bytes - old.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;

CREATE VIRTUAL TABLE commit_words using fts5(
  tokens, content = '', contentless_delete = 1, detail = column, prefix = '11', tokenize = 'ascii'
);

create table 'commit_words_config'(k PRIMARY KEY, v) WITHOUT ROWID;

create table 'commit_words_data'(id INTEGER PRIMARY KEY, block BLOB);

create table 'commit_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);

create table 'commit_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

create table commits (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- 40 hexadecimal digits, or 64 in a repository of SHA-256
  sha text not null,
  author_name text not null,
  author_email text not null,
  -- seconds since 1970, may be negative
  authored_at integer not null,
  -- minutes east of UTC
  author_zone integer not null,
  committer_name text not null,
  committer_email text not null,
  -- seconds since 1970, may be negative
  committed_at integer not null,
  -- minutes east of UTC
  committer_zone integer not null,
  additions integer not null,
  deletions integer not null,
  -- the branch of a status that is posted without a ref: the default branch if that contains the commit, else the first
  -- in byte order that does, null: none. The requests that move refs keep it, see branch_queue
  branch text,
  -- seconds to add to committed_at, so that the sum is greater than that of every parent: 0 unless a clock was wrong or
  -- a parent has the same second. Walks through the history go by the sum
  lift integer not null default 0,
  quota_bytes integer as (
    100 + octet_length(message) + octet_length(author_name) + octet_length(author_email) + octet_length(committer_name)
      + octet_length(committer_email) + octet_length(parent_shas)
  ) virtual,
  -- the hash of the root tree, null: not known
  tree text,
  -- how many of its objects are stored or left out: 0 not all, 1 all of its tree, 2 those of its history, too
  contents integer not null default 0,
  -- JSON array of the hashes of the parents in order
  parent_shas text not null,
  message text not null
) strict;
create unique index commits_by_sha on commits (project_id, sha);
create index commits_with_contents on commits (project_id) where contents > 0;

create trigger commits_stored after insert on commits BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger commits_restored after update of
  message, author_name, author_email, committer_name, committer_email, parent_shas
on commits
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

create trigger commits_unstored after delete on commits BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create trigger commits_unindexed_created after insert on commits BEGIN
  insert into unindexed_commits (project_id, class, commit_id) values (new.project_id, 0, new.id);
END;

create trigger commits_unindexed_deleted after delete on commits BEGIN
  delete from unindexed_commits where project_id = old.project_id and class in (0, 2) and commit_id = old.id;
  insert into unindexed_commits (project_id, class, commit_id) values (old.project_id, 2, old.id);
END;

create table deliveries (
  id integer primary key autoincrement,
  event_id integer not null,
  hook_id integer not null,
  -- the same for all tries
  webhook_id text not null check (octet_length(webhook_id) <= 64),
  -- tries so far
  attempt integer not null default 0,
  next_at integer not null,
  created_at integer not null,
  -- that of the event
  project_id integer,
  -- 1: for a hook of the system
  system integer not null default 0,
  -- how often it was begun since its last outcome
  taken integer not null default 0,
  -- the row with its indexes, and the row of 300 bytes that it leaves in the log
  quota_bytes integer as (500) virtual
, person_id integer, share integer not null default 1 check (share in (0, 1, 2))) strict;
create index deliveries_again on deliveries (hook_id, next_at) where attempt > 0;
create index deliveries_by_time on deliveries (created_at);
create index deliveries_first on deliveries (hook_id, id) where attempt = 0;
create index deliveries_of_event on deliveries (event_id);
create index deliveries_of_queue on deliveries (project_id, system, share, person_id);

create trigger deliveries_made after insert on deliveries BEGIN
  update storage
  set
    bytes = bytes + new.quota_bytes, deliveries = deliveries + 1 - new.system,
    system_deliveries = system_deliveries + new.system
  where project_id = coalesce(new.project_id, 0);
  update hooks
  set next_at = max(new.next_at, coalesce(disabled_until, 0))
  where id = new.hook_id and (next_at is null or next_at > max(new.next_at, coalesce(disabled_until, 0)));
END;

create trigger deliveries_unstored after delete on deliveries BEGIN
  update storage
  set
    bytes = bytes - old.quota_bytes, deliveries = deliveries - 1 + old.system,
    system_deliveries = system_deliveries - old.system
  where project_id = coalesce(old.project_id, 0);
END;

create trigger deliveries_dropped after update of taken on deliveries when new.taken = -1 BEGIN
  update hooks set dropped = dropped + 1 where id = new.hook_id;
  delete from deliveries where id = new.id;
END;

create table deployments (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- number within the project, without gaps. It ascends with the id, so that lists go by it
  iid integer not null,
  environment_id integer not null references environments (id),
  commit_id integer not null references commits (id),
  -- branch or tag as posted or guessed, the empty text if none
  ref text not null,
  -- 1: the ref is a tag
  tag integer not null default 0 check (tag in (0, 1)),
  -- who made the deployment, and who changed its state last
  user_id integer not null references users (id),
  changed_by integer not null references users (id),
  -- the name and the stage of the job
  name text not null,
  stage text not null default 'deploy',
  state text not null check (state in ('pending', 'running', 'success', 'failed', 'canceled')),
  -- percent
  coverage real,
  created_at integer not null,
  started_at integer,
  finished_at integer,
  quota_bytes integer as (200 + octet_length(ref) + octet_length(name) + octet_length(stage)) virtual,
  unique (project_id, iid)
) strict;
create index deployments_of_commit on deployments (commit_id);
create index deployments_of_environment on deployments (environment_id, iid);

create trigger deployments_removed after delete on deployments BEGIN
  insert into removed_numbers (project_id, kind, removed, last)
  values (old.project_id, 'deployment', 1, old.iid)
  on conflict (project_id, kind) do update set removed = removed + 1, last = max(last, excluded.last);
END;

create trigger deployments_stored after insert on deployments BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger deployments_unstored after delete on deployments BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table diffs (
  commit_id integer not null references commits (id),
  part integer not null,
  -- the random end of the key of the object, which is STORE/PROJECT/SHA-OBJECT, null: the text is the diff itself
  object text,
  -- length of the diff in the object store, unpacked, null: the diff is in the database
  bytes integer,
  -- SHA-256 of the diff in the object store, in base64url: its entity tag
  digest text,
  quota_bytes integer as (100 + octet_length(text) + coalesce(bytes, 0)) virtual,
  -- prefix of the key of the object, null means that of object_sweeps.store
  store text,
  -- the person who stored the bytes: the user, or the maker of a token of a project, null: they count in no share
  person_id integer,
  text text not null,
  primary key (commit_id, part)
) strict, without rowid;

create trigger diffs_stored after insert on diffs BEGIN
  update storage
  set bytes = bytes + new.quota_bytes, diffs = diffs + coalesce(new.bytes, 0)
  where project_id = (select c.project_id from commits c where c.id = new.commit_id);
  insert into shares (user_id, bytes)
  select new.person_id, new.bytes
  where new.person_id is not null and new.bytes is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;

create trigger diffs_restored after update of text, bytes on diffs
when new.quota_bytes <> old.quota_bytes or new.bytes is not old.bytes BEGIN
  update storage
  set bytes = bytes + new.quota_bytes - old.quota_bytes, diffs = diffs + coalesce(new.bytes, 0) - coalesce(old.bytes, 0)
  where project_id = (select c.project_id from commits c where c.id = new.commit_id);
  update shares set bytes = bytes - coalesce(old.bytes, 0) where user_id = old.person_id;
  insert into shares (user_id, bytes)
  select new.person_id, new.bytes
  where new.person_id is not null and new.bytes is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;

create trigger diffs_unstored after delete on diffs BEGIN
  update storage
  set bytes = bytes - old.quota_bytes, diffs = diffs - coalesce(old.bytes, 0)
  where project_id = (select c.project_id from commits c where c.id = old.commit_id);
  update shares set bytes = bytes - coalesce(old.bytes, 0) where user_id = old.person_id;
END;

create table environments (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- number within the project from 1, without gaps
  number integer not null,
  name text not null,
  state text not null default 'available' check (state in ('available', 'stopped')),
  -- production, staging, testing, development or other, null: it follows from the name
  tier text,
  created_at integer not null,
  updated_at integer not null default 0,
  quota_bytes integer as (
    200 + 3 * octet_length(name) + coalesce(octet_length(description), 0) + coalesce(octet_length(external_url), 0)
  ) virtual,
  description text,
  external_url text, slug text check (octet_length(slug) <= 24),
  unique (project_id, name),
  unique (project_id, number)
) strict;
create unique index environments_by_slug on environments (project_id, slug);

create trigger environments_removed after delete on environments BEGIN
  insert into removed_numbers (project_id, kind, removed, last)
  values (old.project_id, 'environment', 1, old.number)
  on conflict (project_id, kind) do update set removed = removed + 1, last = max(last, excluded.last);
END;

create trigger environments_stored after insert on environments BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger environments_restored after update of description, external_url on environments
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

create trigger environments_unstored after delete on environments BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table events (
  id integer primary key,
  project_id integer not null references projects (id),
  author_id integer not null,
  kind text not null check (kind in ('issue', 'note', 'milestone', 'project', 'member', 'push')),
  action text not null check (
    action in ('created', 'closed', 'reopened', 'destroyed', 'commented', 'joined', 'left', 'pushed')
  ),
  -- of the issue, the comment or the milestone, which may be gone
  target_id integer,
  -- JSON object: number and title of a milestone, or the push
  detail text check (octet_length(detail) <= 8192),
  created_at integer not null,
  quota_bytes integer as (150 + coalesce(octet_length(detail), 0)) virtual
) strict;
create index events_of_author on events (author_id, project_id, kind, action);
create index events_of_project on events (project_id, kind, action);

create trigger events_stored after insert on events when new.kind not in ('issue', 'note') BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger events_unstored after delete on events BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create trigger events_without_room before insert on events
when new.kind not in ('issue', 'note')
  and exists (
    select 1
    from storage t
    cross join stored q on q.id = 1
    where t.project_id = new.project_id
      and (
        q.project_most > 0 and t.bytes + 150 + coalesce(octet_length(new.detail), 0) > q.project_most
          or q.most > 0 and q.bytes + 150 + coalesce(octet_length(new.detail), 0) > q.most
      )
  ) BEGIN
  select raise(ignore);
END;

create trigger events_silent before insert on events
when exists (select 1 from request_marks where silent) BEGIN
  select raise(ignore);
END;

create trigger events_are_activity after insert on events
when new.kind <> 'push' or new.action <> 'commented' BEGIN
  update projects
  set updated_at = new.created_at
  where id = new.project_id and updated_at <= new.created_at - 3600000
    and (
      new.kind not in ('issue', 'note')
        or issues_enabled
          and not exists (
            select 1
            from issues i
            where i.confidential
              and i.id = iif(
                new.kind = 'issue', new.target_id, (select n.issue_id from notes n where n.id = new.target_id)
              )
          )
    );
END;

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

create table forgotten_commits (
  commit_id integer primary key references commits (id),
  project_id integer not null references projects (id)
) strict;
create index forgotten_commits_of_project on forgotten_commits (project_id);

create table group_members (
  user_id integer not null references users (id),
  group_id integer not null references groups (id),
  -- 10 guest, 20 reporter, 30 developer, 40 master, 50 owner
  access integer not null check (access in (10, 20, 30, 40, 50)),
  created_at integer not null,
  -- the day on which the membership ends, as 2026-01-31
  expires_at text check (octet_length(expires_at) = 10),
  primary key (user_id, group_id)
) strict, without rowid;
create index group_members_ending on group_members (expires_at) where expires_at is not null;
create index group_members_of_group on group_members (group_id, user_id);

create trigger group_members_counted after insert on group_members BEGIN
  update groups set members_count = members_count + 1 where id = new.group_id;
END;

create trigger group_members_uncounted after delete on group_members BEGIN
  update groups set members_count = members_count - 1 where id = old.group_id;
END;

create table groups (
  id integer primary key references namespaces (id),
  name text not null,
  path text not null,
  -- 0 private, 10 internal, 20 public
  visibility integer not null check (visibility in (0, 10, 20)),
  -- how many projects it holds, kept by the triggers of projects
  projects_count integer not null default 0,
  created_at integer not null,
  -- how many members it has
  members_count integer not null default 0,
  quota_bytes integer as (500 + 6 * (octet_length(name) + octet_length(path)) + octet_length(description)) virtual,
  description text not null default ''
, creator_id integer references users (id)) strict;
create index groups_by_visibility on groups (visibility, id);
create index groups_seen_by_name on groups (visibility, lower(name), id);
create index groups_seen_by_path on groups (visibility, lower(path), id);

create trigger groups_stay_as_visible_as_their_projects before update of visibility on groups
when new.visibility < old.visibility
  and exists (
    select 1
    from projects p
    where p.namespace_id = new.id and p.visibility > new.visibility and p.deleted_at is null
  ) BEGIN
  select raise(abort, 'E_VISIBILITY');
END;

create trigger groups_stored after insert on groups BEGIN
  update stored set bytes = bytes + new.quota_bytes where id = 1;
END;

create trigger groups_restored after update of name, path, description on groups
when new.quota_bytes <> old.quota_bytes BEGIN
  update stored set bytes = bytes + new.quota_bytes - old.quota_bytes where id = 1;
END;

create trigger groups_unstored after delete on groups BEGIN
  update stored set bytes = bytes - old.quota_bytes where id = 1;
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

create table hook_chains (
  chain text not null check (octet_length(chain) <= 64),
  hook_id integer not null,
  -- of the delivery, because only this one may be tried again
  webhook_id text not null check (octet_length(webhook_id) <= 64),
  created_at integer not null,
  primary key (chain, hook_id)
) strict, without rowid;
create index hook_chains_by_time on hook_chains (created_at);

create table hook_events (
  id integer primary key autoincrement,
  kind text not null check (octet_length(kind) <= 64),
  -- of a push the name of the branch or tag
  action text not null check (octet_length(action) <= 4096),
  -- which hooks of the project and which of the system get it: a bit of hooks.events
  bit integer not null,
  system_bit integer not null default 0,
  project_id integer references projects (id),
  -- set: for this hook alone, for a try that somebody asked for
  hook_id integer,
  -- JSON object: base address, chain of the request, and the access and visibility that it takes to see the record
  origin text not null check (octet_length(origin) <= 4096),
  created_at integer not null,
  quota_bytes integer as (200 + coalesce(octet_length(before), 0) + coalesce(octet_length(snapshot), 0)) virtual,
  -- JSON of the record before and after the change. Snapshot is null until the end of the batch
  before text check (octet_length(before) <= 1900000),
  snapshot text check (octet_length(snapshot) <= 1900000)
) strict;
create index hook_events_by_time on hook_events (created_at);
create index hook_events_of_project on hook_events (project_id, id);
create index hook_events_open on hook_events (bit) where snapshot is null;

create trigger hook_events_restored after update of snapshot on hook_events
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage
  set bytes = bytes + new.quota_bytes - old.quota_bytes
  where project_id = coalesce(new.project_id, 0);
END;

create trigger hook_events_unstored after delete on hook_events BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = coalesce(old.project_id, 0);
END;

create trigger hook_events_silent before insert on hook_events
when new.hook_id is null and exists (select 1 from request_marks where silent) BEGIN
  select raise(ignore);
END;

create trigger hook_events_end before insert on hook_events
when new.project_id is null and 100000000 <= (select t.bytes from storage t where t.project_id = 0) BEGIN
  delete from hook_events
  where id in (
    select e.id
    from (select id from hook_events where project_id is null order by id limit 1100) e
    where not exists (select 1 from deliveries d where d.event_id = e.id)
    limit 10
  );
  select raise(ignore)
  where 100000000 <= (select t.bytes from storage t where t.project_id = 0);
END;

create trigger hook_events_made after insert on hook_events BEGIN
  update hook_events
  set (before, snapshot) = (select s.before, s.snapshot from short_events s where s.event_id = new.id)
  where id = new.id
    and octet_length(new.snapshot) > 5000
    and new.kind in ('issue', 'note', 'emoji', 'milestone', 'release');
  update storage set bytes = bytes + new.quota_bytes where project_id = coalesce(new.project_id, 0);
  insert into event_deliveries (event_id, project_id, person_id, share)
  select c.event_id, c.project_id, c.person_id, c.share
  from event_causes c
  where c.event_id = new.id and new.snapshot is not null and new.hook_id is null;
END;

create trigger hook_events_filled after update of snapshot on hook_events
when old.snapshot is null and new.hook_id is null BEGIN
  update hook_events
  set (before, snapshot) = (select s.before, s.snapshot from short_events s where s.event_id = new.id)
  where id = new.id
    and octet_length(new.snapshot) > 5000
    and new.kind in ('issue', 'note', 'emoji', 'milestone', 'release');
  insert into event_deliveries (event_id, project_id, person_id, share)
  select c.event_id, c.project_id, c.person_id, c.share
  from event_causes c
  where c.event_id = new.id;
END;

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
create index hook_log_by_time on hook_log (created_at);
create index hook_log_of_event on hook_log (event_id);
create index hook_log_of_hook on hook_log (hook_id, id);
create index hook_log_of_project on hook_log (project_id, created_at);

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

create table hook_queues (
  -- 0: the hooks of the system
  project_id integer primary key,
  -- the place in the order in which projects were served: eight times the time, and the place in its round. A new
  -- project is behind those that wait
  turn integer not null default 0,
  -- when the first of its hooks is due, or its lease ends, null: nothing is to be sent
  next_at integer,
  -- whether that time has come
  waits integer not null default 0,
  -- tries in a minute since 1970
  minute integer not null default 0,
  tries integer not null default 0
) strict;
create index hook_queues_due on hook_queues (next_at) where waits = 0;
create index hook_queues_waiting on hook_queues (turn, next_at) where waits = 1;

create table hook_trials (
  id integer primary key,
  project_id integer not null,
  user_id integer not null,
  created_at integer not null
) strict;
create index hook_trials_by_time on hook_trials (created_at);
create index hook_trials_of_user on hook_trials (project_id, user_id, created_at);

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
create index hooks_leased on hooks (lease) where lease is not null;
create index hooks_of_project on hooks (project_id, id);

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

create table hourly_writes (
  user_id integer primary key references users (id),
  -- hours since 1970
  hour integer not null,
  writes integer not null,
  -- the limit at the time of the last write
  most integer not null
) strict;

create trigger hourly_writes_end before update on hourly_writes when new.writes > new.most BEGIN
  select raise(abort, 'E_TOO_MANY_WRITES');
END;

create trigger hourly_writes_begin before insert on hourly_writes when new.writes > new.most BEGIN
  select raise(abort, 'E_TOO_MANY_WRITES');
END;

create table idempotency_keys (
  user_id integer not null references users (id),
  -- who answers for the request: the user, or the maker of a token of a project
  person_id integer not null,
  -- SHA-256 of the key, lower-case hexadecimal
  key text not null,
  -- SHA-256 of the request: verb, path and parameters
  digest text not null,
  -- JSON: the row that the answer was made of, and what else it depended on
  answer text,
  -- the record that the batch found, if it changed one instead of making it
  record_id integer,
  created_at integer not null,
  quota_bytes integer as (300 + coalesce(octet_length(answer), 0)) virtual,
  primary key (user_id, key)
) strict, without rowid;
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_of_person on idempotency_keys (person_id, created_at);

create trigger idempotency_keys_expire after insert on idempotency_keys BEGIN
  delete from idempotency_keys
  where (user_id, key) in (
    select o.user_id, o.key
    from idempotency_keys o
    where o.created_at <= new.created_at - 86400000
    order by o.created_at
    limit 10
  );
END;

create trigger idempotency_keys_stored after insert on idempotency_keys BEGIN
  update stored set bytes = bytes + new.quota_bytes where id = 1;
  insert into shares (user_id, bytes, answers)
  values (new.person_id, 0, new.quota_bytes)
  on conflict (user_id) do update set answers = answers + excluded.answers;
END;

create trigger idempotency_keys_restored after update of answer on idempotency_keys
when new.quota_bytes <> old.quota_bytes or new.person_id <> old.person_id BEGIN
  update stored set bytes = bytes + new.quota_bytes - old.quota_bytes where id = 1;
  update shares set answers = answers - old.quota_bytes where user_id = old.person_id;
  insert into shares (user_id, bytes, answers)
  values (new.person_id, 0, new.quota_bytes)
  on conflict (user_id) do update set answers = answers + excluded.answers;
END;

create trigger idempotency_keys_unstored after delete on idempotency_keys BEGIN
  update stored set bytes = bytes - old.quota_bytes where id = 1;
  update shares set answers = answers - old.quota_bytes where user_id = old.person_id;
END;

create table imported (
  project_id integer not null references projects (id),
  -- 16 hexadecimal digits of SHA-256 over the source, the kind and what identifies the record there
  key text not null check (octet_length(key) = 16),
  -- 1 label, 2 milestone, 3 issue, 4 comment, 5 event, 6 emoji, 7 link, 8 release, 9 environment, 10 deployment,
  -- 11 status, 12 comment on a commit
  kind integer not null check (kind between 1 and 12),
  record_id integer not null,
  -- of the record as it was sent
  digest text not null check (octet_length(digest) = 16),
  -- the time of update that the import gave, null: the record is never changed again but for its people
  stamp integer,
  primary key (project_id, key)
) strict, without rowid;
create index imported_issues on imported (record_id) where kind = 3;

create table issue_counts (
  project_id integer primary key references projects (id),
  last_iid integer not null default 0,
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0
) strict;

create table issue_index (id integer primary key check (id = 1), below integer not null) strict;

create table issue_labels (
  issue_id integer not null references issues (id),
  label_id integer not null references labels (id),
  section integer not null,
  created_at integer not null,
  primary key (issue_id, label_id)
) strict, without rowid;
create index issue_labels_of_label on issue_labels (label_id, section, created_at, issue_id);

create trigger issue_labels_added after insert on issue_labels BEGIN
  update labels
  set
    opened = opened + (new.section = 0), closed = closed + (new.section = 1),
    opened_hidden = opened_hidden + (new.section = 2), closed_hidden = closed_hidden + (new.section = 3)
  where id = new.label_id;
END;

create trigger issue_labels_removed after delete on issue_labels BEGIN
  update labels
  set
    opened = opened - (old.section = 0), closed = closed - (old.section = 1),
    opened_hidden = opened_hidden - (old.section = 2), closed_hidden = closed_hidden - (old.section = 3)
  where id = old.label_id;
END;

create trigger issue_labels_moved after update on issue_labels BEGIN
  update labels
  set
    opened = opened + (new.section = 0) - (old.section = 0), closed = closed + (new.section = 1) - (old.section = 1),
    opened_hidden = opened_hidden + (new.section = 2) - (old.section = 2),
    closed_hidden = closed_hidden + (new.section = 3) - (old.section = 3)
  where id = new.label_id;
END;

create trigger issue_labels_stored after insert on issue_labels BEGIN
  update storage
  set bytes = bytes + 40
  where project_id = (select i.project_id from issues i where i.id = new.issue_id);
END;

create trigger issue_labels_unstored after delete on issue_labels BEGIN
  update storage
  set bytes = bytes - 40
  where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;

create table issue_links (
  id integer primary key autoincrement,
  source_id integer not null references issues (id),
  target_id integer not null references issues (id),
  -- blocks: the source blocks the target
  link_type text not null check (link_type in ('relates_to', 'blocks')),
  created_at integer not null,
  -- of the source, whose bytes the link counts in
  project_id integer not null,
  quota_bytes integer as (100) virtual,
  check (source_id <> target_id)
) strict;
create unique index issue_links_of_source on issue_links (source_id, target_id);
create index issue_links_of_target on issue_links (target_id, source_id);
create index issue_links_that_block on issue_links (source_id, target_id) where link_type = 'blocks';

create trigger issue_links_stored after insert on issue_links BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger issue_links_unstored after delete on issue_links BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table issue_remains (
  issue_id integer primary key references issues (id)
) strict;

CREATE VIRTUAL TABLE issue_words using fts5(
  title, description, content = '', contentless_delete = 1, detail = column, prefix = '11', tokenize = 'ascii'
);

create table 'issue_words_config'(k PRIMARY KEY, v) WITHOUT ROWID;

create table 'issue_words_data'(id INTEGER PRIMARY KEY, block BLOB);

create table 'issue_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);

create table 'issue_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

create table issues (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- number within the project, never given out twice
  iid integer not null,
  author_id integer not null references users (id),
  assignee_id integer references users (id),
  milestone_id integer references milestones (id),
  title text not null,
  state text not null default 'opened' check (state in ('opened', 'closed')),
  confidential integer not null default 0 check (confidential in (0, 1)),
  -- 1: only members may comment, null: never set
  discussion_locked integer check (discussion_locked in (0, 1)),
  -- YYYY-MM-DD
  due_date text,
  -- comments that are not system comments
  user_notes_count integer not null default 0,
  -- system comments
  system_notes_count integer not null default 0,
  created_at integer not null,
  updated_at integer not null,
  -- when the issue was closed, and by which user, null: it is open, or that is not known
  closed_at integer,
  closed_by_id integer references users (id),
  -- the issue that it became in another project
  moved_to_id integer references issues (id),
  -- soft deletion: from then on no read shows the issue, and its texts are gone
  deleted_at integer,
  -- where it stands in lists: 0 opened, 1 closed, 2 opened and confidential, 3 closed and confidential, 4 deleted
  section integer as (iif(deleted_at is null, 2 * confidential + (state = 'closed'), 4)) virtual,
  -- system comments whose change is in resource_events, too
  event_notes_count integer not null default 0,
  quota_bytes integer as (300 + octet_length(title) + coalesce(octet_length(description), 0)) virtual,
  -- emoji of the issue and its comments
  awards_count integer not null default 0,
  -- thumbs of the issue itself
  upvotes integer not null default 0,
  downvotes integer not null default 0,
  -- seconds
  time_estimate integer not null default 0 check (time_estimate >= 0),
  -- seconds
  time_spent integer not null default 0 check (time_spent >= 0),
  description text
) strict;
create index issues_by_creation on issues (project_id, section, created_at, id);
create index issues_by_update on issues (project_id, section, updated_at, id);
create index issues_moved_to on issues (moved_to_id) where moved_to_id is not null;
create index issues_narrow on issues (
  id, project_id, iid, author_id, assignee_id, milestone_id, due_date, created_at, updated_at, closed_by_id, section,
  octet_length(json_quote(description))
);
create unique index issues_number on issues (project_id, iid);
create index issues_of_assignee on issues (assignee_id, project_id, section, created_at, id)
  where assignee_id is not null;
create index issues_of_author on issues (author_id, project_id, section, created_at, id);
create index issues_of_milestone on issues (milestone_id, section, created_at, id) where milestone_id is not null;

create trigger issue_labels_follow after update of state, confidential, deleted_at on issues
when old.section <> new.section BEGIN
  update issue_labels set section = new.section where issue_id = new.id;
END;

create trigger issues_count_created after insert on issues when new.section < 4 BEGIN
  update issue_counts
  set
    last_iid = max(last_iid, new.iid), opened = opened + (new.section = 0), closed = closed + (new.section = 1),
    opened_hidden = opened_hidden + (new.section = 2), closed_hidden = closed_hidden + (new.section = 3)
  where project_id = new.project_id;
END;

create trigger issues_count_changed after update of state, confidential, deleted_at on issues
when old.section <> new.section BEGIN
  update issue_counts
  set
    opened = opened + (new.section = 0) - (old.section = 0), closed = closed + (new.section = 1) - (old.section = 1),
    opened_hidden = opened_hidden + (new.section = 2) - (old.section = 2),
    closed_hidden = closed_hidden + (new.section = 3) - (old.section = 3)
  where project_id = new.project_id;
END;

create trigger issues_count_planned after insert on issues
when new.section < 4 and new.milestone_id is not null BEGIN
  update milestones
  set
    opened = opened + (new.section = 0), closed = closed + (new.section = 1),
    opened_hidden = opened_hidden + (new.section = 2), closed_hidden = closed_hidden + (new.section = 3)
  where id = new.milestone_id;
END;

create trigger issues_count_replanned after update of state, confidential, deleted_at, milestone_id on issues
when old.section <> new.section or old.milestone_id is not new.milestone_id BEGIN
  update milestones
  set
    opened = opened + (id is new.milestone_id and new.section = 0) - (id is old.milestone_id and old.section = 0),
    closed = closed + (id is new.milestone_id and new.section = 1) - (id is old.milestone_id and old.section = 1),
    opened_hidden = opened_hidden + (id is new.milestone_id and new.section = 2)
      - (id is old.milestone_id and old.section = 2),
    closed_hidden = closed_hidden + (id is new.milestone_id and new.section = 3)
      - (id is old.milestone_id and old.section = 3)
  where id in (old.milestone_id, new.milestone_id);
END;

create trigger issues_restored after update of title, description on issues
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

create trigger issues_unstored after delete on issues BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create trigger issues_stored after insert on issues BEGIN
  update storage
  set bytes = bytes + new.quota_bytes + iif(exists (select 1 from request_marks where silent), 0, 150)
  where project_id = new.project_id;
  insert into events (project_id, author_id, kind, action, target_id, created_at)
  values (
    new.project_id,
    coalesce((select copier_id from request_marks where id = 2), new.author_id),
    'issue', 'created', new.id, new.updated_at
  );
END;

create trigger issues_unindexed_created after insert on issues BEGIN
  insert into unindexed_issues (project_id, class, issue_id) values (new.project_id, new.confidential, new.id);
END;

create trigger issues_unindexed_changed after update of title, description, confidential, deleted_at on issues
when new.title <> old.title or new.description is not old.description or new.section / 2 <> old.section / 2 BEGIN
  delete from unindexed_issues where project_id = new.project_id and class in (0, 1, 2) and issue_id = new.id;
  insert into unindexed_issues (project_id, class, issue_id) values (new.project_id, new.section / 2, new.id);
END;

create trigger issues_unindexed_deleted after delete on issues BEGIN
  delete from unindexed_issues where project_id = old.project_id and class in (0, 1, 2) and issue_id = old.id;
  insert into unindexed_issues (project_id, class, issue_id) values (old.project_id, 2, old.id);
END;

create trigger issues_unindexed_notes after update of confidential on issues
when new.confidential <> old.confidential BEGIN
  delete from unindexed_notes
  where project_id = new.project_id and class in (0, 1, 2)
    and note_id in (select n.id from notes n where n.issue_id = new.id);
  insert into unindexed_notes (project_id, class, note_id)
  select new.project_id, new.confidential, n.id
  from notes n
  where n.issue_id = new.id and n.system = 0;
END;

create table label_subscriptions (
  label_id integer not null references labels (id),
  user_id integer not null,
  quota_bytes integer as (40) virtual,
  primary key (label_id, user_id)
) without rowid, strict;

create trigger label_subscriptions_stored after insert on label_subscriptions BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
  where project_id = (select l.project_id from labels l where l.id = new.label_id);
END;

create trigger label_subscriptions_unstored after delete on label_subscriptions BEGIN
  update storage
  set bytes = bytes - old.quota_bytes
  where project_id = (select l.project_id from labels l where l.id = old.label_id);
END;

create table labels (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  title text not null,
  -- #RRGGBB
  color text not null,
  -- 0 is the highest, null: none
  priority integer check (priority >= 0),
  created_at integer not null,
  -- how many issues bear the label, by state
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0,
  -- The title of a label that is being deleted begins with a comma and does not count, so that a deletion never exceeds
  -- a quota
  quota_bytes integer as (
    200 + iif(title >= ',' and title < '-', 0, 6 * octet_length(title)) + coalesce(octet_length(description), 0)
  ) virtual,
  description text,
  unique (project_id, title)
) strict;

create trigger labels_stored after insert on labels BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger labels_restored after update of title, description on labels
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

create trigger labels_unstored after delete on labels BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table milestone_releases (
  release_id integer not null references releases (id),
  milestone_id integer not null references milestones (id),
  -- that of the release
  project_id integer not null,
  quota_bytes integer as (60) virtual,
  primary key (release_id, milestone_id)
) without rowid, strict;
create index milestone_releases_of_milestone on milestone_releases (milestone_id);

create trigger milestone_releases_stored after insert on milestone_releases BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger milestone_releases_unstored after delete on milestone_releases BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table milestones (
  id integer primary key,
  project_id integer not null references projects (id),
  -- number within the project, less than 0: the milestone is deleted. Its row stays without texts, so that the number
  -- is not given out again
  iid integer not null,
  title text not null,
  state text not null default 'active' check (state in ('active', 'closed')),
  -- YYYY-MM-DD
  start_date text,
  -- YYYY-MM-DD
  due_date text,
  created_at integer not null,
  updated_at integer not null,
  -- how many issues the milestone holds, by state
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0,
  -- The title of a deleted milestone does not count, so that a deletion never exceeds a quota
  quota_bytes integer as (
    200 + iif(iid < 0, 0, 6 * octet_length(title)) + coalesce(octet_length(description), 0)
  ) virtual,
  description text,
  unique (project_id, iid),
  unique (project_id, title)
) strict;
create index milestones_by_state on milestones (project_id, state, iid);
create index milestones_narrow on milestones (
  id, iid, project_id, state, start_date, due_date, octet_length(json_quote(description))
);

create trigger milestones_stored after insert on milestones BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger milestones_restored after update of title, description on milestones
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

create trigger milestones_unstored after delete on milestones BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table mirrors (
  project_id integer primary key references projects (id),
  -- grows with every change of refs and every chunk of branches of commits, so that a request stores nothing that it
  -- read before another change
  version integer not null,
  -- commits whose hash is greater are still to be checked for another branch, null: none
  scan_after text,
  -- commits with greater ids came with the batch that is being stored
  before_batch integer not null default 0,
  -- not used: the table storage has the bytes
  bytes integer not null default 0,
  -- not used
  bytes_before integer not null default 0,
  -- parents of commits beyond the second. A walk reads them all, so a project has a limited number
  extra_parents integer not null default 0,
  -- commits with ids up to this one came with a history, so that their messages mention no issue
  history_until integer not null default 0,
  -- commits with greater ids have come since refs were moved last
  seen_until integer not null default 0,
  -- which objects the hook sends: none, tips, or history, null: it has never sent any
  contents text
) strict;

create table more_paths (
  id integer primary key,
  commit_id integer not null references commits (id),
  part integer not null,
  -- each path after two slashes, and two slashes at the end. A path of git has no empty name, so it has no two slashes
  -- itself
  text text not null,
  quota_bytes integer as (100 + octet_length(text)) virtual
) strict;
create unique index more_paths_of_commit on more_paths (commit_id, part);

create trigger more_paths_stored after insert on more_paths BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
  where project_id = (select c.project_id from commits c where c.id = new.commit_id);
END;

create trigger more_paths_unstored after delete on more_paths BEGIN
  update storage
  set bytes = bytes - old.quota_bytes
  where project_id = (select c.project_id from commits c where c.id = old.commit_id);
END;

create table namespaces (
  id integer primary key,
  kind text not null check (kind in ('user', 'group')),
  -- as shown in addresses: a username or the path of a group
  path text not null,
  -- lower case of the path: two names never differ by case alone
  path_key text not null unique
) strict;

create table note_index (id integer primary key check (id = 1), below integer not null) strict;

CREATE VIRTUAL TABLE note_words using fts5(
  tokens, content = '', contentless_delete = 1, detail = column, prefix = '11', tokenize = 'ascii'
);

create table 'note_words_config'(k PRIMARY KEY, v) WITHOUT ROWID;

create table 'note_words_data'(id INTEGER PRIMARY KEY, block BLOB);

create table 'note_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);

create table 'note_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

create table notes (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  issue_id integer not null references issues (id),
  author_id integer not null references users (id),
  -- 1: the service wrote it about a change
  system integer not null default 0 check (system in (0, 1)),
  reference_project_id integer references projects (id),
  created_at integer not null,
  updated_at integer not null,
  quota_bytes integer as (100 + octet_length(body) + coalesce(octet_length(reference), 0)) virtual,
  -- 1: a system comment whose change is in resource_events, too. v4 leaves it out
  has_event integer not null default 0,
  -- the issue that the reference is about, if not only its project decides who reads the reference
  reference_issue_id integer,
  -- a text about something in another project, such as the issue that a move left or made. It is added to the body for
  -- those who see that project
  reference text,
  body text not null
) strict;
create index notes_by_creation on notes (issue_id, created_at, id, has_event);
create index notes_of_issue on notes (issue_id, id, has_event);

create trigger notes_count_added after insert on notes when not new.system BEGIN
  update issues set user_notes_count = user_notes_count + 1 where id = new.issue_id;
END;

create trigger notes_count_removed after delete on notes
when not old.system and (select i.deleted_at is null from issues i where i.id = old.issue_id) BEGIN
  update issues set user_notes_count = user_notes_count - 1 where id = old.issue_id;
END;

create trigger notes_restored after update of body, reference on notes
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

create trigger notes_unstored after delete on notes BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create trigger notes_count_system after insert on notes when new.system BEGIN
  update issues
  set system_notes_count = system_notes_count + 1, event_notes_count = event_notes_count + new.has_event
  where id = new.issue_id;
END;

create trigger notes_stored after insert on notes BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
    + iif(new.system or exists (select 1 from request_marks where silent or copier_id is not null), 0, 150)
  where project_id = new.project_id;
  insert into events (project_id, author_id, kind, action, target_id, created_at)
  select
    new.project_id, new.author_id, 'note', 'commented', new.id,
    max(
      coalesce((select created_at from events order by id desc limit 1), 0),
      min(new.updated_at, cast((julianday('now') - 2440587.5) * 86400000 as integer) + 60000)
    )
  where not new.system and not exists (select 1 from request_marks where copier_id is not null);
END;

create trigger notes_unindexed_created after insert on notes when not new.system BEGIN
  insert into unindexed_notes (project_id, class, note_id)
  select new.project_id, i.confidential, new.id
  from issues i
  where i.id = new.issue_id;
END;

create trigger notes_unindexed_changed after update of body on notes when new.body <> old.body and not new.system BEGIN
  delete from unindexed_notes where project_id = new.project_id and class in (0, 1, 2) and note_id = new.id;
  insert into unindexed_notes (project_id, class, note_id)
  select new.project_id, i.confidential, new.id
  from issues i
  where i.id = new.issue_id;
END;

create trigger notes_unindexed_deleted after delete on notes when not old.system BEGIN
  delete from unindexed_notes where project_id = old.project_id and class in (0, 1, 2) and note_id = old.id;
  insert into unindexed_notes (project_id, class, note_id) values (old.project_id, 2, old.id);
END;

create table object_sweeps (
  -- there is one row
  id integer primary key check (id = 1),
  -- the begin of all keys of this database. Other databases may use the same bucket
  store text not null,
  -- the key up to which objects were checked
  after text not null default '',
  -- the id of the commit up to which diffs were moved into the store
  moved integer not null default 0,
  -- A restored database reads the objects of its original, whose keys begin with store, and puts and sweeps those that
  -- begin with own, null: the database has only store
  own text
) strict;

create table objects (
  project_id integer not null references projects (id),
  sha text not null,
  kind text not null check (kind in ('tree', 'blob')),
  -- bytes, unpacked
  size integer not null,
  -- bytes in the object store
  packed integer not null,
  -- facts about an object that came in parts. The object store lacks them, because they were not known when the first
  -- part was stored
  about text,
  -- why the bytes are not stored, null: they are
  left_out text check (left_out in ('size', 'unfit')),
  -- since when no branch or tag needs it, null: one does
  unneeded_at integer,
  quota_bytes integer as (100 + packed) virtual,
  -- of a tree: the names of its README and its license, null: it has none
  readme text,
  license text,
  -- the person who stored the bytes: the user, or the maker of a token of a project, null: they count in no share
  person_id integer,
  primary key (project_id, sha)
) strict, without rowid;
create index objects_unneeded on objects (unneeded_at) where unneeded_at is not null;

create trigger objects_stored after insert on objects BEGIN
  update storage
  set bytes = bytes + new.quota_bytes, contents = contents + new.packed
  where project_id = new.project_id;
  insert into shares (user_id, bytes)
  select new.person_id, new.packed
  where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;

create trigger objects_restored after update of packed, person_id on objects
when new.packed <> old.packed or new.person_id is not old.person_id BEGIN
  update storage
  set bytes = bytes + new.packed - old.packed, contents = contents + new.packed - old.packed
  where project_id = new.project_id;
  update shares set bytes = bytes - old.packed where user_id = old.person_id;
  insert into shares (user_id, bytes)
  select new.person_id, new.packed
  where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;

create trigger objects_unstored after delete on objects BEGIN
  update storage
  set bytes = bytes - old.quota_bytes, contents = contents - old.packed
  where project_id = old.project_id;
  update shares set bytes = bytes - old.packed where user_id = old.person_id;
END;

create table package_files (
  id integer primary key autoincrement,
  package_id integer not null references packages (id),
  -- that of the package
  project_id integer not null,
  -- with its path. Of several files with one name the newest counts
  file_name text not null check (octet_length(file_name) between 1 and 255),
  -- the end of the key
  object text not null check (octet_length(object) = 32),
  -- prefix of the key, null means that of object_sweeps.store
  store text,
  size integer not null check (size >= 0),
  sha256 text not null check (octet_length(sha256) = 64),
  created_at integer not null,
  quota_bytes integer as (400 + 2 * octet_length(file_name) + size) virtual,
  -- the person who stored the bytes: the user, or the maker of a token of a project, null: they count in no share
  person_id integer
) strict;
create index package_files_by_name on package_files (package_id, file_name, id);
create unique index package_files_by_object on package_files (project_id, object);
create index package_files_of_package on package_files (package_id, id);

create trigger package_files_stored after insert on package_files BEGIN
  update storage
  set bytes = bytes + new.quota_bytes, packages = packages + new.size
  where project_id = new.project_id;
  insert into shares (user_id, bytes)
  select new.person_id, new.size
  where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;

create trigger package_files_unstored after delete on package_files BEGIN
  update storage
  set bytes = bytes - old.quota_bytes, packages = packages - old.size
  where project_id = old.project_id;
  update shares set bytes = bytes - old.size where user_id = old.person_id;
END;

create table packages (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  name text not null check (octet_length(name) between 1 and 255),
  version text not null check (octet_length(version) between 1 and 255),
  -- hidden: lists leave it out unless they are asked for hidden ones
  status text not null default 'default' check (status in ('default', 'hidden')),
  author_id integer not null,
  created_at integer not null,
  quota_bytes integer as (300 + 4 * octet_length(name) + 3 * octet_length(version)) virtual
) strict;
create index packages_by_creation on packages (project_id, status, created_at, id);
create index packages_by_name on packages (project_id, status, name, id);
create index packages_by_version on packages (project_id, status, version, id);
create unique index packages_named on packages (project_id, name, version);

create trigger packages_stored after insert on packages BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger packages_unstored after delete on packages BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table parents (
  child_id integer not null references commits (id),
  position integer not null,
  parent_id integer not null references commits (id),
  parent_committed_at integer not null,
  parent_lift integer not null default 0,
  primary key (child_id, position)
) strict, without rowid;
create index parents_of_parent on parents (parent_id);

create trigger parents_lift_child after insert on parents
when (select p.committed_at + p.lift from commits p where p.id = new.parent_id)
  >= (select c.committed_at + c.lift from commits c where c.id = new.child_id) BEGIN
  update commits
  set lift = 1 - committed_at + (select p.committed_at + p.lift from commits p where p.id = new.parent_id)
  where id = new.child_id;
END;

create trigger parents_repeat_lift after insert on parents
when (select p.lift from commits p where p.id = new.parent_id) > 0 BEGIN
  update parents
  set parent_lift = (select p.lift from commits p where p.id = new.parent_id)
  where child_id = new.child_id and position = new.position;
END;

create table participants (
  issue_id integer not null references issues (id),
  user_id integer not null references users (id),
  -- the comment that shows it, 0: the title or description of the issue
  note_id integer not null,
  quota_bytes integer as (40) virtual,
  primary key (issue_id, user_id, note_id)
) strict, without rowid;

create trigger participants_stored after insert on participants BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = new.issue_id);
END;

create trigger participants_unstored after delete on participants BEGIN
  update storage
  set bytes = bytes - old.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;

create table project_members (
  user_id integer not null references users (id),
  project_id integer not null references projects (id),
  -- 10 guest, 20 reporter, 30 developer, 40 master, 50 owner
  access integer not null check (access in (10, 20, 30, 40, 50)),
  created_at integer not null,
  -- of the project, so that the members of any project of a group are found in an index
  namespace_id integer not null references namespaces (id),
  -- the day on which the membership ends, as 2026-01-31
  expires_at text check (octet_length(expires_at) = 10),
  primary key (user_id, project_id)
) strict, without rowid;
create index project_members_ending on project_members (expires_at) where expires_at is not null;
create index project_members_of_namespace on project_members (user_id, namespace_id);
create index project_members_of_project on project_members (project_id, user_id);

create trigger project_members_joined after insert on project_members BEGIN
  insert into events (project_id, author_id, kind, action, created_at)
  values (new.project_id, new.user_id, 'member', 'joined', new.created_at);
END;

create table project_remains (
  project_id integer primary key references projects (id)
) strict;

create table projects (
  id integer primary key,
  namespace_id integer not null references namespaces (id),
  creator_id integer not null references users (id),
  name text not null,
  path text not null,
  -- the path of the namespace, a slash and the path of the project
  full_path text not null,
  -- lower case of the full path, by which a project is looked up
  path_key text not null unique,
  -- the name of the namespace and the name of the project, with a slash between blanks
  full_name text not null,
  -- 0 private, 10 internal, 20 public
  visibility integer not null check (visibility in (0, 10, 20)),
  issues_enabled integer not null default 1 check (issues_enabled in (0, 1)),
  builds_enabled integer not null default 1 check (builds_enabled in (0, 1)),
  archived integer not null default 0 check (archived in (0, 1)),
  -- a branch without refs/heads/, as the mirror names it, null: empty repository
  default_branch text,
  created_at integer not null,
  -- of the last change or, to the hour, of what last happened in the project
  updated_at integer not null,
  -- soft deletion: from then on no read shows the project
  deleted_at integer,
  -- since then what belongs to a deleted project is being removed, and the project cannot come back. Its row stays
  purged_at integer,
  -- 1: a commit that comes into the default branch closes the issues that its message names for that
  autoclose integer not null default 1 check (autoclose in (0, 1)),
  quota_bytes integer as (
    1000 + 15 * (octet_length(name) + octet_length(path)) + coalesce(octet_length(description), 0)
  ) virtual,
  description text
) strict;
create index projects_by_update on projects (namespace_id, updated_at, id);
create index projects_by_visibility on projects (visibility, id);
create index projects_listed on projects (visibility, id) where deleted_at is null;
create unique index projects_named on projects (namespace_id, name) where deleted_at is null;
create index projects_of_namespace on projects (namespace_id, id);
create index projects_of_namespace_by_visibility on projects (namespace_id, visibility) where deleted_at is null;
create index projects_seen_by_name on projects (visibility, lower(name), id) where deleted_at is null;
create index projects_seen_by_path on projects (visibility, lower(path), id) where deleted_at is null;
create index projects_seen_by_update on projects (visibility, updated_at, id) where deleted_at is null;
create index projects_seen_of_namespace on projects (visibility, namespace_id) where deleted_at is null;
create index projects_to_purge on projects (deleted_at) where deleted_at is not null and purged_at is null;
create index projects_within on projects (namespace_id, visibility, id) where deleted_at is null;
create index projects_within_by_name on projects (namespace_id, visibility, lower(name), id) where deleted_at is null;
create index projects_within_by_path on projects (namespace_id, visibility, lower(path), id) where deleted_at is null;
create index projects_within_by_update on projects (namespace_id, visibility, updated_at, id) where deleted_at is null;

create trigger projects_counted after insert on projects when new.deleted_at is null BEGIN
  update groups set projects_count = projects_count + 1 where id = new.namespace_id;
END;

create trigger projects_uncounted after update of deleted_at on projects
when old.deleted_at is null and new.deleted_at is not null BEGIN
  update groups set projects_count = projects_count - 1 where id = new.namespace_id;
END;

create trigger projects_recounted after update of deleted_at on projects
when old.deleted_at is not null and new.deleted_at is null BEGIN
  update groups set projects_count = projects_count + 1 where id = new.namespace_id;
END;

create trigger projects_begin_no_more_visible_than_their_group before insert on projects
when new.visibility > (select g.visibility from groups g where g.id = new.namespace_id) BEGIN
  select raise(abort, 'E_VISIBILITY');
END;

create trigger projects_stay_no_more_visible_than_their_group before update of visibility on projects
when new.visibility > old.visibility
  and new.visibility > (select g.visibility from groups g where g.id = new.namespace_id) BEGIN
  select raise(abort, 'E_VISIBILITY');
END;

create trigger projects_default_branch after update of default_branch on projects
when old.default_branch is not new.default_branch and exists (select 1 from refs r where r.project_id = new.id) BEGIN
  insert into mirrors (project_id, version, scan_after)
  values (new.id, 1, '')
  on conflict (project_id) do update set version = version + 1, scan_after = '';
  insert into branch_queue (commit_id, project_id, committed_at)
  select c.id, new.id, c.committed_at
  from refs r
  join commits c on c.id = r.commit_id
  where r.project_id = new.id and r.name = 'refs/heads/' || new.default_branch
  on conflict do nothing;
END;

create trigger projects_restored after update of name, path, description on projects
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.id;
END;

create trigger projects_stored after insert on projects BEGIN
  insert into storage (project_id, bytes) values (new.id, 0);
  update storage set bytes = bytes + new.quota_bytes where project_id = new.id;
  insert into events (project_id, author_id, kind, action, created_at)
  values (new.id, new.creator_id, 'project', 'created', new.created_at);
END;

create table refs (
  project_id integer not null references projects (id),
  -- refs/heads/.. or refs/tags/..
  name text not null,
  -- annotated tags are peeled
  commit_id integer not null references commits (id),
  -- the committed_at of the commit, for lists in its order
  committed_at integer not null default 0,
  -- the hash of an annotated tag itself, which differs when a tag is recreated on the same commit, null: another ref
  tag_sha text,
  -- how many commits the ref reaches, as the mirror hook counted them: the total of its list of commits, null: not
  -- counted
  commits integer check (commits > 0),
  quota_bytes integer as (200 + 14 * octet_length(name) + coalesce(octet_length(message), 0)) virtual,
  -- the message of an annotated tag
  message text,
  primary key (project_id, name)
) strict, without rowid;
create index refs_by_date on refs (project_id, substr(name, 6, 1), committed_at, name);
create index refs_of_commit on refs (commit_id, name);

create trigger refs_stored after insert on refs BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger refs_restored after update of message on refs
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

create trigger refs_unstored after delete on refs BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table release_links (
  id integer primary key autoincrement,
  release_id integer not null references releases (id),
  -- that of the release, whose bytes the link counts in
  project_id integer not null,
  name text not null check (octet_length(name) between 1 and 1020),
  url text not null check (octet_length(url) between 1 and 2048),
  -- the end of a lasting address of the link, with a slash in front
  filepath text check (octet_length(filepath) between 2 and 128),
  link_type text not null check (link_type in ('other', 'runbook', 'image', 'package')),
  quota_bytes integer as (200 + octet_length(name) + octet_length(url) + coalesce(octet_length(filepath), 0)) virtual
) strict;
create unique index release_links_by_name on release_links (release_id, name);
create unique index release_links_by_path on release_links (release_id, filepath) where filepath is not null;
create unique index release_links_by_url on release_links (release_id, url);

create trigger release_links_stored after insert on release_links BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger release_links_restored after update of name, url, filepath on release_links
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

create trigger release_links_unstored after delete on release_links BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table releases (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- the name of a tag, which may be gone by now
  tag text not null check (octet_length(tag) between 1 and 1024),
  -- null: the name of the tag
  name text check (octet_length(name) between 1 and 1020),
  -- the commit of the tag when the release was made
  sha text not null check (octet_length(sha) <= 64),
  author_id integer not null,
  created_at integer not null,
  updated_at integer not null,
  released_at integer not null,
  quota_bytes integer as (
    300 + octet_length(tag) + coalesce(octet_length(name), 0) + coalesce(octet_length(description), 0)
  ) virtual,
  description text check (octet_length(description) <= 1000000)
) strict;
create index releases_by_creation on releases (project_id, created_at, id, updated_at);
create index releases_by_release on releases (project_id, released_at, id);
create unique index releases_of_tag on releases (project_id, tag);

create trigger releases_stored after insert on releases BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger releases_restored after update of name, description on releases
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

create trigger releases_unstored after delete on releases BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table removed_numbers (
  project_id integer not null references projects (id),
  kind text not null check (kind in ('deployment', 'environment')),
  -- how many
  removed integer not null,
  -- the greatest of their numbers
  last integer not null,
  primary key (project_id, kind)
) strict, without rowid;

create table reports (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- the status. Commit, ref and name are its own
  job_id integer not null,
  commit_id integer not null references commits (id),
  ref text not null,
  name text not null,
  -- 1: tests, 2: findings
  kind integer not null check (kind in (1, 2)),
  -- the end of the key, null without cases
  object text check (octet_length(object) = 32),
  -- prefix of the key, null means that of object_sweeps.store
  store text,
  -- bytes, packed and unpacked
  size integer not null check (size >= 0),
  length integer not null check (length >= 0),
  -- of the body as sent, unpacked
  sha256 text not null check (octet_length(sha256) = 64),
  -- of findings: failed are those that are major or worse
  total integer not null,
  failed integer not null,
  errors integer not null,
  skipped integer not null,
  flaky integer not null,
  seconds real not null,
  -- JSON list of keys: what is broken, at most 200 tests or 1,000 findings
  broken text not null check (octet_length(broken) <= 20000),
  -- JSON list of keys and names: at most 400 of the tests that were broken lately and passed
  passed text not null check (octet_length(passed) <= 100000),
  -- 1: broken has all
  whole integer not null check (whole in (0, 1)),
  -- JSON list of the 20 slowest tests: key, name, seconds
  slowest text not null check (octet_length(slowest) <= 10000),
  -- why it is not complete
  problem text check (octet_length(problem) <= 1000),
  -- the person who stored the bytes: the user, or the maker of a token of a project, null: they count in no share
  person_id integer,
  created_at integer not null,
  quota_bytes integer as (
    700 + 4 * (octet_length(ref) + octet_length(name)) + octet_length(broken) + octet_length(passed)
      + octet_length(slowest) + coalesce(octet_length(problem), 0) + size
  ) virtual
) strict;
create index reports_of_commit on reports (commit_id, name, kind, id);
create unique index reports_of_job on reports (job_id, kind);
create index reports_of_name on reports (project_id, name, ref, kind, id);

create trigger reports_stored after insert on reports BEGIN
  update storage
  set bytes = bytes + new.quota_bytes, uploads = uploads + new.size, reports = reports + new.size
  where project_id = new.project_id;
  insert into shares (user_id, bytes)
  select new.person_id, new.size
  where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;

create trigger reports_unstored after delete on reports BEGIN
  update storage
  set bytes = bytes - old.quota_bytes, uploads = uploads - old.size, reports = reports - old.size
  where project_id = old.project_id;
  update shares set bytes = bytes - old.size where user_id = old.person_id;
END;

create table request_marks (
  -- 1: the request. 2: an issue is copied with its comments. 3: the batch of a caller who is no member, in one of the
  -- full_for_others
  id integer primary key check (id in (1, 2, 3)),
  -- 1: nobody is to be informed: no hook, no event, no to-do item
  silent integer not null default 0 check (silent in (0, 1)),
  -- who copies the issue. The copies of its comments are no events
  copier_id integer
, moves integer not null default 0 check (moves in (0, 1))) strict;

create table reservations (
  id integer primary key,
  -- random, the same in all rows of a request
  request text not null check (octet_length(request) = 32),
  project_id integer not null,
  person_id integer not null,
  -- 1: for an upload of a person who is no member of the project
  outside integer not null check (outside in (0, 1)),
  bytes integer not null check (bytes >= 0),
  -- limits that hold for this row, 0: no limit. Bytes in the object store of all projects
  most_objects integer not null,
  -- bytes in the object store of the person
  most_of_person integer not null,
  -- bytes of the project, or of uploads of people who are no members if outside
  most_of_project integer not null,
  created_at integer not null
) strict;
create index reservations_by_creation on reservations (created_at);
create index reservations_of_request on reservations (request);

create trigger reservations_begin after insert on reservations BEGIN
  update storage
  set bytes = bytes + new.bytes, reserved = reserved + new.bytes, outside = outside + new.outside * new.bytes
  where project_id = new.project_id;
  insert into shares (user_id, bytes)
  values (new.person_id, new.bytes)
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
  select raise(abort, 'E_PART_FULL')
  from storage t
  where t.project_id = new.project_id
    and new.most_of_project > 0
    and iif(new.outside, t.outside, t.bytes) > new.most_of_project;
  select raise(abort, 'E_SHARE_FULL')
  from shares h
  where h.user_id = new.person_id and new.most_of_person > 0 and h.bytes > new.most_of_person;
  select raise(abort, 'E_OBJECTS_FULL')
  from stored s
  where s.id = 1 and new.most_objects > 0 and s.objects > new.most_objects;
END;

create trigger reservations_end after delete on reservations BEGIN
  update storage
  set bytes = bytes - old.bytes, reserved = reserved - old.bytes, outside = outside - old.outside * old.bytes
  where project_id = old.project_id;
  update shares set bytes = bytes - old.bytes where user_id = old.person_id;
END;

create table resource_events (
  id integer primary key,
  issue_id integer not null references issues (id),
  user_id integer not null references users (id),
  kind text not null check (kind in ('label', 'milestone', 'state')),
  action text not null check (action in ('add', 'remove', 'closed', 'reopened')),
  -- the label and when it was made, because another label may get its id
  label_id integer,
  label_made_at integer,
  milestone_id integer,
  -- of the issue, before the change
  state text not null,
  -- the commit that closed it
  source_sha text,
  created_at integer not null,
  quota_bytes integer as (100) virtual
) strict;
create index resource_events_of_issue on resource_events (issue_id, kind, id);

create trigger resource_events_unstored after delete on resource_events BEGIN
  update storage
  set bytes = bytes - old.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;

create trigger resource_events_stored after insert on resource_events BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
    + iif(new.kind <> 'state' or exists (select 1 from request_marks where silent), 0, 150)
  where project_id = (select i.project_id from issues i where i.id = new.issue_id);
  insert into events (project_id, author_id, kind, action, target_id, created_at)
  select i.project_id, new.user_id, 'issue', new.action, i.id, new.created_at
  from issues i
  where i.id = new.issue_id and new.kind = 'state';
END;

create table settings (
  id integer primary key check (id = 1),
  default_projects_limit integer not null default 10,
  signup_enabled integer not null default 1 check (signup_enabled in (0, 1)),
  signin_enabled integer not null default 1 check (signin_enabled in (0, 1)),
  avatar_enabled integer not null default 1 check (avatar_enabled in (0, 1)),
  sign_in_text text,
  home_page_url text,
  default_branch_protection integer not null default 2 check (default_branch_protection in (0, 1, 2)),
  -- JSON array of 0, 1, 2
  restricted_visibility_levels text not null default '[]',
  -- megabytes
  max_attachment_size integer not null default 10 check (max_attachment_size > 0),
  -- minutes
  session_expire_delay integer not null default 10080 check (session_expire_delay >= 0),
  default_project_visibility integer not null default 0 check (default_project_visibility in (0, 1, 2)),
  default_snippet_visibility integer not null default 0 check (default_snippet_visibility in (0, 1, 2)),
  -- JSON array of domain names, null until it is set
  domain_whitelist text,
  domain_blacklist_enabled integer not null default 0 check (domain_blacklist_enabled in (0, 1)),
  -- JSON array of domain names
  domain_blacklist text not null default '[]',
  user_oauth_applications integer not null default 1 check (user_oauth_applications in (0, 1)),
  after_sign_out_path text,
  -- minutes
  container_registry_token_expire_delay integer not null default 5 check (container_registry_token_expire_delay > 0),
  repository_storage text not null default 'default',
  -- null: both
  enabled_git_access_protocol text check (enabled_git_access_protocol in ('ssh', 'http')),
  created_at integer not null,
  updated_at integer not null,
  -- of one kind that a push makes, moves or removes, the most refs that hooks get
  push_event_hooks_limit integer not null default 50 check (push_event_hooks_limit >= 0)
) strict;

create trigger settings_blacklist_holds_a_domain before update on settings
when new.domain_blacklist_enabled = 1 and json_array_length(new.domain_blacklist) = 0 BEGIN
  select raise(abort, 'Domain blacklist cannot be empty if Blacklist is enabled.');
END;

create table shares (
  user_id integer primary key,
  -- in the object store, of what the person stored
  bytes integer not null,
  -- in the database, of the projects that the person made, in steps of 256 KiB
  steps integer not null default 0,
  -- in the database, of answers kept for repeats
  answers integer not null default 0
, records integer not null default 0) strict;

create trigger shares_keep_answers after update of answers on shares
when new.answers > 10000000 and new.answers > old.answers BEGIN
  delete from idempotency_keys
  where (user_id, key) in (
    select user_id, key
    from (
      select
        o.user_id, o.key,
        sum(o.quota_bytes) over (order by o.created_at, o.user_id, o.key) - o.quota_bytes as before
      from (
        select user_id, key, created_at, quota_bytes
        from idempotency_keys
        where person_id = new.user_id
        order by created_at, user_id, key
        limit 50
      ) o
    )
    where before < new.answers - 9900000
  );
END;

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

create table sqlite_sequence(name,seq);

create table staged_records (
  kind integer primary key check (kind between 1 and 12),
  records text not null check (octet_length(records) <= 1990000)
) strict;

create table staged_swaps (
  project_id integer not null references projects (id),
  -- the number of the chunk: 0, 1, .. or -1 for the changes of a single request, which its batch deletes again
  portion integer not null,
  -- the name that the hook gave to these changes
  sync text not null,
  -- JSON array
  changes text not null,
  quota_bytes integer as (100 + octet_length(sync) + octet_length(changes)) virtual,
  primary key (project_id, portion)
) strict, without rowid;

create trigger staged_swaps_stored after insert on staged_swaps when new.portion >= 0 BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger staged_swaps_restored after update of sync, changes on staged_swaps
when new.quota_bytes <> old.quota_bytes and new.portion >= 0 BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

create trigger staged_swaps_unstored after delete on staged_swaps when old.portion >= 0 BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table status_counts (
  commit_id integer not null references commits (id),
  ref text not null,
  posted integer not null default 0,
  pending integer not null default 0,
  running integer not null default 0,
  success integer not null default 0,
  failed integer not null default 0,
  canceled integer not null default 0,
  -- how many of the canceled ones are skipped
  skipped integer not null default 0,
  -- of its statuses
  bytes integer not null default 0,
  -- A pipeline takes room in steps, so that most statuses do not write the storage of their project.
  quota_bytes integer as ((bytes + 4095) / 4096 * 4096) virtual,
  -- that of the commit
  project_id integer references projects (id),
  -- the id of the pipeline, which is that of its first status
  pipeline_id integer,
  -- number within the project
  iid integer,
  -- who posted the first status, and when
  user_id integer references users (id),
  created_at integer,
  -- when a status was added or changed its state
  changed_at integer, state text as (
  case
    when pending + running + success + failed + canceled = skipped then 'skipped'
    when pending + running + failed = 0 and canceled = skipped then 'success'
    when pending + running + failed = 0 then 'canceled'
    when running + success + failed = 0 and canceled = skipped then 'pending'
    when pending + running > 0 then 'running'
    else 'failed'
  end
) virtual,
  primary key (commit_id, ref)
) strict, without rowid;
create index pipelines_of_commit on status_counts (commit_id, pipeline_id) where pipeline_id is not null;
create unique index pipelines_of_project on status_counts (project_id, pipeline_id) where pipeline_id is not null;
create index pipelines_of_ref on status_counts (project_id, ref, pipeline_id) where pipeline_id is not null;

create trigger status_counts_stored after insert on status_counts when new.quota_bytes <> 0 BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger status_counts_resized after update of bytes on status_counts
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;

create trigger status_counts_end after insert on status_counts
when 1000 < (select count(*) from (select 1 from status_counts where commit_id = new.commit_id limit 1001)) BEGIN
  select raise(abort, 'E_TOO_MANY_REFS');
END;

create trigger status_counts_begun after insert on status_counts
when new.pipeline_id is not null
  and exists (select 1 from hooks h where h.project_id = new.project_id and h.events & 256)
  and not exists (select 1 from hook_events e indexed by hook_events_open where e.bit = 0 and e.snapshot is null) BEGIN
  insert into hook_events (kind, action, bit, project_id, origin, before, created_at)
  values (
    'pipeline', 'status', 0, new.project_id, '{}',
    json_object('commit_id', new.commit_id, 'ref', new.ref, 'state', null), new.changed_at
  );
END;

create trigger status_counts_moved after update of
  pending, running, success, failed, canceled, skipped
on status_counts
when new.pipeline_id is not null
  and new.state <> old.state
  and exists (select 1 from hooks h where h.project_id = new.project_id and h.events & 256)
  and not exists (select 1 from hook_events e indexed by hook_events_open where e.bit = 0 and e.snapshot is null) BEGIN
  insert into hook_events (kind, action, bit, project_id, origin, before, created_at)
  values (
    'pipeline', 'status', 0, new.project_id, '{}',
    json_object('commit_id', new.commit_id, 'ref', new.ref, 'state', old.state), new.changed_at
  );
END;

create table status_heads (
  commit_id integer not null references commits (id),
  ref text not null,
  name text not null,
  -- The status. It is no declared reference: to delete a status, SQLite would look for it here, in an index that every
  -- post writes
  status_id integer not null,
  -- how many statuses there are of this name
  posted integer not null default 1,
  primary key (commit_id, ref, name)
) strict, without rowid;

create table statuses (
  id integer primary key,
  project_id integer not null references projects (id),
  commit_id integer not null references commits (id),
  -- branch or tag as posted or guessed, the empty text if none, so that uniqueness holds
  ref text not null,
  name text not null,
  user_id integer not null references users (id),
  state text not null check (state in ('pending', 'running', 'success', 'failed', 'canceled')),
  -- a skipped status is a canceled one with this mark. v3 shows and counts it as canceled
  skipped integer not null default 0 check (skipped in (0, 1) and (not skipped or state = 'canceled')),
  -- 1: the ref is a tag
  tag integer not null default 0 check (tag in (0, 1)),
  -- percent
  coverage real,
  created_at integer not null,
  started_at integer,
  finished_at integer,
  quota_bytes integer as (
    500 + 20 * (octet_length(ref) + octet_length(name)) + coalesce(octet_length(target_url), 0)
      + coalesce(octet_length(description), 0)
  ) virtual,
  target_url text,
  description text
) strict;
create index statuses_of_commit on statuses (commit_id, id);
create index statuses_of_project on statuses (project_id, id);
create unique index statuses_open on statuses (commit_id, name, user_id, ref) where state in ('pending', 'running');

create trigger statuses_removed after delete on statuses BEGIN
  update status_counts
  set posted = posted - 1, bytes = bytes - old.quota_bytes
  where commit_id = old.commit_id and ref = old.ref;
  update status_heads
  set posted = posted - 1
  where commit_id = old.commit_id and ref = old.ref and name = old.name;
END;

create trigger statuses_resized after update of target_url, description on statuses
when new.quota_bytes <> old.quota_bytes BEGIN
  update status_counts
  set bytes = bytes + new.quota_bytes - old.quota_bytes
  where commit_id = new.commit_id and ref = new.ref;
END;

create trigger statuses_moved after update of state on statuses
when old.state <> new.state
  and exists (
    select 1
    from status_heads h
    where h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.status_id = new.id
  ) BEGIN
  update status_counts
  set
    pending = pending + (new.state = 'pending') - (old.state = 'pending'),
    running = running + (new.state = 'running') - (old.state = 'running'),
    success = success + (new.state = 'success') - (old.state = 'success'),
    failed = failed + (new.state = 'failed') - (old.state = 'failed'),
    canceled = canceled + (new.state = 'canceled') - (old.state = 'canceled'),
    skipped = skipped + new.skipped - old.skipped,
    changed_at = coalesce(new.finished_at, new.started_at, new.created_at)
  where commit_id = new.commit_id and ref = new.ref;
END;

create trigger statuses_added after insert on statuses BEGIN
  insert into status_counts (
    commit_id, ref, posted, pending, running, success, failed, canceled, skipped, bytes, project_id, pipeline_id, iid,
    user_id, created_at, changed_at
  )
  select
    new.commit_id, new.ref, 1, (new.state = 'pending') - (before.state is 'pending'),
    (new.state = 'running') - (before.state is 'running'), (new.state = 'success') - (before.state is 'success'),
    (new.state = 'failed') - (before.state is 'failed'), (new.state = 'canceled') - (before.state is 'canceled'),
    new.skipped - coalesce(before.skipped, 0), new.quota_bytes, new.project_id, new.id,
    1
      + coalesce(
        (
          select n.iid
          from status_counts n
          where n.project_id = new.project_id and n.pipeline_id is not null
          order by n.pipeline_id desc
          limit 1
        ),
        0
      ),
    new.user_id, new.created_at, coalesce(new.finished_at, new.started_at, new.created_at)
  from (select 1)
  left join status_heads h on h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name
  left join statuses before on before.id = h.status_id
  where true
  on conflict (commit_id, ref) do update set
    posted = posted + 1, pending = pending + excluded.pending, running = running + excluded.running,
    success = success + excluded.success, failed = failed + excluded.failed, canceled = canceled + excluded.canceled,
    skipped = skipped + excluded.skipped, bytes = bytes + excluded.bytes, changed_at = excluded.changed_at;
  insert into status_heads (commit_id, ref, name, status_id)
  values (new.commit_id, new.ref, new.name, new.id)
  on conflict (commit_id, ref, name) do update set status_id = excluded.status_id, posted = posted + 1;
END;

create trigger statuses_take_reports after delete on statuses BEGIN
  delete from reports where job_id = old.id;
END;

create table storage (
  -- 0: no project
  project_id integer primary key,
  -- what the quota of the project limits. The bytes below are part of it
  bytes integer not null,
  -- in the object store: uploads
  uploads integer not null default 0,
  -- in the object store: files of packages
  packages integer not null default 0,
  -- in the object store: trees and files of the repository
  contents integer not null default 0,
  -- how many deliveries wait, for hooks of the project and for those of the system
  deliveries integer not null default 0,
  system_deliveries integer not null default 0,
  -- in the object store: diffs
  diffs integer not null default 0,
  -- in the object store soon: what requests are sending
  reserved integer not null default 0,
  -- all that is in the object store
  objects integer as (contents + uploads + packages + diffs + reserved) virtual,
  -- uploads of people who are no members, with what they are sending
  outside integer not null default 0,
  -- of 256 KiB in the database, begun: what stays of a deleted project takes none
  steps integer as ((bytes - objects + 258048) >> 18) virtual
, reports integer not null default 0) strict;

create trigger storage_counts after update of bytes on storage
when new.bytes <> old.bytes or new.objects <> old.objects BEGIN
  select raise(abort, 'E_PROJECT_FULL')
  from stored s
  where s.id = 1
    and new.project_id > 0
    and s.project_most > 0
    and new.bytes > s.project_most
    and new.bytes > old.bytes
    and not exists (select 1 from request_marks where moves);
  select raise(abort, 'E_FULL_FOR_OTHERS')
  from request_marks
  where id = 3 and new.project_id > 0 and new.bytes > old.bytes;
  update stored
  set bytes = bytes + new.bytes - new.objects - old.bytes + old.objects, objects = objects + new.objects - old.objects
  where id = 1;
END;

create trigger storage_shared after update of bytes on storage when new.steps <> old.steps BEGIN
  insert into shares (user_id, bytes, steps)
  select p.creator_id, 0, new.steps - old.steps
  from projects p
  where p.id = new.project_id
  on conflict (user_id) do update set steps = steps + excluded.steps;
  select raise(abort, 'E_PERSON_FULL')
  from stored s
  cross join projects p on p.id = new.project_id
  cross join shares h on h.user_id = p.creator_id
  cross join users u on u.id = p.creator_id
  where s.id = 1
    and s.person_most > 0
    and new.steps > old.steps
    and h.steps << 18 > s.person_most
    and not u.admin
    and not exists (select 1 from request_marks where moves);
END;

create table stored (
  -- there is one row
  id integer primary key check (id = 1),
  -- without those in the object store
  bytes integer not null,
  -- the greatest id of a token that was deleted: the id of a token never names another
  last_token_id integer not null default 0,
  -- the limits of a project and of the server, as the last write had them, 0: no limit
  project_most integer not null default 0,
  most integer not null default 0,
  -- the limit of the projects that one person made, 0: none
  person_most integer not null default 0,
  -- bytes in the object store
  objects integer not null default 0
) strict;

create trigger stored_ends after update of bytes on stored
when new.most > 0 and new.bytes > new.most and new.bytes > old.bytes BEGIN
  select raise(abort, 'E_SERVER_FULL') where not exists (select 1 from request_marks where moves);
END;

create table subscriptions (
  issue_id integer not null references issues (id),
  user_id integer not null references users (id),
  subscribed integer not null check (subscribed in (0, 1)),
  primary key (issue_id, user_id)
) strict, without rowid;

create table sweeps (
  what text primary key check (what in ('statuses')),
  after integer not null default 0,
  upto integer not null default 0
) strict, without rowid;

create table tag_objects (
  project_id integer not null references projects (id),
  -- 40 hexadecimal digits, or 64 in a repository of SHA-256
  sha text not null,
  -- no foreign key, which would need an index: both go with their project alone
  commit_id integer not null,
  quota_bytes integer as (150) virtual,
  primary key (project_id, sha)
) strict, without rowid;

create trigger tag_objects_stored after insert on tag_objects BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger tag_objects_unstored after delete on tag_objects BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table todos (
  id integer primary key,
  -- the owner of the to-do item
  user_id integer not null references users (id),
  -- who caused it
  author_id integer not null references users (id),
  project_id integer not null references projects (id),
  issue_id integer references issues (id),
  -- the comment that it stems from
  note_id integer references notes (id),
  -- the commit, and the comment on it, if there is no issue
  commit_id integer references commits (id),
  comment_id integer references commit_comments (id),
  action text not null check (
    action in (
      'assigned', 'mentioned', 'directly_addressed', 'build_failed', 'marked', 'mentioned_at_commit',
      'addressed_at_commit'
    )
  ),
  state text not null default 'pending' check (state in ('pending', 'done')),
  created_at integer not null,
  updated_at integer not null,
  quota_bytes integer as (250) virtual,
  check (
    iif(
      issue_id is null, commit_id is not null and comment_id is not null and note_id is null,
      commit_id is null and comment_id is null
    )
  )
) strict;
create index todos_by_action on todos (user_id, state, action);
create index todos_by_author on todos (user_id, state, author_id, action);
create index todos_by_project on todos (user_id, state, project_id, action);
create index todos_by_project_and_author on todos (user_id, state, project_id, author_id, action);
create index todos_of_comment on todos (comment_id) where comment_id is not null;
create index todos_of_commit on todos (commit_id, user_id, state) where commit_id is not null;
create index todos_of_issue on todos (issue_id, user_id, state);
create index todos_of_note on todos (note_id) where note_id is not null;

create trigger todos_stored after insert on todos BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;

create trigger todos_unstored after delete on todos BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create trigger todos_silent before insert on todos
when new.action <> 'marked' and exists (select 1 from request_marks where silent) BEGIN
  select raise(ignore);
END;

create table tokens (
  -- SHA-256 of the token, lower-case hexadecimal. Of a session: the word session and that of its secret, so that the
  -- secret is no token. Of a trust: the word trust and its audience
  hash text primary key,
  id integer not null unique,
  -- the owner of a personal token, the maker of a token of a project, the person of a session
  user_id integer not null references users (id),
  -- personal: may do what its user may. project: may do what its maker may in the project. hook: feeds the mirror of
  -- the project. session: a person in the pages. oauth: a program in the name of a person
  kind text not null default 'personal' check (kind in ('personal', 'project', 'hook', 'session', 'oauth')),
  project_id integer references projects (id),
  -- the user in whose name a token of a project acts
  bot_id integer references users (id) check (bot_id < 0),
  -- a bit for each: 1 api and 2 read_api of a user, 4 api, 8 read_api, 16 statuses and 32 deployments of a project,
  -- 64 mirror, and from 128 the further scopes of GitLab, which allow nothing
  scopes integer not null default 1,
  -- the most that a token of a project may do: 10 guest, 20 reporter, 30 developer, 40 master
  access integer check (access in (10, 20, 30, 40)),
  -- of a session: the browser, as it names itself
  name text not null,
  created_at integer not null,
  -- null: never
  expires_at integer,
  revoked_at integer,
  -- the user in whose name a hook closes and mentions issues, null: the token is not of a hook
  pusher_id integer references users (id) check (pusher_id < 0),
  -- 1: commits that this hook pushes also close and mention issues of other projects, where the maker of the token may
  -- edit them
  cross_project integer not null default 0 check (cross_project in (0, 1)),
  -- moves at most once an hour, null: not used yet
  last_used_at integer,
  -- sessions and tokens of programs are few by rule and count nothing: on a full server, too, one must get in
  quota_bytes integer as (
    iif(
      kind in ('session', 'oauth'), 0,
      600 + 2 * octet_length(name) + coalesce(octet_length(description), 0) + coalesce(octet_length(claims), 0)
    )
  ) virtual,
  -- how many events about its end hooks got: 1 when seven days are left, 2 when one is
  expiry_told integer not null default 0,
  -- the personal token that a session came from, null: it came by Access or by ADMIN_TOKEN
  parent_id integer,
  -- the end of that token, which changes only when the session ends: tokens that are made in it end no later
  parent_expires_at integer,
  -- the consent that a token of a program belongs to
  grant_id integer,
  description text check (octet_length(description) <= 1020),
  -- of a trust, a token of a project without a secret: who signs its JWTs, and the name=value that they must have, an
  -- array
  issuer text check (octet_length(issuer) <= 255),
  claims text check (octet_length(claims) <= 12000),
  check ((kind in ('project', 'hook')) = (project_id is not null)),
  check ((kind = 'project') = (bot_id is not null)),
  check ((kind = 'project') = (access is not null)),
  check (parent_id is null or kind = 'session'),
  check ((kind = 'oauth') = (grant_id is not null)),
  check ((issuer is null) = (claims is null) and (issuer is null or kind = 'project')),
  check (scopes > 0 and scopes & iif(project_id is null, 4194179, iif(kind = 'project', 4194236, 64)) = scopes)
) strict, without rowid;
create index tokens_alive on tokens (user_id, coalesce(expires_at, 9007199254740991))
  where revoked_at is null and kind = 'personal';
create index tokens_alive_of_project on tokens (project_id, coalesce(expires_at, 9007199254740991))
  where revoked_at is null and project_id is not null;
create index tokens_by_expiry on tokens (expires_at) where expires_at is not null;
create index tokens_by_parent on tokens (parent_id) where parent_id is not null;
create index tokens_by_revocation on tokens (revoked_at) where revoked_at is not null;
create index tokens_expiring on tokens (expiry_told, expires_at)
  where kind = 'project' and revoked_at is null and expires_at is not null;
create index tokens_of_bot on tokens (bot_id, id) where bot_id is not null;
create index tokens_of_grant on tokens (grant_id, id) where grant_id is not null;
create index tokens_of_person on tokens (user_id, id) where kind = 'personal';
create index tokens_of_persons on tokens (id) where kind = 'personal';
create index tokens_of_project on tokens (project_id, id) where project_id is not null;
create index tokens_of_project_by_kind on tokens (project_id, kind, id) where project_id is not null;
create index tokens_of_sessions on tokens (user_id, id) where kind = 'session';
create index tokens_of_user on tokens (user_id, id);
create index tokens_passing on tokens (expires_at) where kind in ('session', 'oauth');

create trigger tokens_of_user_end before insert on tokens
when new.kind = 'personal'
  and 1000
    <= (
      select count(*)
      from tokens t
      where t.user_id = new.user_id
        and t.kind = 'personal'
        and t.revoked_at is null
        and coalesce(t.expires_at, 9007199254740991) > new.created_at
    ) BEGIN
  select raise(abort, 'E_TOO_MANY_TOKENS');
END;

create trigger tokens_of_project_end before insert on tokens
when new.project_id is not null
  and 1000
    <= (
      select count(*)
      from tokens t
      where t.project_id = new.project_id
        and t.revoked_at is null
        and coalesce(t.expires_at, 9007199254740991) > new.created_at
    ) BEGIN
  select raise(abort, 'E_TOO_MANY_TOKENS');
END;

create trigger tokens_stored after insert on tokens when new.quota_bytes > 0 BEGIN
  update stored set bytes = bytes + new.quota_bytes where id = 1;
END;

create trigger tokens_unstored after delete on tokens BEGIN
  update stored set bytes = bytes - old.quota_bytes, last_token_id = max(last_token_id, old.id) where id = 1;
END;

create trigger tokens_shared after insert on tokens when new.quota_bytes > 0 BEGIN
  insert into shares (user_id, bytes)
  values (new.user_id, 0)
  on conflict do nothing;
  update shares set records = records + new.quota_bytes where user_id = new.user_id;
END;

create trigger tokens_unshared after delete on tokens when old.quota_bytes > 0 BEGIN
  update shares set records = records - old.quota_bytes where user_id = old.user_id;
END;

create trigger tokens_end_sessions after update of revoked_at, expires_at on tokens
when new.kind = 'personal' and (new.revoked_at is not old.revoked_at or new.expires_at is not old.expires_at) BEGIN
  delete from tokens where parent_id = new.id;
END;

create trigger tokens_drop_sessions after delete on tokens when old.kind = 'personal' BEGIN
  delete from tokens where parent_id = old.id;
END;

create table unindexed_commits (
  project_id integer not null,
  class integer not null,
  commit_id integer not null,
  change integer not null default (random() >> 12),
  primary key (project_id, class, commit_id)
) strict, without rowid;

create table unindexed_issues (
  project_id integer not null,
  class integer not null,
  issue_id integer not null,
  change integer not null default (random() >> 12),
  primary key (project_id, class, issue_id)
) strict, without rowid;

create table unindexed_notes (
  project_id integer not null,
  class integer not null,
  note_id integer not null,
  change integer not null default (random() >> 12),
  primary key (project_id, class, note_id)
) strict, without rowid;

create table uploads (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- random hexadecimal digits, a part of the address
  secret text not null check (octet_length(secret) = 32),
  -- prefix of the key of the object, null means that of object_sweeps.store
  store text,
  filename text not null check (octet_length(filename) between 1 and 255),
  -- bytes
  size integer not null check (size >= 0),
  sha256 text not null check (octet_length(sha256) = 64),
  author_id integer not null,
  created_at integer not null,
  quota_bytes integer as (400 + octet_length(filename) + size) virtual,
  -- the person who stored the bytes: the user, or the maker of a token of a project, null: they count in no share
  person_id integer,
  -- 1: the person was no member of the project
  outside integer not null default 0 check (outside in (0, 1))
) strict;
create unique index uploads_by_secret on uploads (project_id, secret);
create index uploads_of_project on uploads (project_id, id);

create trigger uploads_stored after insert on uploads BEGIN
  update storage
  set bytes = bytes + new.quota_bytes, uploads = uploads + new.size, outside = outside + new.outside * new.size
  where project_id = new.project_id;
  insert into shares (user_id, bytes)
  select new.person_id, new.size
  where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;

create trigger uploads_unstored after delete on uploads BEGIN
  update storage
  set bytes = bytes - old.quota_bytes, uploads = uploads - old.size, outside = outside - old.outside * old.size
  where project_id = old.project_id;
  update shares set bytes = bytes - old.size where user_id = old.person_id;
END;

create table users (
  id integer primary key references namespaces (id),
  -- equals the path of the namespace
  username text not null unique,
  name text not null,
  email text not null,
  -- lower case of the email
  email_key text not null unique,
  state text not null default 'active' check (state in ('active', 'blocked', 'ldap_blocked')),
  admin integer not null default 0 check (admin in (0, 1)),
  -- 1: the user sees public projects only, and those where they are a member
  external integer not null default 0 check (external in (0, 1)),
  bio text,
  location text,
  skype text not null default '',
  linkedin text not null default '',
  twitter text not null default '',
  website_url text not null default '',
  -- how many projects the personal namespace may hold, null: as the setting default_projects_limit
  projects_limit integer,
  -- how many it holds, kept by the batch that makes or removes a project
  projects_count integer not null default 0,
  created_at integer not null,
  -- when an administrator deleted the user. The row stays, because records refer to it. It has no name of its own any
  -- more, so that name and address are free
  deleted_at integer,
  -- only the users of tokens count
  quota_bytes integer as (iif(id < 0, 1000 + 6 * octet_length(name), 0)) virtual
, maker_id integer references users (id)) strict;
create index users_by_key on users ('user ' || id) where id > 0;
create index users_by_name on users (lower(name), id) where id > 0 and deleted_at is null;
create index users_by_named_key on users ('user ' || username) where id > 0;
create index users_by_username on users (lower(username), id) where id > 0 and deleted_at is null;
create index users_of_people on users (id) where id > 0 and deleted_at is null;

create trigger users_of_tokens_stored after insert on users when new.id < 0 BEGIN
  update stored set bytes = bytes + new.quota_bytes where id = 1;
END;

create trigger users_of_tokens_restored after update of name on users
when new.quota_bytes <> old.quota_bytes BEGIN
  update stored set bytes = bytes + new.quota_bytes - old.quota_bytes where id = 1;
END;

create trigger users_of_tokens_unstored after delete on users when old.id < 0 BEGIN
  update stored set bytes = bytes - old.quota_bytes where id = 1;
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

create view bearers as
select l.project_id, l.title, b.issue_id
from labels l
cross join issue_labels b on b.label_id = l.id;

create view callers as
select
  t.hash as key, coalesce(t.expires_at, 9007199254740991) as expires_at,
  iif(t.kind = 'session', t.parent_expires_at, t.expires_at) as token_expires_at, t.scopes,
  coalesce(t.last_used_at, 0) as token_used_at, t.project_id as token_project_id,
  coalesce(t.access, 40) as token_access, coalesce(b.id, m.id) as id,
  iif(b.id is null, m.username, b.username) as username, iif(b.id is null, m.name, b.name) as name, m.state,
  iif(b.id is null, m.email, b.email) as email, iif(b.id is null, m.admin, b.admin) as admin,
  iif(iif(b.id is null, m.external, b.external), 20, 10) as sees_from, m.id as member_id, m.admin as member_admin,
  t.kind
from tokens t
cross join users m on m.id = t.user_id
left join users b on b.id = t.bot_id
where t.revoked_at is null and m.state = 'active' and (t.bot_id is null or b.state = 'active')
union all
select
  'user ' || u.id, 9007199254740991, null, 1, null, null, 40, u.id, u.username, u.name, u.state, u.email, u.admin,
  iif(u.external, 20, 10), u.id, u.admin, null
from users u
where u.state = 'active' and u.id > 0
union all
select
  'user ' || u.username, 9007199254740991, null, 1, null, null, 40, u.id, u.username, u.name, u.state, u.email, u.admin,
  iif(u.external, 20, 10), u.id, u.admin, null
from users u
where u.state = 'active' and u.id > 0
union all
select 'anybody', 9007199254740991, null, 2, null, null, 40, null, null, null, null, null, 0, 20, null, 0, null;

create view comment_lengths as
select
  id, octet_length(note) + 3 * coalesce(octet_length(path), 0) as bytes,
  1000 + octet_length(json_quote(note)) + 3 * coalesce(octet_length(json_quote(path)), 0) as answered
from commit_comments;

create view comment_rows as
select
  k.id, k.project_id, k.commit_id, k.note, k.path, k.line, k.line_type, k.created_at, k.updated_at,
  iif(
    k.path is null, null,
    (
      select json_object(
        'base_sha', b.sha, 'start_sha', b.sha, 'head_sha', c.sha, 'old_path', k.path, 'new_path', k.path,
        'position_type', 'text', 'old_line', iif(k.line_type = 'old', k.line, null),
        'new_line', iif(k.line_type = 'new', k.line, null)
      )
      from commits c
      left join parents a on a.child_id = c.id and a.position = 0
      left join commits b on b.id = a.parent_id
      where c.id = k.commit_id
    )
  ) as position,
  json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email) as author,
  u.created_at as author_created_at
from commit_comments k
cross join users u on u.id = k.author_id;

create view commit_documents as
select
  id, project_id, committed_at, lift,
  json_object(
    'sha', sha, 'author_name', author_name, 'author_email', author_email, 'authored_at', authored_at,
    'author_zone', author_zone, 'committer_name', committer_name, 'committer_email', committer_email,
    'committed_at', committed_at, 'committer_zone', committer_zone, 'message', message, 'additions', additions,
    'deletions', deletions, 'parent_shas', json(parent_shas)
  ) as document,
  octet_length(message) + octet_length(author_name) + octet_length(author_email) + octet_length(committer_name)
    + octet_length(committer_email) + octet_length(parent_shas) as bytes
from commits;

create view commit_lengths as
select id, bytes, 700 + octet_length(document) as answered
from commit_documents;

create view commit_names as
select
  project_id, name, branch,
  coalesce(
    (select c.id from commits c where c.project_id = n.project_id and c.sha = lower(n.text)),
    (
      select cast(substr(max(iif(r.name = n.text, 3, 1 + (r.name > 'refs/tags/')) || r.commit_id), 2) as integer)
      from refs r
      where r.project_id = n.project_id
        and r.name in (n.branch, n.text, 'refs/tags/' || n.text, 'refs/heads/' || n.text)
    ),
    (
      select iif(count(*) = 1, max(found.id), null)
      from (
        select c.id
        from commits c
        where c.project_id = n.project_id and c.sha >= n.abbreviation and c.sha < n.abbreviation || 'g'
        union all
        select t.commit_id
        from tag_objects t
        where t.project_id = n.project_id and t.sha >= n.abbreviation and t.sha < n.abbreviation || 'g'
        limit 2
      ) found
    )
  ) as commit_id
from (
  select
    p.id as project_id, j.json as name, j.value as text,
    iif(
      coalesce(j.value, 'HEAD') = 'HEAD', 'refs/heads/' || p.default_branch,
      iif(substr(j.value, 1, 11) = 'refs/heads/', '', 'refs/heads/') || j.value
    ) as branch,
    iif(length(j.value) between 4 and 64 and j.value not glob '*[^0-9a-fA-F]*', lower(j.value), null) as abbreviation
  from projects p
  cross join json_each j
) n;

create view delivery_chains as
select d.id as delivery_id, c.chain, c.created_at
from deliveries d
cross join hook_events e on e.id = d.event_id
cross join hook_chains c on c.chain = e.origin ->> 'chain' and c.webhook_id = c.chain;

create view deployment_lengths as
select
  d.id, octet_length(d.ref) + octet_length(d.name) + octet_length(d.stage) + c.bytes + e.bytes as bytes,
  700 + octet_length(json_array(d.ref, d.name, d.stage)) + c.answered + e.answered
    + (select l.answered from user_lengths l where l.id = d.user_id)
    + (select l.answered from user_lengths l where l.id = d.changed_by) as answered
from deployments d
cross join commit_lengths c on c.id = d.commit_id
cross join environment_lengths e on e.id = d.environment_id;

create view deployment_rows as
select
  d.id, d.iid, d.project_id, d.environment_id, d.created_at,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = d.user_id
  ) as user,
  (
    select json_object(
      'id', e.id, 'number', e.number, 'name', e.name, 'external_url', e.external_url, 'created_at', e.created_at,
      'updated_at', e.updated_at, 'state', e.state, 'tier', e.tier, 'description', e.description, 'slug', e.slug
    )
    from environments e
    where e.id = d.environment_id
  ) as environment,
  json_object(
    'git_ref', d.ref, 'state', d.state, 'name', d.name, 'stage', d.stage, 'tag', d.tag, 'coverage', d.coverage,
    'started_at', d.started_at, 'finished_at', d.finished_at
  ) as job,
  (
    select json_object(
      'id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email,
      'created_at', u.created_at, 'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location,
      'skype', u.skype, 'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url,
      'projects_limit', coalesce(u.projects_limit, (select default_projects_limit from settings)),
      'projects_count', u.projects_count
    )
    from users u
    where u.id = d.changed_by
  ) as author,
  (select c.document from commit_documents c where c.id = d.commit_id) as "commit",
  iif(d.state = 'pending', 'created', d.state) as v4_state,
  coalesce(d.finished_at, d.started_at, d.created_at) as updated_at, d.finished_at, d.ref as git_ref
from deployments d;

create view ending_commits as
select id
from commits
where project_id = (select project_id from ending_project)
order by sha
limit 20;

create view ending_issues as
select id
from issues
where project_id = (select project_id from ending_project)
order by iid
limit 5;

create view ending_project as
select min(project_id) as project_id
from project_remains;

create view environment_lengths as
select
  id, octet_length(name) + coalesce(octet_length(external_url), 0) + coalesce(octet_length(description), 0) as bytes,
  1000 + octet_length(json_array(name, external_url, description))
    + (
      select octet_length(json_array(p.name, p.full_name, p.description))
      from projects p
      where p.id = project_id
    ) as answered
from environments;

create view event_causes as
select
  c.id as event_id, c.project_id, c.person_id,
  iif(
    c.bit & 259 or c.system_bit > 0 and c.action not glob '*_rename' and c.action <> 'project_update', 0,
    1
      + (
        c.project_id is not null
          and c.person_id is not null
          and not exists (
            select 1
            from project_viewers v
            where v.user_id = c.person_id and v.project_id = c.project_id and v.access > 0
          )
      )
  ) as share
from (
  select
    e.id, e.project_id, e.action, e.bit, e.system_bit,
    coalesce(
      e.origin ->> 'person',
      (select t.user_id from tokens t where t.bot_id = e.snapshot ->> '$.user.id' order by t.id desc limit 1),
      e.snapshot ->> '$.user.id'
    ) as person_id
  from hook_events e
) c;

create view event_commits as
select
  c.id,
  json_object(
    'sha', c.sha, 'author_name', substr(c.author_name, 1, 1000), 'author_email', substr(c.author_email, 1, 1000),
    'committed_at', c.committed_at,
    'committer_zone', c.committer_zone, 'message', substr(c.message, 1, 8192),
    'files', json(
      (
        select json_group_array(
          json_array(
            substr(f.value ->> 'new_path', 1, 1000), f.value ->> 'new_file' or f.value ->> 'renamed_file',
            f.value ->> 'deleted_file'
          )
        )
        from diffs d
        cross join json_each(d.text) f
        where d.commit_id = c.id
          and d.part = (select min(n.part) from diffs n where n.commit_id = c.id)
          and d.object is null
          and octet_length(d.text) <= 20000
          and json_valid(d.text)
      )
    )
  ) as document
from commits c;

create view event_deliveries as
select event_id, project_id, person_id, share
from event_causes
where false;

create view event_issues as
select
  i.id, i.project_id, i.confidential,
  json_object(
    'id', i.id, 'iid', i.iid, 'project_id', i.project_id, 'author_id', i.author_id, 'assignee_id', i.assignee_id,
    'milestone_id', (select m.id from milestones m where m.id = i.milestone_id and m.iid > 0),
    'moved_to_id', i.moved_to_id, 'title', i.title,
    'description', iif(
      octet_length(i.description) > 40000 and octet_length(json_quote(i.description)) > 250000,
      substr(i.description, 1, 8192), i.description
    ),
    'state', i.state, 'confidential', i.confidential, 'discussion_locked', i.discussion_locked, 'due_date', i.due_date,
    'created_at', i.created_at, 'updated_at', i.updated_at, 'closed_at', i.closed_at, 'time_estimate', i.time_estimate,
    'time_spent', i.time_spent,
    'labels', json(
      (
        select json_group_array(
          json_object(
            'id', l.id, 'title', l.title, 'color', l.color, 'project_id', l.project_id, 'created_at', l.created_at,
            'description', substr(l.description, 1, 255)
          )
        )
        from issue_labels b
        cross join labels l on l.id = b.label_id
        where b.issue_id = i.id and not (l.title >= ',' and l.title < '-')
      )
    ),
    'assignee', json((select u.document from event_people u where u.id = i.assignee_id))
  ) as document
from issues i;

create view event_milestones as
select
  m.id, m.project_id, m.iid,
  json_object(
    'id', m.id, 'iid', m.iid, 'title', m.title,
    'description', iif(
      octet_length(m.description) > 60000 and octet_length(json_quote(m.description)) > 400000,
      substr(m.description, 1, 8192), m.description
    ),
    'state', m.state, 'created_at', m.created_at, 'updated_at', m.updated_at, 'due_date', m.due_date,
    'start_date', m.start_date, 'project_id', m.project_id
  ) as document
from milestones m;

create view event_notes as
select
  n.id, n.project_id, n.issue_id, n.system,
  json_object(
    'id', n.id, 'author_id', n.author_id,
    'body', iif(
      octet_length(n.body) > 60000 and octet_length(json_quote(n.body)) > 400000, substr(n.body, 1, 8192), n.body
    ),
    'created_at', n.created_at, 'updated_at', n.updated_at
  ) as document
from notes n;

create view event_people as
select id, json_object('id', id, 'username', username, 'name', name, 'state', state, 'email', email) as document
from users;

create view event_pipelines as
select
  r.commit_id, r.git_ref, r.user_id,
  json_object(
    'id', r.id, 'iid', r.iid, 'ref', r.git_ref, 'sha', r.sha, 'state', r.state,
    'tag', exists (select 1 from refs t where t.project_id = r.project_id and t.name = 'refs/tags/' || r.git_ref),
    'created_at', r.created_at, 'updated_at', r.updated_at,
    'commit', json((select d.document from event_commits d where d.id = r.commit_id)),
    'builds', json(
      (
        select json_group_array(
          json_object(
            'id', s.id, 'name', s.name, 'state', iif(s.skipped, 'skipped', s.state), 'created_at', s.created_at,
            'started_at', s.started_at, 'finished_at', s.finished_at,
            'user', json((select u.document from event_people u where u.id = s.user_id))
          )
        )
        from (
          select h.status_id
          from status_heads h
          where h.commit_id = r.commit_id and h.ref = r.git_ref
          order by h.name
          limit 100
        ) n
        cross join statuses s on s.id = n.status_id
      )
    )
  ) as document
from pipeline_rows r;

create view event_projects as
select
  p.id,
  json_object(
    'id', p.id, 'name', p.name, 'description', substr(p.description, 1, 8192), 'full_path', p.full_path,
    'visibility', p.visibility, 'default_branch', p.default_branch,
    'protects', (select t.default_branch_protection > 0 from settings t where t.id = 1),
    'namespace', coalesce(
      (select g.name from groups g where g.id = p.namespace_id),
      (select u.name from users u where u.id = p.namespace_id)
    )
  ) as document
from projects p;

create view event_releases as
select
  r.id, r.project_id,
  json_object(
    'id', r.id, 'tag', r.tag, 'name', coalesce(r.name, r.tag),
    'description', iif(
      octet_length(r.description) > 60000 and octet_length(json_quote(r.description)) > 400000,
      substr(r.description, 1, 8192), r.description
    ),
    'created_at', r.created_at, 'released_at', r.released_at, 'sha', r.sha,
    'commit', json(
      (
        select d.document
        from commits c
        cross join event_commits d on d.id = c.id
        where c.project_id = r.project_id and c.sha = r.sha
      )
    ),
    'links', json(
      (
        select json_group_array(json_object('id', l.id, 'link_type', l.link_type, 'name', l.name, 'url', l.url))
        from (select * from release_links k where k.release_id = r.id order by k.id desc) l
      )
    )
  ) as document
from releases r;

create view event_rows as
select
  e.id, e.project_id, e.author_id, e.kind, e.action, e.target_id, e.detail, e.created_at,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = e.author_id
  ) as author,
  (
    select json_object(
      'id', n.id, 'project_id', n.project_id, 'issue_id', n.issue_id, 'body', n.body, 'system', n.system,
      'created_at', n.created_at, 'updated_at', n.updated_at,
      'author', json(
        (
          select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
          from users u
          where u.id = n.author_id
        )
      )
    )
    from notes n
    where n.id = e.target_id and e.kind = 'note'
  ) as note,
  (
    select json_object('iid', i.iid, 'title', i.title)
    from issues i
    where i.id = iif(
      e.kind = 'issue', e.target_id, (select n.issue_id from notes n where n.id = e.target_id and e.kind = 'note')
    )
      and e.kind in ('issue', 'note')
  ) as issue,
  exists (select 1 from milestone_rows m where m.id = e.target_id and e.kind = 'milestone') as has_milestone,
  (
    select json_object(
      'id', k.id, 'project_id', k.project_id, 'note', k.note, 'path', k.path, 'line', k.line, 'line_type', k.line_type,
      'position', json(k.position), 'created_at', k.created_at, 'updated_at', k.updated_at, 'author', json(k.author),
      'author_created_at', k.author_created_at
    )
    from comment_rows k
    where k.id = e.target_id and e.kind = 'push' and e.action = 'commented'
  ) as comment,
  (
    select substr(c.message, 1, 1000)
    from commit_comments k
    cross join commits c on c.id = k.commit_id
    where k.id = e.target_id and e.kind = 'push' and e.action = 'commented'
  ) as message
from events e;

create view full_for_others as
select p.id as project_id
from projects p
cross join storage t on t.project_id = p.id
cross join stored s on s.id = 1
left join users u on u.id = p.creator_id
left join shares h on h.user_id = u.id
where
  s.project_most > 0 and t.bytes - t.objects >= s.project_most / 4
  or s.most > 0 and s.bytes >= s.most / 2
  or s.person_most > 0 and h.steps << 18 >= s.person_most / 2 and not u.admin;

create view group_access as
select
  c.key, c.expires_at, c.scopes, c.token_project_id, c.id as user_id, c.member_id, c.admin, c.sees_from,
  g.id as group_id, g.path as full_path,
  iif(
    c.token_project_id is null,
    iif(c.admin, 60, coalesce((select m.access from group_members m where m.user_id = c.id and m.group_id = g.id), 0)),
    0
  ) as access,
  iif(
    g.visibility >= c.sees_from, g.visibility,
    iif(
      c.token_project_id is null
        and exists (
          select 1
          from project_members m
          cross join projects p on p.id = m.project_id
          where m.user_id = c.id and m.namespace_id = g.id and p.deleted_at is null
        ),
      10, 0
    )
  ) as visibility
from callers c
cross join groups g;

create view group_rows as
select
  g.id, g.name, g.path, g.description, g.visibility, g.created_at,
  (select default_branch_protection from settings where id = 1) as branch_protection
from groups g;

create view hook_access as
select
  h.id as hook_id, e.id as event_id,
  iif(
    e.project_id is null or h.project_id is null,
    exists (select 1 from users u where u.id = h.maker_id and u.admin and u.state = 'active'),
    exists (
      select 1
      from project_viewers v
      cross join users u on u.id = v.user_id
      cross join projects p on p.id = v.project_id
      where v.user_id = h.maker_id
        and v.project_id = e.project_id
        and u.state = 'active'
        and v.sees
        and (v.access >= e.origin ->> 'access' or v.visibility >= e.origin ->> 'visibility')
        and iif(
          e.origin ->> 'part' = 'issues', p.issues_enabled, iif(e.origin ->> 'part' = 'builds', p.builds_enabled, 1)
        )
    )
  ) as may_see
from hooks h
cross join hook_events e;

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

create view hook_rows as
select
  id, project_id, maker_id, url, sealed_url, name as title, description, events, enable_ssl_verification,
  branch_filter_strategy, push_events_branch_filter, custom_webhook_template, token, signing_token, old_signing_token,
  old_signing_until, url_variables, custom_headers, failures, disabled_until, revision, created_at
from hooks;

create view issue_audience as
select issue_id, user_id
from issue_readers
where not is_restricted or access >= 20;

create view issue_lengths as
select
  i.id, octet_length(json_quote(i.description)) as bytes,
  2000 + octet_length(json_quote(i.description))
    + ifnull(
      (
        select octet_length(json_quote(m.description))
        from milestones m indexed by milestones_narrow
        where m.id = i.milestone_id
      ),
      0
    ) as answered
from issues i indexed by issues_narrow;

create view issue_projects as
select id, namespace_id, visibility, archived
from projects
where deleted_at is null and issues_enabled;

create view issue_readers as
select
  i.id as issue_id, v.user_id, v.username, v.is_active, v.namespace_id, v.access,
  i.confidential and not coalesce(v.user_id in (i.author_id, i.assignee_id), 0) as is_restricted
from issues i
cross join project_viewers v on v.project_id = i.project_id
where i.deleted_at is null and v.issues_enabled and v.sees;

create view issue_records as
select
  r.id as issue_id, u.id as user_id,
  json_object(
    'id', r.id, 'iid', r.iid, 'project_id', r.project_id,
    'full_path', (select p.full_path from projects p where p.id = r.project_id),
    'title', r.title, 'description', r.description, 'state', r.state, 'created_at', r.created_at,
    'updated_at', r.updated_at,
    'labels', json(r.labels), 'milestone', json(r.milestone), 'people', json(r.people), 'author_id', r.author_id,
    'assignee_id', r.assignee_id,
    'subscribed', coalesce(
      (select s.subscribed from subscriptions s where s.issue_id = r.id and s.user_id = u.id),
      u.id in (r.author_id, r.assignee_id)
        or exists (select 1 from participants t where t.issue_id = r.id and t.user_id = u.id),
      0
    ),
    'user_notes_count', r.user_notes_count, 'due_date', r.due_date, 'confidential', r.confidential,
    'closed_at', r.closed_at, 'closed_by_id', r.closed_by_id, 'discussion_locked', r.discussion_locked,
    'moved_to_id', (select v.issue_id from issue_audience v where v.issue_id = r.successor_id and v.user_id = u.id),
    'upvotes', r.upvotes, 'downvotes', r.downvotes, 'time_estimate', r.time_estimate, 'time_spent', r.time_spent,
    'blocking', (
      select count(*)
      from open_blocks b
      cross join issue_audience v on v.issue_id = b.blocked_id and v.user_id = u.id
      where b.issue_id = r.id
    )
  ) as row
from issue_rows r
cross join users u;

create view issue_rows as
select
  i.id, i.iid, i.project_id,
  i.title, i.description, i.state, i.created_at, i.updated_at, i.author_id, i.assignee_id, i.user_notes_count,
  i.due_date, i.confidential, i.closed_at, i.closed_by_id, i.discussion_locked,
  (
    select json_group_array(l.title)
    from issue_labels b
    cross join label_rows l on l.id = b.label_id
    where b.issue_id = i.id
  ) as labels,
  (
    select json_object(
      'id', m.id, 'iid', m.iid, 'project_id', m.project_id, 'title', m.title, 'description', m.description,
      'state', m.state, 'due_date', m.due_date, 'start_date', m.start_date, 'created_at', m.created_at,
      'updated_at', m.updated_at
    )
    from milestones m
    where m.id = i.milestone_id and m.iid > 0
  ) as milestone,
  (
    select json_group_array(
      json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    )
    from users u
    where u.id = i.author_id or u.id is i.assignee_id or u.id is i.closed_by_id
  ) as people,
  (
    select n.id
    from issues n
    cross join projects q on q.id = n.project_id
    where n.id = i.moved_to_id
      and n.deleted_at is null
      and n.confidential = 0
      and q.deleted_at is null
      and q.issues_enabled
      and q.visibility = 20
  ) as public_successor_id, i.moved_to_id as successor_id,
  i.upvotes, i.downvotes, i.time_estimate, i.time_spent,
  (select count(*) from open_blocks b where b.issue_id = i.id and b.is_public) as public_blocking
from issues i
where i.deleted_at is null;

create view issue_texts as
select id, title, iif(octet_length(description) <= 20000, substr(description, 1, 4000), '') as description
from issues;

create view issue_titles as
select b.issue_id, l.title
from issue_labels b
cross join label_rows l on l.id = b.label_id;

create view job_lengths as
select s.id, s.bytes + c.bytes as bytes, s.answered + c.answered as answered
from status_lengths s
cross join commit_lengths c on c.id = (select commit_id from statuses where id = s.id);

create view job_rows as
select
  s.id, s.project_id, s.commit_id, s.ref as git_ref, s.state, s.name, s.target_url, s.description, s.coverage,
  s.skipped, s.created_at, s.started_at, s.finished_at,
  exists (select 1 from refs t where t.project_id = s.project_id and t.name = 'refs/tags/' || s.ref)
    and not exists (select 1 from refs t where t.project_id = s.project_id and t.name = 'refs/heads/' || s.ref) as tag,
  (
    select json_object(
      'id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email,
      'created_at', u.created_at, 'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location,
      'skype', u.skype, 'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url,
      'projects_limit', coalesce(u.projects_limit, (select default_projects_limit from settings)),
      'projects_count', u.projects_count
    )
    from users u
    where u.id = s.user_id
  ) as author,
  (select c.document from commit_documents c where c.id = s.commit_id) as "commit",
  (select p.document from pipeline_documents p where p.commit_id = s.commit_id and p.git_ref = s.ref) as pipeline,
  (
    select json_group_array(
      json_object('file_type', file_type, 'size', size, 'filename', filename, 'file_format', null)
    )
    from (
      select
        iif(r.kind = 1, 'junit', 'codequality') as file_type, r.size,
        iif(r.kind = 1, 'junit.xml', 'gl-code-quality-report.json') as filename
      from reports r
      where r.job_id = s.id
      order by r.kind
    )
  ) as artifacts
from statuses s;

create view label_rows as
select id, project_id, title, color, description, priority, opened, closed, opened_hidden, closed_hidden
from labels
where not (title >= ',' and title < '-');

create view label_totals as
select id, json_array(opened, closed, opened_hidden, closed_hidden) as counts
from labels;

create view milestone_lengths as
select
  id, coalesce(octet_length(description), 0) as bytes,
  500 + octet_length(json_quote(title)) + octet_length(json_quote(description)) as answered
from milestones;

create view milestone_rows as
select
  id, iid, project_id, title, description, state, due_date, start_date, created_at, updated_at, opened, closed,
  opened_hidden, closed_hidden
from milestones
where iid > 0;

create view milestone_totals as
select id, json_array(opened, closed, opened_hidden, closed_hidden) as counts
from milestones;

create view milestone_turns as
select
  m.id,
  (select t.title from milestones t where t.id = m.id) as title,
  m.state = 'active' as is_active, m.start_date, m.due_date,
  (
    select max(b.due_date)
    from milestones b
    where b.project_id = m.project_id and b.iid > 0 and b.state = 'active' and (b.due_date, b.id) < (m.due_date, m.id)
  ) as due_before
from milestones m indexed by milestones_narrow
where m.iid > 0;

create view namespace_counts as
select
  n.id,
  json_object(
    'projects_count', coalesce(g.projects_count, u.projects_count), 'members_count', g.members_count
  ) as counts
from namespaces n
left join groups g on g.id = n.id
left join users u on u.id = n.id;

create view namespace_rows as
select
  n.id, n.kind, n.path, n.path_key, coalesce(g.name, n.path) as name, coalesce(g.description, '') as description,
  coalesce(g.created_at, u.created_at) as created_at,
  iif(
    u.id is null, null,
    json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
  ) as owner
from namespaces n
left join groups g on g.id = n.id
left join users u on u.id = n.id;

create view note_lengths as
select id, octet_length(body) as bytes, 500 + octet_length(json_quote(body)) as answered
from notes;

create view note_rows as
select
  n.id, n.project_id, n.issue_id, n.body, n.system, n.reference, n.reference_project_id, n.reference_issue_id,
  n.created_at, n.updated_at,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = n.author_id
  ) as author,
  (
    select i.confidential = 0 and p.visibility = 20
    from issues i
    cross join projects p on p.id = i.project_id
    where i.id = n.reference_issue_id and i.deleted_at is null and p.deleted_at is null and p.issues_enabled
  ) as public_reference
from notes n;

create view object_places as
select
  p.id as project_id, coalesce(w.own, w.store) || '/' || p.id || '/objects/' as own,
  iif(w.own is null, null, w.store || '/' || p.id || '/objects/') as original
from projects p
cross join object_sweeps w
where w.id = 1;

create view open_blocks as
select k.source_id as issue_id, i.id as blocked_id, i.confidential = 0 and p.visibility = 20 as is_public
from issue_links k
cross join issues i on i.id = k.target_id and i.state = 'opened' and i.deleted_at is null
cross join projects p on p.id = i.project_id and p.deleted_at is null and p.issues_enabled
where k.link_type = 'blocks';

create view pipeline_documents as
select
  id, commit_id, git_ref,
  json_object(
    'id', id, 'iid', iid, 'git_ref', git_ref, 'sha', sha, 'state', state, 'created_at', created_at,
    'updated_at', updated_at
  ) as document
from pipeline_rows;

create view pipeline_rows as
select
  n.pipeline_id as id, n.iid, n.project_id, n.commit_id, n.ref as git_ref, n.user_id, n.created_at,
  n.changed_at as updated_at,
  (select c.sha from commits c where c.id = n.commit_id) as sha,
  n.state
from status_counts n
where n.pipeline_id is not null;

create view profile_rows as
select
  id, username, name, state, email, created_at, admin, external, bio, location, skype, linkedin, twitter, website_url,
  coalesce(projects_limit, (select default_projects_limit from settings where id = 1)) as projects_limit,
  projects_count
from users;

create view project_access as
select
  c.key, c.expires_at, c.scopes, c.token_project_id, c.id as user_id, c.member_id, c.admin, c.sees_from,
  p.id as project_id, p.namespace_id, p.path_key, p.full_path, p.default_branch, p.issues_enabled, p.builds_enabled,
  p.archived,
  iif(p.visibility < c.sees_from, 0, p.visibility) as visibility,
  min(
    iif(
      c.member_admin, 60,
      iif(
        p.namespace_id = c.member_id, 50,
        max(
          coalesce((select m.access from project_members m where m.user_id = c.member_id and m.project_id = p.id), 0),
          coalesce(
            (select m.access from group_members m where m.user_id = c.member_id and m.group_id = p.namespace_id), 0
          )
        )
      )
    ),
    iif(c.token_project_id is null, 60, c.token_access * (c.token_project_id = p.id))
  ) as access
from callers c
cross join projects p
where p.deleted_at is null and (c.id is not null or p.visibility = 20);

create view project_rows as
select
  p.id, p.namespace_id, p.name, p.path, p.full_name, p.full_path, p.description, p.visibility, p.default_branch,
  p.issues_enabled, p.builds_enabled, p.archived, p.creator_id, p.created_at, p.updated_at,
  (
    select json_object(
      'id', n.id, 'kind', n.kind, 'path', n.path, 'name', n.name, 'description', n.description,
      'created_at', n.created_at, 'owner', json(n.owner)
    )
    from namespace_rows n
    where n.id = p.namespace_id
  ) as namespace,
  (select c.opened from issue_counts c where c.project_id = p.id) as opened,
  (select c.opened_hidden from issue_counts c where c.project_id = p.id) as opened_hidden,
  (select b.commits from branch_counts b where b.project_id = p.id and b.branch = p.default_branch) as commits,
  p.autoclose,
  (
    select json_object('contents', t.contents, 'uploads', t.uploads, 'packages', t.packages, 'reports', t.reports)
    from storage t
    where t.project_id = p.id
  ) as sizes,
  (select f.files from root_files f where f.project_id = p.id) as root_files,
  exists (
    select 1
    from refs r
    where r.project_id = p.id and r.name > 'refs/heads/' and r.name < 'refs/heads0'
  ) as has_branches
from projects p
where p.deleted_at is null;

create view project_texts as
select id, 1 as kind, name || char(10) || full_path || char(10) || coalesce(description, '') as text
from projects
union all
select id, 2, name || char(10) || path || char(10) || coalesce(description, '')
from projects;

create view project_totals as
select project_id as id, json_array(opened, closed, opened_hidden, closed_hidden) as counts
from issue_counts;

create view project_viewers as
select
  u.id as user_id, u.username, u.state = 'active' and u.id > 0 as is_active, p.id as project_id, p.namespace_id,
  p.issues_enabled, p.archived, iif(p.visibility < iif(u.external, 20, 10), 0, p.visibility) as visibility,
  iif(
    u.admin, 60,
    iif(
      p.namespace_id = u.id, 50,
      max(
        coalesce((select m.access from project_members m where m.user_id = u.id and m.project_id = p.id), 0),
        coalesce((select m.access from group_members m where m.user_id = u.id and m.group_id = p.namespace_id), 0)
      )
    )
  ) as access,
  p.visibility >= iif(u.external, 20, 10)
    or u.admin
    or p.namespace_id = u.id
    or exists (select 1 from project_members m where m.user_id = u.id and m.project_id = p.id)
    or exists (select 1 from group_members m where m.user_id = u.id and m.group_id = p.namespace_id) as sees
from users u
cross join projects p
where p.deleted_at is null;

create view queue_times as
select
  q.project_id,
  (
    select min(max(h.next_at, coalesce(h.lease_until, 0)))
    from hooks h
    where h.project_id is nullif(q.project_id, 0)
  ) as next_at
from hook_queues q;

create view ref_lengths as
select
  r.project_id, r.name,
  l.bytes + coalesce(octet_length(r.message), 0)
    + coalesce(
      (
        select octet_length(k.description)
        from releases k
        where k.project_id = r.project_id and substr(r.name, 1, 10) = 'refs/tags/' and k.tag = substr(r.name, 11)
      ),
      0
    ) as bytes,
  l.answered + octet_length(json_quote(r.name)) + octet_length(json_quote(r.message))
    + coalesce(
      (
        select octet_length(json_quote(k.description))
        from releases k
        where k.project_id = r.project_id and substr(r.name, 1, 10) = 'refs/tags/' and k.tag = substr(r.name, 11)
      ),
      0
    ) as answered
from refs r
cross join commit_lengths l on l.id = r.commit_id;

create view ref_rows as
select
  r.project_id, r.name, r.message as tag_message, r.tag_sha, c.branch,
  (select default_branch_protection from settings where id = 1) as protection,
  (
    select json_object('description', k.description)
    from releases k
    where k.project_id = r.project_id and substr(r.name, 1, 10) = 'refs/tags/' and k.tag = substr(r.name, 11)
  ) as release,
  c.sha, c.author_name, c.author_email, c.authored_at, c.author_zone, c.committer_name, c.committer_email,
  c.committed_at, c.committer_zone, c.message, c.additions, c.deletions, c.parent_shas
from refs r
cross join commits c on c.id = r.commit_id;

create view reference_viewers as
select
  n.id as note_id, v.user_id,
  v.sees
    and (
      n.reference_issue_id is null
        or exists (select 1 from issue_audience a where a.issue_id = n.reference_issue_id and a.user_id = v.user_id)
    )
    and (
      instr(n.reference, '@') = 0
        or v.access >= 20
        or v.visibility > 0
    ) as sees
from notes n
cross join project_viewers v on v.project_id = n.reference_project_id;

create view release_lengths as
select
  r.id,
  (3000 + 40 * octet_length(r.tag) + octet_length(json_array(r.name, r.description)))
    + (
      coalesce(
        (
          select 1000
            + octet_length(
              json_array(c.message, c.author_name, c.author_email, c.committer_name, c.committer_email, c.parent_shas)
            )
          from commits c
          where c.project_id = r.project_id and c.sha = r.sha
        ),
        0
      )
        + (
          coalesce(
            (
              select sum(400 + 3 * octet_length(r.tag) + octet_length(json_array(k.name, k.url, k.url)))
              from release_links k
              where k.release_id = r.id
            ),
            0
          )
            + coalesce(
              (
                select sum(
                  700
                    + octet_length(
                      json_array(
                        m.title, iif(octet_length(m.description) > 10000, substr(m.description, 1, 2000), m.description)
                      )
                    )
                )
                from milestone_releases b
                cross join milestones m on m.id = b.milestone_id
                where b.release_id = r.id
              ),
              0
            )
        )
    ) as answered
from releases r;

create view release_rows as
select
  r.id, r.project_id, r.tag, r.name, r.description, r.sha, r.created_at, r.updated_at, r.released_at,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = r.author_id
  ) as author,
  (
    select d.document
    from commits c
    cross join commit_documents d on d.id = c.id
    where c.project_id = r.project_id and c.sha = r.sha
  ) as "commit",
  (
    select json_group_array(
      json_object('id', l.id, 'name', l.name, 'url', l.url, 'filepath', l.filepath, 'link_type', l.link_type)
    )
    from (select * from release_links k where k.release_id = r.id order by k.id desc) l
  ) as links,
  (
    select json_group_array(
      json_object(
        'id', m.id, 'iid', m.iid, 'project_id', m.project_id, 'title', m.title,
        'description', iif(octet_length(m.description) > 10000, substr(m.description, 1, 2000), m.description),
        'state', m.state, 'due_date', m.due_date, 'start_date', m.start_date, 'created_at', m.created_at,
        'updated_at', m.updated_at, 'opened', m.opened, 'closed', m.closed, 'opened_hidden', m.opened_hidden,
        'closed_hidden', m.closed_hidden
      )
    )
    from milestone_releases b
    cross join milestones m on m.id = b.milestone_id and m.iid > 0
    where b.release_id = r.id
  ) as milestones
from releases r;

create view resource_event_lengths as
select
  e.id,
  coalesce((select m.bytes from milestone_lengths m where m.id = e.milestone_id), 0)
    + coalesce((select octet_length(l.description) from labels l where l.id = e.label_id), 0) as bytes,
  1000 + (select u.answered from user_lengths u where u.id = e.user_id)
    + coalesce((select m.answered from milestone_lengths m where m.id = e.milestone_id), 0)
    + coalesce(
      (
        select octet_length(json_quote(l.title)) + 7 * octet_length(json_quote(l.description))
        from labels l
        where l.id = e.label_id
      ),
      0
    ) as answered
from resource_events e;

create view resource_event_rows as
select
  e.id, e.issue_id, e.action, e.state, e.source_sha, e.created_at,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = e.user_id
  ) as user,
  (
    select json_object(
      'id', l.id, 'project_id', l.project_id, 'title', l.title, 'color', l.color, 'description', l.description,
      'opened', 0, 'closed', 0, 'opened_hidden', 0, 'closed_hidden', 0
    )
    from label_rows l
    where l.id = e.label_id and e.label_made_at = (select b.created_at from labels b where b.id = l.id)
  ) as label,
  (
    select json_object(
      'id', m.id, 'iid', m.iid, 'project_id', m.project_id, 'title', m.title, 'description', m.description,
      'state', m.state, 'created_at', m.created_at, 'updated_at', m.updated_at, 'due_date', m.due_date,
      'start_date', m.start_date
    )
    from milestone_rows m
    where m.id = e.milestone_id
  ) as milestone
from resource_events e;

create view root_files as
select p.id as project_id, json_object('readme', o.readme, 'license', o.license) as files
from projects p
cross join refs r on r.project_id = p.id and r.name = 'refs/heads/' || p.default_branch
cross join commits c on c.id = r.commit_id
cross join objects o on o.project_id = p.id and o.sha = c.tree;

create view short_events as
select
  e.id as event_id,
  iif(
    octet_length(e.before ->> 'description') > 5000,
    json_set(
      e.before, '$.description', substr(e.before ->> 'description', 1, 1250), '$.same',
      e.before ->> 'description' is e.snapshot ->> '$.issue.description'
    ),
    e.before
  ) as before,
  json_set(
    json_replace(
      e.snapshot, '$.issue.description',
      substr(
        e.snapshot ->> '$.issue.description', 1,
        iif(octet_length(e.snapshot ->> '$.issue.description') > 5000, 1250, 5000)
      ),
      '$.note.body',
      substr(e.snapshot ->> '$.note.body', 1, iif(octet_length(e.snapshot ->> '$.note.body') > 5000, 1250, 5000)),
      '$.milestone.description',
      substr(
        e.snapshot ->> '$.milestone.description', 1,
        iif(octet_length(e.snapshot ->> '$.milestone.description') > 5000, 1250, 5000)
      ),
      '$.release.description',
      substr(
        e.snapshot ->> '$.release.description', 1,
        iif(octet_length(e.snapshot ->> '$.release.description') > 5000, 1250, 5000)
      )
    ),
    '$.is_cut', 1
  ) as snapshot
from hook_events e;

create view staged as
select
  g.kind, x.value as record, x.value ->> 'place' as place, x.value ->> 'id' as id, x.value ->> 'verdict' as verdict
from staged_records g
cross join json_each(g.records) x;

create view staged_changes as
select
  s.project_id, s.portion, x.value ->> 'name' as name, x.value ->> 'old' as old, x.value ->> 'new' as new,
  x.value ->> 'tag_sha' as tag_sha, x.value ->> 'message' as message, x.value ->> 'commits' as commits,
  coalesce(x.value -> 'inner_tags', '[]') as inner_tags
from staged_swaps s
cross join json_each(s.changes) x;

create view status_lengths as
select
  id,
  octet_length(ref) + octet_length(name) + coalesce(octet_length(target_url), 0)
    + coalesce(octet_length(description), 0) as bytes,
  700 + octet_length(json_array(ref, name, target_url, description))
    + (select l.answered from user_lengths l where l.id = user_id) as answered
from statuses;

create view status_rows as
select
  s.id, s.commit_id, s.user_id, s.ref as git_ref, s.state, s.name, s.target_url, s.description, s.coverage, s.skipped,
  s.created_at, s.started_at, s.finished_at,
  (select c.sha from commits c where c.id = s.commit_id) as sha,
  (
    select n.pipeline_id
    from status_counts n
    where n.commit_id = s.commit_id and n.ref = s.ref
  ) as pipeline_id,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = s.user_id
  ) as author
from statuses s;

create view status_targets as
select
  n.project_id, n.name, c.id as commit_id, c.sha, c.branch as first_branch,
  (
    select substr(r.name, 12)
    from refs r
    where r.project_id = n.project_id and r.commit_id = c.id and r.name = n.branch
  ) as tip_of
from commit_names n
cross join commits c on c.id = n.commit_id;

create view system_group_members as
select
  m.group_id, m.user_id, m.access,
  json_object(
    'created_at', strftime('%Y-%m-%dT%H:%M:%SZ', m.created_at / 1000, 'unixepoch'),
    'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', m.created_at / 1000, 'unixepoch'), 'event_name', null,
    'group_access', iif(
      m.access = 10, 'Guest',
      iif(m.access = 20, 'Reporter', iif(m.access = 30, 'Developer', iif(m.access = 40, 'Maintainer', 'Owner')))
    ),
    'group_id', g.id, 'group_name', g.name, 'group_path', g.path, 'user_email', u.email, 'user_id', u.id,
    'user_name', u.name, 'user_username', u.username
  ) as document
from group_members m
cross join groups g on g.id = m.group_id
cross join users u on u.id = m.user_id;

create view system_groups as
select
  g.id, g.path,
  json_object(
    'created_at', strftime('%Y-%m-%dT%H:%M:%SZ', g.created_at / 1000, 'unixepoch'),
    'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', g.created_at / 1000, 'unixepoch'), 'event_name', null, 'name', g.name,
    'path', g.path, 'group_id', g.id, 'full_path', g.path
  ) as document
from groups g;

create view system_members as
select
  m.project_id, m.user_id, m.access,
  json_object(
    'created_at', strftime('%Y-%m-%dT%H:%M:%SZ', m.created_at / 1000, 'unixepoch'),
    'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', m.created_at / 1000, 'unixepoch'), 'event_name', null,
    'access_level', iif(
      m.access = 10, 'Guest',
      iif(m.access = 20, 'Reporter', iif(m.access = 30, 'Developer', iif(m.access = 40, 'Maintainer', 'Owner')))
    ),
    'project_id', p.id, 'project_name', p.name, 'project_path', p.path, 'project_path_with_namespace', p.full_path,
    'project_visibility', iif(p.visibility = 20, 'public', iif(p.visibility = 10, 'internal', 'private')),
    'user_email', u.email, 'user_id', u.id, 'user_name', u.name, 'user_username', u.username
  ) as document
from project_members m
cross join projects p on p.id = m.project_id
cross join users u on u.id = m.user_id;

create view system_projects as
select
  p.id, p.full_path, p.created_at, p.creator_id,
  json_object(
    'created_at', strftime('%Y-%m-%dT%H:%M:%SZ', p.created_at / 1000, 'unixepoch'),
    'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', p.updated_at / 1000, 'unixepoch'), 'event_name', null, 'name', p.name,
    'path', p.path, 'path_with_namespace', p.full_path, 'project_id', p.id, 'project_namespace_id', p.id,
    'owner_name', coalesce(g.name, u.name), 'owner_email', coalesce(u.email, ''),
    'owners', json(
      (
        select json_group_array(json_object('name', o.name, 'email', o.email))
        from (
          select p.namespace_id as id
          union
          select *
          from (select m.user_id from group_members m where m.group_id = p.namespace_id and m.access = 50 limit 100)
        ) n
        cross join users o on o.id = n.id
      )
    ),
    'project_visibility', iif(p.visibility = 20, 'public', iif(p.visibility = 10, 'internal', 'private'))
  ) as document
from projects p
left join groups g on g.id = p.namespace_id
left join users u on u.id = p.namespace_id
where p.deleted_at is null;

create view system_users as
select
  u.id, u.username,
  json_object(
    'created_at', strftime('%Y-%m-%dT%H:%M:%SZ', u.created_at / 1000, 'unixepoch'),
    'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', u.created_at / 1000, 'unixepoch'), 'event_name', null, 'name', u.name,
    'email', u.email, 'user_id', u.id, 'username', u.username
  ) as document
from users u
where u.deleted_at is null;

create view todo_lengths as
select
  t.id, coalesce(l.bytes, c.bytes, 0) + coalesce(octet_length(n.body), octet_length(k.note), 0) as bytes,
  coalesce(l.answered, c.answered + 2000, 0) + octet_length(json_quote(coalesce(n.body, k.note, i.title))) as answered
from todos t
left join issues i on i.id = t.issue_id
left join issue_lengths l on l.id = i.id
left join notes n on n.id = t.note_id
left join commit_comments k on k.id = t.comment_id
left join commit_lengths c on c.id = t.commit_id;

create view todo_rows as
select
  t.id, t.user_id, t.issue_id, t.note_id, t.comment_id, t.action, t.state, t.created_at, t.updated_at,
  (
    select json_object(
      'id', p.id, 'name', p.name, 'name_with_namespace', p.full_name, 'path', p.path,
      'path_with_namespace', p.full_path, 'description', p.description, 'created_at', p.created_at
    )
    from projects p
    where p.id = t.project_id
  ) as project,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = t.author_id
  ) as author,
  coalesce(
    (select n.body from notes n where n.id = t.note_id),
    (select k.note from commit_comments k where k.id = t.comment_id)
  ) as body,
  (select r.row from issue_records r where r.issue_id = t.issue_id and r.user_id = t.user_id) as issue,
  (select c.document from commit_documents c where c.id = t.commit_id) as "commit"
from todos t;

create view todos_by_filter as
select
  id, user_id, state, action, cast(null as integer) as author_id, cast(null as integer) as project_id, issue_id,
  comment_id
from todos indexed by todos_by_action
union all
select id, user_id, state, action, author_id, cast(null as integer), issue_id, comment_id
from todos indexed by todos_by_author
union all
select id, user_id, state, action, cast(null as integer), project_id, issue_id, comment_id
from todos indexed by todos_by_project
union all
select id, user_id, state, action, author_id, project_id, issue_id, comment_id
from todos indexed by todos_by_project_and_author;

create view token_rows as
select
  id, kind, user_id, project_id, name, description, created_at, last_used_at, expires_at, revoked_at, bot_id, scopes,
  access, cross_project, issuer, claims, iif(issuer is null, null, substr(hash, 7)) as audience
from tokens;

create view user_lengths as
select
  id, octet_length(json_array(username, name, email, bio, location, skype, linkedin, twitter, website_url)) as answered
from users;

create view whole_events as
select
  e.id,
  e.quota_bytes
    + iif(
      e.snapshot ->> 'is_cut',
      coalesce((select octet_length(i.description) from issues i where i.id = e.snapshot ->> '$.issue.id'), 0)
        + coalesce((select octet_length(n.body) from notes n where n.id = e.snapshot ->> '$.note.id'), 0)
        + coalesce(
          (select octet_length(m.description) from milestones m where m.id = e.snapshot ->> '$.milestone.id'), 0
        )
        + coalesce((select octet_length(r.description) from releases r where r.id = e.snapshot ->> '$.release.id'), 0),
      0
    ) as bytes,
  iif(
    e.snapshot ->> 'is_cut',
    json_replace(
      e.snapshot, '$.issue.description',
      coalesce(
        (
          select substr(i.description, 1, iif(octet_length(json_quote(i.description)) > 250000, 8192, 900000))
          from issues i
          where i.id = e.snapshot ->> '$.issue.id'
            and length(e.snapshot ->> '$.issue.description') = 1250
            and i.confidential <= e.snapshot ->> '$.issue.confidential'
        ),
        e.snapshot ->> '$.issue.description'
      ),
      '$.note.body',
      coalesce(
        (
          select substr(n.body, 1, iif(octet_length(json_quote(n.body)) > 400000, 8192, 900000))
          from notes n
          where n.id = e.snapshot ->> '$.note.id'
            and length(e.snapshot ->> '$.note.body') = 1250
            and not n.system
            and not exists (
              select 1
              from issues k
              where k.id = n.issue_id and k.confidential > e.snapshot ->> '$.issue.confidential'
            )
        ),
        e.snapshot ->> '$.note.body'
      ),
      '$.milestone.description',
      coalesce(
        (
          select substr(m.description, 1, iif(octet_length(json_quote(m.description)) > 400000, 8192, 900000))
          from milestones m
          where m.id = e.snapshot ->> '$.milestone.id'
            and length(e.snapshot ->> '$.milestone.description') = 1250
        ),
        e.snapshot ->> '$.milestone.description'
      ),
      '$.release.description',
      coalesce(
        (
          select substr(r.description, 1, iif(octet_length(json_quote(r.description)) > 400000, 8192, 900000))
          from releases r
          where r.id = e.snapshot ->> '$.release.id'
            and length(e.snapshot ->> '$.release.description') = 1250
        ),
        e.snapshot ->> '$.release.description'
      )
    ),
    e.snapshot
  ) as snapshot
from hook_events e;
