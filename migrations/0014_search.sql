-- The words of issues, by which lists are searched. Lower case, kept by whatever writes the texts.

-- JSON of the different words of title and description. null: made before words were kept, and looked through as it is
alter table issues add column words text;
-- of what projects words tell nothing
create index issues_without_words on issues (project_id) where words is null and deleted_at is null;

create table issue_words (
  project_id integer not null,
  -- who sees the issue, as in issue_postings
  viewer_id integer not null,
  word text not null,
  issue_id integer not null,
  primary key (project_id, viewer_id, word, issue_id)
) strict, without rowid;

-- The words that an issue has to stand under, one in both texts twice.
create view issue_word_entries as
select i.project_id, iif(k.value = 1, i.author_id, iif(k.value = 2, i.assignee_id, -i.confidential)) as viewer_id,
  w.value as word, i.id as issue_id
from issues i cross join json_each(i.words) t cross join json_each(t.value) w
cross join json_each(iif(i.confidential, '[0,1,2]', '[0]')) k
where i.deleted_at is null and (k.value <> 2 or i.assignee_id <> i.author_id);

create trigger issue_words_created after insert on issues when new.deleted_at is null and new.words is not null BEGIN
  insert into issue_words (project_id, viewer_id, word, issue_id)
  select project_id, viewer_id, word, issue_id from issue_word_entries where issue_id = new.id on conflict do nothing;
END;
create trigger issue_words_left before update of words, confidential, assignee_id, deleted_at on issues
when old.words is not null and (old.words is not new.words or old.confidential <> new.confidential
  or (old.assignee_id is not new.assignee_id and new.confidential) or (old.deleted_at is null) <> (new.deleted_at is null))
BEGIN
  delete from issue_words where (project_id, viewer_id, word, issue_id) in (
    select project_id, viewer_id, word, issue_id from issue_word_entries where issue_id = old.id);
END;
create trigger issue_words_entered after update of words, confidential, assignee_id, deleted_at on issues
when new.words is not null and (old.words is not new.words or old.confidential <> new.confidential
  or (old.assignee_id is not new.assignee_id and new.confidential) or (old.deleted_at is null) <> (new.deleted_at is null))
BEGIN
  insert into issue_words (project_id, viewer_id, word, issue_id)
  select project_id, viewer_id, word, issue_id from issue_word_entries where issue_id = new.id on conflict do nothing;
END;
