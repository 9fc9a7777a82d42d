-- The indexes of words that searches for comments and for commits read (behaviour 17). Each is made as that of issues
-- (0035): its tokens, the queue of what is not in it yet, and how far it is with what was there before.

create virtual table note_words using fts5(
  tokens, content = '', contentless_delete = 1, detail = column, prefix = '11', tokenize = 'ascii'
);
create table unindexed_notes (
  project_id integer not null,
  class integer not null,
  note_id integer not null,
  change integer not null default (random() >> 12),
  primary key (project_id, class, note_id)
) strict, without rowid;
create table note_index (id integer primary key check (id = 1), below integer not null) strict;
insert into note_index (id, below) select 1, coalesce(max(id), 0) + 1 from notes;

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
-- The tokens of a comment say whether its issue is confidential.
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

create virtual table commit_words using fts5(
  tokens, content = '', contentless_delete = 1, detail = column, prefix = '11', tokenize = 'ascii'
);
create table unindexed_commits (
  project_id integer not null,
  class integer not null,
  commit_id integer not null,
  change integer not null default (random() >> 12),
  primary key (project_id, class, commit_id)
) strict, without rowid;
create table commit_index (id integer primary key check (id = 1), below integer not null) strict;
insert into commit_index (id, below) select 1, coalesce(max(id), 0) + 1 from commits;

create trigger commits_unindexed_created after insert on commits BEGIN
  insert into unindexed_commits (project_id, class, commit_id) values (new.project_id, 0, new.id);
END;
create trigger commits_unindexed_deleted after delete on commits BEGIN
  delete from unindexed_commits where project_id = old.project_id and class in (0, 2) and commit_id = old.id;
  insert into unindexed_commits (project_id, class, commit_id) values (old.project_id, 2, old.id);
END;
