-- How many issues a user wrote in a project, by state: the total of "issues created by me" without a count.
create table issue_authors (
  author_id integer not null references users (id),
  project_id integer not null references projects (id),
  opened integer not null default 0,
  closed integer not null default 0,
  primary key (author_id, project_id)
) strict, without rowid;
create trigger issue_authors_created after insert on issues when new.deleted_at is null begin
  insert into issue_authors (author_id, project_id, opened, closed)
  values (new.author_id, new.project_id, new.state = 'opened', new.state = 'closed')
  on conflict do update set opened = opened + excluded.opened, closed = closed + excluded.closed;
end;
create trigger issue_authors_changed after update of state, deleted_at on issues
when old.state <> new.state or (old.deleted_at is null) <> (new.deleted_at is null) begin
  update issue_authors set
    opened = opened + (new.deleted_at is null and new.state = 'opened') - (old.deleted_at is null and old.state = 'opened'),
    closed = closed + (new.deleted_at is null and new.state = 'closed') - (old.deleted_at is null and old.state = 'closed')
  where author_id = new.author_id and project_id = new.project_id;
end;
