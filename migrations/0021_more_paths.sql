-- Paths of changed files that are not in the stored diff: those behind its thousandth file or its 5 MiB, and all of a diff that is too
-- long to be searched in the database. Lists of commits by path look there as well.
create table more_paths (
  commit_id integer not null references commits (id),
  part integer not null,
  -- each path after two slashes, and two slashes at the end. A path of git has no empty name, so it has no two slashes itself
  text text not null,
  quota_bytes integer as (100 + octet_length(text)) virtual,
  primary key (commit_id, part)
) strict, without rowid;
create trigger more_paths_stored after insert on more_paths BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = (select c.project_id from commits c where c.id = new.commit_id);
END;
create trigger more_paths_unstored after delete on more_paths BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = (select c.project_id from commits c where c.id = old.commit_id);
END;

-- The next sync sends the commits again whose diff was cut, with these paths: a thousand files, or about 5 MiB. Only long texts are read.
insert into forgotten_commits (commit_id, project_id)
select c.id, c.project_id from (select commit_id from diffs where octet_length(text) > iif(object is null, 100000, 20000) group by commit_id
  having max(part) >= 8 or max(bytes) > 5000000 or sum(length(text) - length(replace(text, '"new_path":', ''))) >= 11000) d
cross join commits c on c.id = d.commit_id
where true on conflict do nothing;
