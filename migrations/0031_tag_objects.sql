-- The objects of annotated tags, each with the commit that it stands for: also those inside a tag of a tag, and those
-- of tags that were moved or deleted since. A hash of one names the commit. Every insert is a claim of the mirror hook.
create table tag_objects (
  project_id integer not null references projects (id),
  -- 40 hexadecimal digits, or 64 in a repository of SHA-256
  sha text not null,
  -- no foreign key, which would need an index: both go with their project alone
  commit_id integer not null,
  quota_bytes integer as (150) virtual,
  primary key (project_id, sha)
) strict, without rowid;

create trigger tag_objects_stored after insert on tag_objects BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger tag_objects_unstored after delete on tag_objects BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- No quota ends this file: what the rows of before count more may not fit into one.
insert into request_marks (id, moves)
values (1, 1);
insert into tag_objects (project_id, sha, commit_id)
select project_id, tag_sha, max(commit_id)
from refs
where tag_sha is not null
group by project_id, tag_sha;
delete from request_marks where id = 1;

-- The changes of staged_swaps, one a row. inner_tags: JSON array of the hashes of the tags inside a tag of a tag.
drop view staged_changes;
create view staged_changes as
select
  s.project_id, s.portion, x.value ->> 'name' as name, x.value ->> 'old' as old, x.value ->> 'new' as new,
  x.value ->> 'tag_sha' as tag_sha, x.value ->> 'message' as message, x.value ->> 'commits' as commits,
  coalesce(x.value -> 'inner_tags', '[]') as inner_tags
from staged_swaps s
cross join json_each(s.changes) x;

-- The commit that a name in a request means, in the order of git: a hash, a full name of a ref, a tag, a branch or
-- HEAD, an abbreviated hash or that of an annotated tag. Ask for one project and name = json_array(the name):
-- json_each reads this column, so the view has one row for the pair. The name null means the default branch.
-- commit_id is null if the project has no such commit. branch: the full name of a branch with this name. Each table
-- is named once or twice, because SQLite bounds the tables of a statement, and compiles each mention again.
drop view commit_names;
create view commit_names as
select
  project_id, name, branch,
  coalesce(
    (select c.id from commits c where c.project_id = n.project_id and c.sha = lower(n.text)),
    (
      select cast(substr(max(iif(r.name = n.text, 3, 1 + (r.name > 'refs/tags/')) || r.commit_id), 2) as integer)
      from refs r
      where r.project_id = n.project_id
        and r.name in (n.branch, n.text, 'refs/tags/' || n.text, 'refs/heads/' || n.text)
    ),
    (
      select iif(count(*) = 1, max(found.id), null)
      from (
        select c.id
        from commits c
        where c.project_id = n.project_id and c.sha >= n.abbreviation and c.sha < n.abbreviation || 'g'
        union all
        select t.commit_id
        from tag_objects t
        where t.project_id = n.project_id and t.sha >= n.abbreviation and t.sha < n.abbreviation || 'g'
        limit 2
      ) found
    )
  ) as commit_id
from (
  select
    p.id as project_id, j.json as name, j.value as text,
    iif(
      coalesce(j.value, 'HEAD') = 'HEAD', 'refs/heads/' || p.default_branch,
      iif(substr(j.value, 1, 11) = 'refs/heads/', '', 'refs/heads/') || j.value
    ) as branch,
    iif(length(j.value) between 4 and 64 and j.value not glob '*[^0-9a-fA-F]*', lower(j.value), null) as abbreviation
  from projects p
  cross join json_each j
) n;
