-- What users write counts as much as it takes with its indexes, where a name of more than 1,000 bytes takes a page of 4 kB in each. The
-- figures are those of the file after a thousand of the longest rows.

drop trigger storage_counts;
drop trigger stored_ends;
drop trigger projects_stored;
drop trigger projects_restored;
drop trigger issues_stored;
drop trigger issues_restored;
drop trigger issues_unstored;
drop trigger labels_stored;
drop trigger labels_restored;
drop trigger labels_unstored;
drop trigger milestones_stored;
drop trigger milestones_restored;
drop trigger milestones_unstored;
drop trigger refs_stored;
drop trigger refs_restored;
drop trigger refs_unstored;
drop trigger environments_stored;
drop trigger environments_restored;
drop trigger environments_unstored;
drop trigger groups_stored;
drop trigger groups_restored;
drop trigger groups_unstored;
drop trigger tokens_stored;
drop trigger tokens_unstored;
drop trigger idempotency_keys_stored;
drop trigger idempotency_keys_restored;
drop trigger idempotency_keys_unstored;

update storage set bytes = storage.bytes - x.bytes from (select id as project_id, sum(quota_bytes) as bytes from projects group by 1) x
  where storage.project_id = x.project_id;
alter table projects drop column quota_bytes;
alter table projects add column quota_bytes integer as (1000 + 15 * (octet_length(name) + octet_length(path)) + coalesce(octet_length(description), 0)) virtual;
update storage set bytes = storage.bytes + x.bytes from (select id as project_id, sum(quota_bytes) as bytes from projects group by 1) x
  where storage.project_id = x.project_id;
update storage set bytes = storage.bytes - x.bytes from (select project_id as project_id, sum(quota_bytes) as bytes from issues group by 1) x
  where storage.project_id = x.project_id;
alter table issues drop column quota_bytes;
alter table issues add column quota_bytes integer as (300 + octet_length(title) + coalesce(octet_length(description), 0)) virtual;
update storage set bytes = storage.bytes + x.bytes from (select project_id as project_id, sum(quota_bytes) as bytes from issues group by 1) x
  where storage.project_id = x.project_id;
update storage set bytes = storage.bytes - x.bytes from (select project_id as project_id, sum(quota_bytes) as bytes from labels group by 1) x
  where storage.project_id = x.project_id;
alter table labels drop column quota_bytes;
alter table labels add column quota_bytes integer as (200 + iif(title >= ',' and title < '-', 0, 6 * octet_length(title)) + coalesce(octet_length(description), 0)) virtual;
update storage set bytes = storage.bytes + x.bytes from (select project_id as project_id, sum(quota_bytes) as bytes from labels group by 1) x
  where storage.project_id = x.project_id;
update storage set bytes = storage.bytes - x.bytes from (select project_id as project_id, sum(quota_bytes) as bytes from milestones group by 1) x
  where storage.project_id = x.project_id;
alter table milestones drop column quota_bytes;
alter table milestones add column quota_bytes integer as (200 + iif(iid < 0, 0, 6 * octet_length(title)) + coalesce(octet_length(description), 0)) virtual;
update storage set bytes = storage.bytes + x.bytes from (select project_id as project_id, sum(quota_bytes) as bytes from milestones group by 1) x
  where storage.project_id = x.project_id;
update storage set bytes = storage.bytes - x.bytes from (select project_id as project_id, sum(quota_bytes) as bytes from refs group by 1) x
  where storage.project_id = x.project_id;
alter table refs drop column quota_bytes;
alter table refs add column quota_bytes integer as (200 + 14 * octet_length(name) + coalesce(octet_length(message), 0)) virtual;
update storage set bytes = storage.bytes + x.bytes from (select project_id as project_id, sum(quota_bytes) as bytes from refs group by 1) x
  where storage.project_id = x.project_id;
update storage set bytes = storage.bytes - x.bytes from (select project_id as project_id, sum(quota_bytes) as bytes from environments group by 1) x
  where storage.project_id = x.project_id;
alter table environments drop column quota_bytes;
alter table environments add column quota_bytes integer as (200 + 3 * octet_length(name) + coalesce(octet_length(description), 0) + coalesce(octet_length(external_url), 0)) virtual;
update storage set bytes = storage.bytes + x.bytes from (select project_id as project_id, sum(quota_bytes) as bytes from environments group by 1) x
  where storage.project_id = x.project_id;
alter table groups drop column quota_bytes;
alter table groups add column quota_bytes integer as (500 + 6 * (octet_length(name) + octet_length(path)) + octet_length(description)) virtual;
alter table tokens drop column quota_bytes;
alter table tokens add column quota_bytes integer as (600 + 2 * octet_length(name)) virtual;
alter table idempotency_keys drop column quota_bytes;
alter table idempotency_keys add column quota_bytes integer as (300 + coalesce(octet_length(answer), 0)) virtual;

