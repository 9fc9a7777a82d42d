-- The index of words that searches for issues read (behaviour 17).

-- One row for each issue that is indexed: its tokens, which src/areas/words/mod.rs makes. Ten letters of a token name
-- the project and the kind, and the eleventh is the first letter of the word. The table keeps no texts, and is in no
-- backup: what has been restored is indexed again.
create virtual table issue_words using fts5(
  title, description, content = '', contentless_delete = 1, detail = column, prefix = '11', tokenize = 'ascii'
);

-- Issues whose tokens are not those of their texts. Searches read these texts until the Cron trigger has indexed them.
-- class: 1 a confidential issue, 2 a deleted one, 0 any other. change: another number after each change, so that none
-- is lost that comes while an issue is indexed.
create table unindexed_issues (
  project_id integer not null,
  class integer not null,
  issue_id integer not null,
  change integer not null default (random() >> 12),
  primary key (project_id, class, issue_id)
) strict, without rowid;

-- Issues with a lower id than `below` were there before the index, and are not in it yet.
create table issue_index (id integer primary key check (id = 1), below integer not null) strict;
insert into issue_index (id, below) select 1, coalesce(max(id), 0) + 1 from issues;

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
