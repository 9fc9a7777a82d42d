-- The index of a mirrored repository: its history, branches and tags.

create table commits (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- 40 hexadecimal digits, or 64 in a repository of SHA-256
  sha text not null,
  author_name text not null,
  author_email text not null,
  -- seconds since 1970, may be negative
  authored_at integer not null,
  -- minutes east of UTC
  author_zone integer not null,
  committer_name text not null,
  committer_email text not null,
  -- seconds since 1970, may be negative
  committed_at integer not null,
  -- minutes east of UTC
  committer_zone integer not null,
  additions integer not null,
  deletions integer not null,
  -- the branch of a status that is posted without a ref: the default branch if that contains the commit, else the first
  -- in byte order that does, null: none. The requests that move refs keep it, see branch_queue
  branch text,
  -- seconds to add to committed_at, so that the sum is greater than that of every parent: 0 unless a clock was wrong or
  -- a parent has the same second. Walks through the history go by the sum
  lift integer not null default 0,
  quota_bytes integer as (
    100 + octet_length(message) + octet_length(author_name) + octet_length(author_email) + octet_length(committer_name)
      + octet_length(committer_email) + octet_length(parent_shas)
  ) virtual,
  -- the hash of the root tree, null: not known
  tree text,
  -- how many of its objects are stored or left out: 0 not all, 1 all of its tree, 2 those of its history, too
  contents integer not null default 0,
  -- JSON array of the hashes of the parents in order
  parent_shas text not null,
  message text not null
) strict;
create unique index commits_by_sha on commits (project_id, sha);
create index commits_with_contents on commits (project_id) where contents > 0;

create trigger commits_stored after insert on commits BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger commits_restored after update of
  message, author_name, author_email, committer_name, committer_email, parent_shas
on commits
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger commits_unstored after delete on commits BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- Edges of the history. Date and lift of the parent are repeated, so that a walk in the order of git reads this table
-- alone.
create table parents (
  child_id integer not null references commits (id),
  position integer not null,
  parent_id integer not null references commits (id),
  parent_committed_at integer not null,
  parent_lift integer not null default 0,
  primary key (child_id, position)
) strict, without rowid;
create index parents_of_parent on parents (parent_id);

-- The edges of parents come before those of their children, so that the lift of a parent is final when an edge to it
-- comes.
create trigger parents_lift_child after insert on parents
when (select p.committed_at + p.lift from commits p where p.id = new.parent_id)
  >= (select c.committed_at + c.lift from commits c where c.id = new.child_id) BEGIN
  update commits
  set lift = 1 - committed_at + (select p.committed_at + p.lift from commits p where p.id = new.parent_id)
  where id = new.child_id;
END;
create trigger parents_repeat_lift after insert on parents
when (select p.lift from commits p where p.id = new.parent_id) > 0 BEGIN
  update parents
  set parent_lift = (select p.lift from commits p where p.id = new.parent_id)
  where child_id = new.child_id and position = new.position;
END;

create table refs (
  project_id integer not null references projects (id),
  -- refs/heads/.. or refs/tags/..
  name text not null,
  -- annotated tags are peeled
  commit_id integer not null references commits (id),
  -- the committed_at of the commit, for lists in its order
  committed_at integer not null default 0,
  -- the hash of an annotated tag itself, which differs when a tag is recreated on the same commit, null: another ref
  tag_sha text,
  -- how many commits the ref reaches, as the mirror hook counted them: the total of its list of commits, null: not
  -- counted
  commits integer check (commits > 0),
  quota_bytes integer as (200 + 14 * octet_length(name) + coalesce(octet_length(message), 0)) virtual,
  -- the message of an annotated tag
  message text,
  primary key (project_id, name)
) strict, without rowid;
create index refs_of_commit on refs (commit_id, name);
-- branches or tags by date, one range for each kind
create index refs_by_date on refs (project_id, substr(name, 6, 1), committed_at, name);

create trigger refs_stored after insert on refs BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger refs_restored after update of message on refs
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger refs_unstored after delete on refs BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- What commits have done to issues: each does it once.
create table commit_references (
  id integer primary key,
  issue_id integer not null references issues (id),
  sha text not null check (octet_length(sha) <= 64),
  -- 1: closes the issue, 0: mentions it
  closes integer not null check (closes in (0, 1)),
  -- 1: came with the batch that is being stored
  fresh integer not null default 1 check (fresh in (0, 1)),
  quota_bytes integer as (150) virtual
) strict;
create unique index commit_references_of_issue on commit_references (issue_id, sha, closes);
create index commit_references_fresh on commit_references (fresh, issue_id, closes, id) where fresh = 1;

