-- Counts the bytes of everything that users write, for the quotas of a project and of the server.

-- The bytes that a row counts: a hundred for itself, and its texts. A label and a milestone that are being deleted have another title,
-- which does not count, so that a deletion never exceeds a quota.
alter table projects add column quota_bytes integer as (100 + octet_length(name) + coalesce(octet_length(description), 0)) virtual;
alter table issues add column quota_bytes integer as (100 + octet_length(title) + coalesce(octet_length(description), 0)) virtual;
alter table notes add column quota_bytes integer as (100 + octet_length(body) + coalesce(octet_length(reference), 0)) virtual;
alter table labels add column quota_bytes integer as (100 + iif(title >= ',' and title < '-', 0, octet_length(title)) + coalesce(octet_length(description), 0)) virtual;
alter table milestones add column quota_bytes integer as (100 + iif(iid < 0, 0, octet_length(title)) + coalesce(octet_length(description), 0)) virtual;
alter table commits add column quota_bytes integer as (100 + octet_length(message) + octet_length(author_name) + octet_length(author_email) + octet_length(committer_name) + octet_length(committer_email) + octet_length(parent_shas)) virtual;
alter table diffs add column quota_bytes integer as (100 + octet_length(text) + coalesce(bytes, 0)) virtual;
alter table commit_comments add column quota_bytes integer as (100 + octet_length(note) + coalesce(octet_length(path), 0)) virtual;
alter table refs add column quota_bytes integer as (100 + octet_length(name) + coalesce(octet_length(message), 0)) virtual;
alter table staged_swaps add column quota_bytes integer as (100 + octet_length(sync) + octet_length(changes)) virtual;
alter table statuses add column quota_bytes integer as (100 + octet_length(ref) + octet_length(name) + octet_length(stage) + coalesce(octet_length(target_url), 0) + coalesce(octet_length(description), 0)) virtual;
alter table environments add column quota_bytes integer as (100 + octet_length(name) + coalesce(octet_length(description), 0) + coalesce(octet_length(external_url), 0)) virtual;
alter table deployments add column quota_bytes integer as (100) virtual;
alter table groups add column quota_bytes integer as (100 + octet_length(name) + octet_length(path) + octet_length(description)) virtual;
alter table tokens add column quota_bytes integer as (100 + octet_length(name)) virtual;
alter table idempotency_keys add column quota_bytes integer as (100 + coalesce(octet_length(answer), 0)) virtual;

-- The bytes of each project.
create table storage (
  project_id integer primary key references projects (id),
  bytes integer not null
) strict;
-- The greatest id of a token that was deleted: the id of a token never names another.
alter table stored add column last_token_id integer not null default 0;
-- The limits of a project and of the server, as the last write knew them. 0: no limit.
alter table stored add column project_most integer not null default 0;
alter table stored add column most integer not null default 0;
-- The columns bytes and bytes_before of mirrors stay for a Worker that is older than this migration.
drop trigger mirrors_add_up;

-- one statement for each table, because a statement may take 30 seconds
insert into storage (project_id, bytes) select id, quota_bytes from projects;
insert into storage (project_id, bytes) select project_id, sum(quota_bytes) from issues where true group by 1
  on conflict do update set bytes = bytes + excluded.bytes;
insert into storage (project_id, bytes) select project_id, sum(quota_bytes) from notes where true group by 1
  on conflict do update set bytes = bytes + excluded.bytes;
insert into storage (project_id, bytes) select project_id, sum(quota_bytes) from labels where true group by 1
  on conflict do update set bytes = bytes + excluded.bytes;
insert into storage (project_id, bytes) select project_id, sum(quota_bytes) from milestones where true group by 1
  on conflict do update set bytes = bytes + excluded.bytes;
insert into storage (project_id, bytes) select project_id, sum(quota_bytes) from commits where true group by 1
  on conflict do update set bytes = bytes + excluded.bytes;
