-- A new status is counted instead of the one before it in one step: a post over a finished status reads and writes a row
-- less.
drop trigger statuses_added;
create trigger statuses_added after insert on statuses begin
  insert into status_counts (commit_id, ref, posted, pending, running, success, failed, canceled)
  select new.commit_id, new.ref, 1,
    (new.state = 'pending') - (before.state is 'pending'), (new.state = 'running') - (before.state is 'running'),
    (new.state = 'success') - (before.state is 'success'), (new.state = 'failed') - (before.state is 'failed'),
    (new.state = 'canceled') - (before.state is 'canceled')
  from (select 1) left join status_heads h on h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name
    left join statuses before on before.id = h.status_id
  where true
  on conflict (commit_id, ref) do update set posted = posted + 1,
    pending = pending + excluded.pending, running = running + excluded.running, success = success + excluded.success,
    failed = failed + excluded.failed, canceled = canceled + excluded.canceled;
  insert into status_heads (commit_id, ref, name, status_id) values (new.commit_id, new.ref, new.name, new.id)
  on conflict (commit_id, ref, name) do update set status_id = excluded.status_id;
end;