create trigger commit_references_stored after insert on commit_references BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = new.issue_id);
END;
create trigger commit_references_unstored after delete on commit_references BEGIN
  update storage
  set bytes = bytes - old.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;

-- The commit that a name in a request means: a hash, a tag, a branch, an abbreviated hash, or HEAD, by the rules of
-- git. Ask for one project and name = json_array(the name): json_each reads this column, so the view has one row for
-- the pair. The name null means the default branch. commit_id is null if the project has no such commit. branch: the
-- full name of a branch with this name.
create view commit_names as
select
  project_id, name, branch,
  coalesce(
    (select c.id from commits c where c.project_id = n.project_id and c.sha = lower(n.text)),
    (
      select r.commit_id
      from refs r
      where r.project_id = n.project_id
        and r.name = iif(substr(n.text, 1, 10) = 'refs/tags/', '', 'refs/tags/') || n.text
    ),
    (select r.commit_id from refs r where r.project_id = n.project_id and r.name = n.branch),
    (
      select iif(count(*) = 1, max(c.id), null)
      from (
        select c.id
        from commits c
        where c.project_id = n.project_id and c.sha >= n.abbreviation and c.sha < n.abbreviation || 'g'
        limit 2
      ) c
    )
  ) as commit_id
from (
  select
    p.id as project_id, j.json as name, j.value as text,
    iif(
      coalesce(j.value, 'HEAD') = 'HEAD', 'refs/heads/' || p.default_branch,
      iif(substr(j.value, 1, 11) = 'refs/heads/', '', 'refs/heads/') || j.value
    ) as branch,
    iif(length(j.value) between 4 and 63 and j.value not glob '*[^0-9a-fA-F]*', lower(j.value), null) as abbreviation
  from projects p
  cross join json_each j
) n;

-- Commits as one JSON value, for rows that hold more than a commit.
create view commit_documents as
select
  id, project_id, committed_at, lift,
  json_object(
    'sha', sha, 'author_name', author_name, 'author_email', author_email, 'authored_at', authored_at,
    'author_zone', author_zone, 'committer_name', committer_name, 'committer_email', committer_email,
    'committed_at', committed_at, 'committer_zone', committer_zone, 'message', message, 'additions', additions,
    'deletions', deletions, 'parent_shas', json(parent_shas)
  ) as document,
  octet_length(message) + octet_length(author_name) + octet_length(author_email) + octet_length(committer_name)
    + octet_length(committer_email) + octet_length(parent_shas) as bytes
from commits;

create view commit_lengths as
select id, bytes, 700 + octet_length(document) as answered
from commit_documents;

-- Branches and tags with their commits. release: that of a tag.
create view ref_rows as
select
  r.project_id, r.name, r.message as tag_message, r.tag_sha, c.branch,
  (select default_branch_protection from settings where id = 1) as protection,
  (
    select json_object('description', k.description)
    from releases k
    where k.project_id = r.project_id and substr(r.name, 1, 10) = 'refs/tags/' and k.tag = substr(r.name, 11)
  ) as release,
  c.sha, c.author_name, c.author_email, c.authored_at, c.author_zone, c.committer_name, c.committer_email,
  c.committed_at, c.committer_zone, c.message, c.additions, c.deletions, c.parent_shas
from refs r
cross join commits c on c.id = r.commit_id;

create view ref_lengths as
select
  r.project_id, r.name,
  l.bytes + coalesce(octet_length(r.message), 0)
    + coalesce(
      (
        select octet_length(k.description)
        from releases k
        where k.project_id = r.project_id and substr(r.name, 1, 10) = 'refs/tags/' and k.tag = substr(r.name, 11)
      ),
      0
    ) as bytes,
  l.answered + octet_length(json_quote(r.name)) + octet_length(json_quote(r.message))
    + coalesce(
      (
        select octet_length(json_quote(k.description))
        from releases k
        where k.project_id = r.project_id and substr(r.name, 1, 10) = 'refs/tags/' and k.tag = substr(r.name, 11)
      ),
      0
    ) as answered
from refs r
cross join commit_lengths l on l.id = r.commit_id;

-- Not used.
create view ref_bytes as
select r.project_id, r.name, octet_length(c.message) + coalesce(octet_length(r.message), 0) + 1000 as bytes
from refs r
cross join commits c on c.id = r.commit_id;