insert into storage (project_id, bytes) select c.project_id, sum(d.quota_bytes) from diffs d cross join commits c on c.id = d.commit_id where true group by 1
  on conflict do update set bytes = bytes + excluded.bytes;
insert into storage (project_id, bytes) select project_id, sum(quota_bytes) from commit_comments where true group by 1
  on conflict do update set bytes = bytes + excluded.bytes;
insert into storage (project_id, bytes) select project_id, sum(quota_bytes) from refs where true group by 1
  on conflict do update set bytes = bytes + excluded.bytes;
insert into storage (project_id, bytes) select project_id, sum(quota_bytes) from staged_swaps where portion >= 0 group by 1
  on conflict do update set bytes = bytes + excluded.bytes;
insert into storage (project_id, bytes) select project_id, sum(quota_bytes) from statuses where true group by 1
  on conflict do update set bytes = bytes + excluded.bytes;
insert into storage (project_id, bytes) select project_id, sum(quota_bytes) from environments where true group by 1
  on conflict do update set bytes = bytes + excluded.bytes;
insert into storage (project_id, bytes) select project_id, sum(quota_bytes) from deployments where true group by 1
  on conflict do update set bytes = bytes + excluded.bytes;
update stored set bytes = (select coalesce(sum(bytes), 0) from storage) where id = 1;
update stored set bytes = bytes + (select coalesce(sum(quota_bytes), 0) from groups) where id = 1;
update stored set bytes = bytes + (select coalesce(sum(quota_bytes), 0) from tokens) where id = 1;
update stored set bytes = bytes + (select coalesce(sum(quota_bytes), 0) from idempotency_keys) where id = 1;

-- A batch that makes a counter grow beyond its limit ends, and nothing of it is written.
create trigger storage_counts after update of bytes on storage when new.bytes <> old.bytes BEGIN
  select raise(abort, 'E_PROJECT_FULL') from stored s
  where s.id = 1 and s.project_most > 0 and new.bytes > s.project_most and new.bytes > old.bytes;
  update stored set bytes = bytes + new.bytes - old.bytes where id = 1;
END;
create trigger stored_ends after update of bytes on stored when new.most > 0 and new.bytes > new.most and new.bytes > old.bytes BEGIN
  select raise(abort, 'E_SERVER_FULL');
END;

-- What counts. A project that is new has a counter first.
create trigger projects_stored after insert on projects BEGIN
  insert into storage (project_id, bytes) values (new.id, 0);
  update storage set bytes = bytes + new.quota_bytes where project_id = new.id;
END;
create trigger projects_restored after update of name, description on projects when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.id;
END;
create trigger issues_stored after insert on issues BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger issues_restored after update of title, description on issues when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger issues_unstored after delete on issues BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger notes_stored after insert on notes BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger notes_restored after update of body, reference on notes when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger notes_unstored after delete on notes BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger labels_stored after insert on labels BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger labels_restored after update of title, description on labels when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger labels_unstored after delete on labels BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger milestones_stored after insert on milestones BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger milestones_restored after update of title, description on milestones when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger milestones_unstored after delete on milestones BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger commits_stored after insert on commits BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger commits_restored after update of message, author_name, author_email, committer_name, committer_email, parent_shas on commits when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger commits_unstored after delete on commits BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger diffs_stored after insert on diffs BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = (select c.project_id from commits c where c.id = new.commit_id);
END;
create trigger diffs_restored after update of text, bytes on diffs when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = (select c.project_id from commits c where c.id = new.commit_id);
END;
create trigger diffs_unstored after delete on diffs BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = (select c.project_id from commits c where c.id = old.commit_id);
END;
create trigger commit_comments_stored after insert on commit_comments BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger commit_comments_restored after update of note, path on commit_comments when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger commit_comments_unstored after delete on commit_comments BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger refs_stored after insert on refs BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger refs_restored after update of message on refs when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger refs_unstored after delete on refs BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger staged_swaps_stored after insert on staged_swaps when new.portion >= 0 BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger staged_swaps_restored after update of sync, changes on staged_swaps when new.quota_bytes <> old.quota_bytes and new.portion >= 0 BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger staged_swaps_unstored after delete on staged_swaps when old.portion >= 0 BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger statuses_stored after insert on statuses BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger statuses_restored after update of stage, target_url, description on statuses when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger statuses_unstored after delete on statuses BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger environments_stored after insert on environments BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger environments_restored after update of description, external_url on environments when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger environments_unstored after delete on environments BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger deployments_stored after insert on deployments BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger deployments_unstored after delete on deployments BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger groups_stored after insert on groups BEGIN
  update stored set bytes = bytes + new.quota_bytes where id = 1;
