-- Who follows a label counts in the bytes of its project.
alter table label_subscriptions add column quota_bytes integer as (40) virtual;
update storage set bytes = storage.bytes + x.bytes from (select l.project_id, sum(b.quota_bytes) as bytes
  from label_subscriptions b cross join labels l on l.id = b.label_id group by 1) x where storage.project_id = x.project_id;
create trigger label_subscriptions_stored after insert on label_subscriptions BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = (select l.project_id from labels l where l.id = new.label_id);
END;
create trigger label_subscriptions_unstored after delete on label_subscriptions BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = (select l.project_id from labels l where l.id = old.label_id);
END;
