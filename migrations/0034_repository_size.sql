-- The bytes in the object store of the trees and files of each project. They count in bytes, too.
alter table storage add column contents integer not null default 0;
update storage set contents = coalesce((select sum(o.packed) from objects o where o.project_id = storage.project_id), 0);
drop trigger objects_stored;
drop trigger objects_restored;
drop trigger objects_unstored;
create trigger objects_stored after insert on objects BEGIN
  update storage set bytes = bytes + new.quota_bytes, contents = contents + new.packed where project_id = new.project_id;
END;
create trigger objects_restored after update of packed on objects when new.packed <> old.packed BEGIN
  update storage set bytes = bytes + new.packed - old.packed, contents = contents + new.packed - old.packed where project_id = new.project_id;
END;
create trigger objects_unstored after delete on objects BEGIN
  update storage set bytes = bytes - old.quota_bytes, contents = contents - old.packed where project_id = old.project_id;
END;

-- sizes: the bytes of trees and files, of uploads and of packages.
drop view project_rows;
create view project_rows as
select p.id, p.namespace_id, p.name, p.path, p.full_name, p.full_path, p.description, p.visibility, p.default_branch, p.issues_enabled,
  p.builds_enabled, p.archived, p.creator_id, p.created_at, p.updated_at,
  (select json_object('id', n.id, 'kind', n.kind, 'path', n.path, 'name', n.name, 'description', n.description,
    'created_at', n.created_at, 'owner', json(n.owner)) from namespace_rows n where n.id = p.namespace_id) as namespace,
  (select c.opened from issue_counts c where c.project_id = p.id) as opened,
  (select c.opened_hidden from issue_counts c where c.project_id = p.id) as opened_hidden,
  (select b.commits from branch_counts b where b.project_id = p.id and b.branch = p.default_branch) as commits,
  p.autoclose, (select json_object('contents', t.contents, 'uploads', t.uploads, 'packages', t.packages) from storage t where t.project_id = p.id) as sizes
from projects p where p.deleted_at is null;