END;
create trigger groups_restored after update of name, path, description on groups when new.quota_bytes <> old.quota_bytes BEGIN
  update stored set bytes = bytes + new.quota_bytes - old.quota_bytes where id = 1;
END;
create trigger groups_unstored after delete on groups BEGIN
  update stored set bytes = bytes - old.quota_bytes where id = 1;
END;
create trigger tokens_stored after insert on tokens BEGIN
  update stored set bytes = bytes + new.quota_bytes where id = 1;
END;
create trigger tokens_unstored after delete on tokens BEGIN
  update stored set bytes = bytes - old.quota_bytes, last_token_id = max(last_token_id, old.id) where id = 1;
END;
create trigger idempotency_keys_stored after insert on idempotency_keys BEGIN
  update stored set bytes = bytes + new.quota_bytes where id = 1;
END;
create trigger idempotency_keys_restored after update of answer on idempotency_keys when new.quota_bytes <> old.quota_bytes BEGIN
  update stored set bytes = bytes + new.quota_bytes - old.quota_bytes where id = 1;
END;
create trigger idempotency_keys_unstored after delete on idempotency_keys BEGIN
  update stored set bytes = bytes - old.quota_bytes where id = 1;
END;

-- A user has at most a thousand personal tokens that are alive, and a project a thousand. The indexes find them in the order of their ends.
create index tokens_alive on tokens (user_id, coalesce(expires_at, 9007199254740991)) where revoked_at is null and kind = 'personal';
create index tokens_alive_of_project on tokens (project_id, coalesce(expires_at, 9007199254740991))
  where revoked_at is null and project_id is not null;
create trigger tokens_of_user_end before insert on tokens when new.kind = 'personal' and 1000 <= (select count(*) from tokens t
    where t.user_id = new.user_id and t.kind = 'personal' and t.revoked_at is null
    and coalesce(t.expires_at, 9007199254740991) > new.created_at) BEGIN
  select raise(abort, 'E_TOO_MANY_TOKENS');
END;
create trigger tokens_of_project_end before insert on tokens when new.project_id is not null and 1000 <= (select count(*) from tokens t
    where t.project_id = new.project_id and t.revoked_at is null
    and coalesce(t.expires_at, 9007199254740991) > new.created_at) BEGIN
  select raise(abort, 'E_TOO_MANY_TOKENS');
END;
-- A first batch of copies is as long as a later one.
create trigger hourly_writes_begin before insert on hourly_writes when new.writes > new.most BEGIN
  select raise(abort, 'E_TOO_MANY_WRITES');
END;

-- A restored database reads the objects of its original, whose keys begin with `store`, and puts and sweeps those that begin with `own`.
-- Null: the database has only `store`.
alter table object_sweeps add column own text;
-- How the key of the object begins. Null: with `store`.
alter table diffs add column store text;

-- A search reads the begin of a description. To find it in a long one costs reading the whole.
drop view issue_texts;
create view issue_texts as
select id, title, iif(octet_length(description) <= 20000, substr(description, 1, 4000), '') as description from issues;

-- Ask for one issue with one title: an issue may have 500 labels.
create view bearers as
select l.project_id, l.title, b.issue_id from labels l cross join issue_labels b on b.label_id = l.id;