-- Rows that other writes bring along.
alter table todos add column quota_bytes integer as (250) virtual;
alter table participants add column quota_bytes integer as (40) virtual;
alter table commit_references add column quota_bytes integer as (150) virtual;
update storage set bytes = storage.bytes + x.bytes from (select project_id, sum(quota_bytes) as bytes from todos group by 1) x
  where storage.project_id = x.project_id;
update storage set bytes = storage.bytes + x.bytes from (select i.project_id, sum(t.quota_bytes) as bytes
  from participants t cross join issues i on i.id = t.issue_id group by 1) x where storage.project_id = x.project_id;
update storage set bytes = storage.bytes + x.bytes from (select i.project_id, sum(c.quota_bytes) as bytes
  from commit_references c cross join issues i on i.id = c.issue_id group by 1) x where storage.project_id = x.project_id;
-- the users of tokens of projects and hooks
alter table users add column quota_bytes integer as (iif(id < 0, 1000 + 6 * octet_length(name), 0)) virtual;

-- With a rowid: to find a row, SQLite reads the long rows on the way to it where the table is an index of its rows.
alter table more_paths rename to former_more_paths;
drop trigger more_paths_stored;
drop trigger more_paths_unstored;
create table more_paths (
  id integer primary key,
  commit_id integer not null references commits (id),
  part integer not null,
  -- each path after two slashes, and two slashes at the end. A path of git has no empty name, so it has no two slashes itself
  text text not null,
  quota_bytes integer as (100 + octet_length(text)) virtual
) strict;
insert into more_paths (commit_id, part, text) select commit_id, part, text from former_more_paths;
create unique index more_paths_of_commit on more_paths (commit_id, part);
drop table former_more_paths;
create trigger more_paths_stored after insert on more_paths BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = (select c.project_id from commits c where c.id = new.commit_id);
END;
create trigger more_paths_unstored after delete on more_paths BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = (select c.project_id from commits c where c.id = old.commit_id);
END;

update stored set bytes = (select coalesce(sum(bytes), 0) from storage) where id = 1;
update stored set bytes = bytes + (select coalesce(sum(quota_bytes), 0) from groups) where id = 1;
update stored set bytes = bytes + (select coalesce(sum(quota_bytes), 0) from tokens) where id = 1;
update stored set bytes = bytes + (select coalesce(sum(quota_bytes), 0) from idempotency_keys) where id = 1;
update stored set bytes = bytes + (select coalesce(sum(quota_bytes), 0) from users where id < 0) where id = 1;

create trigger storage_counts after update of bytes on storage when new.bytes <> old.bytes BEGIN
  select raise(abort, 'E_PROJECT_FULL') from stored s
  where s.id = 1 and s.project_most > 0 and new.bytes > s.project_most and new.bytes > old.bytes;
  update stored set bytes = bytes + new.bytes - old.bytes where id = 1;
END;
create trigger stored_ends after update of bytes on stored when new.most > 0 and new.bytes > new.most and new.bytes > old.bytes BEGIN
  select raise(abort, 'E_SERVER_FULL');
END;
create trigger projects_stored after insert on projects BEGIN
  insert into storage (project_id, bytes) values (new.id, 0);
  update storage set bytes = bytes + new.quota_bytes where project_id = new.id;
END;
create trigger projects_restored after update of name, path, description on projects when new.quota_bytes <> old.quota_bytes BEGIN
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
create trigger refs_stored after insert on refs BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger refs_restored after update of message on refs when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger refs_unstored after delete on refs BEGIN
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
create trigger todos_stored after insert on todos BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger todos_unstored after delete on todos BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger participants_stored after insert on participants BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = (select i.project_id from issues i where i.id = new.issue_id);
END;
create trigger participants_unstored after delete on participants BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;
create trigger commit_references_stored after insert on commit_references BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = (select i.project_id from issues i where i.id = new.issue_id);
END;
create trigger commit_references_unstored after delete on commit_references BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;
create trigger users_of_tokens_stored after insert on users when new.id < 0 BEGIN
  update stored set bytes = bytes + new.quota_bytes where id = 1;
END;
create trigger users_of_tokens_restored after update of name on users when new.quota_bytes <> old.quota_bytes BEGIN
  update stored set bytes = bytes + new.quota_bytes - old.quota_bytes where id = 1;
END;
create trigger users_of_tokens_unstored after delete on users when old.id < 0 BEGIN
  update stored set bytes = bytes - old.quota_bytes where id = 1;
END;
