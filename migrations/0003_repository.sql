-- The index of the repository mirror of a project.

create table commits (
  id integer primary key,
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
  committed_at integer not null,
  committer_zone integer not null,
  message text not null,
  additions integer not null,
  deletions integer not null,
  -- JSON array of the hashes of the parents in order
  parent_shas text not null,
  -- the branch a status without a ref belongs to: the default branch if that contains the commit, else the first in
  -- byte order that does, null: none. Kept by the requests that move refs, see branch_queue
  branch text,
  -- seconds to add to committed_at, so that the sum is greater than that of every parent: 0 unless a clock was wrong or a
  -- parent is of the same second. Lists of commits tell by the sum what cannot come again
  lift integer not null default 0
) strict;
create unique index commits_by_sha on commits (project_id, sha);

-- Edges of the history. Date and lift of the parent are repeated, so that a walk in the order of git reads this table alone.
create table parents (
  child_id integer not null references commits (id),
  position integer not null,
  parent_id integer not null references commits (id),
  parent_committed_at integer not null,
  parent_lift integer not null default 0,
  primary key (child_id, position)
) strict, without rowid;
create index parents_of_parent on parents (parent_id);

-- Edges come parents first, so that the lift of a parent is final when the edge to it comes.
create trigger parents_lift_child after insert on parents
when (select p.committed_at + p.lift from commits p where p.id = new.parent_id)
  >= (select c.committed_at + c.lift from commits c where c.id = new.child_id) BEGIN
  update commits set lift = 1 - committed_at + (select p.committed_at + p.lift from commits p where p.id = new.parent_id)
  where id = new.child_id;
END;
create trigger parents_repeat_lift after insert on parents
when (select p.lift from commits p where p.id = new.parent_id) > 0 BEGIN
  update parents set parent_lift = (select p.lift from commits p where p.id = new.parent_id)
  where child_id = new.child_id and position = new.position;
END;

create table refs (
  project_id integer not null references projects (id),
  -- refs/heads/.. or refs/tags/..
  name text not null,
  -- annotated tags are peeled
  commit_id integer not null references commits (id),
  -- the message of an annotated tag
  message text,
  -- the hash of an annotated tag itself, which tells a tag that is made anew on the same commit, null: another ref
  tag_sha text,
  primary key (project_id, name)
) strict, without rowid;
create index refs_of_commit on refs (commit_id, name);

-- What the requests that keep the index agree by.
create table mirrors (
  project_id integer primary key references projects (id),
  -- grows with every swap of refs and every portion of branches, so that what was read before is not stored after
  version integer not null,
  -- commits whose hash is greater are still to be looked at for another branch, null: none
  scan_after text,
  -- commits with greater ids came with the batch that is being stored
  before_batch integer not null default 0
) strict;

-- Commits whose diff an owner took away. The next sync sends them anew.
create table forgotten_commits (
  commit_id integer primary key references commits (id),
  project_id integer not null references projects (id)
) strict;
create index forgotten_commits_of_project on forgotten_commits (project_id);

-- Commits whose branch is to be judged anew. While there are any, they and what they reach have the branch of before.
create table branch_queue (
  commit_id integer primary key references commits (id),
  project_id integer not null references projects (id),
  -- that of the commit
  committed_at integer not null
) strict;
create index branch_queue_in_order on branch_queue (project_id, committed_at);

-- Another default branch: every commit may belong elsewhere.
create trigger projects_default_branch after update of default_branch on projects
when old.default_branch is not new.default_branch and exists (select 1 from refs r where r.project_id = new.id) BEGIN
  insert into mirrors (project_id, version, scan_after) values (new.id, 1, '')
  on conflict (project_id) do update set version = version + 1, scan_after = '';
  insert into branch_queue (commit_id, project_id, committed_at)
  select c.id, new.id, c.committed_at from refs r join commits c on c.id = r.commit_id
  where r.project_id = new.id and r.name = 'refs/heads/' || new.default_branch on conflict do nothing;
END;

-- Changes of refs that are too many for one request, until the last portion of them comes.
create table staged_swaps (
  project_id integer not null references projects (id),
  -- 0, 1, ..
  portion integer not null,
  -- a name that the hook made up
  sync text not null,
  -- JSON array
  changes text not null,
  primary key (project_id, portion)
) strict, without rowid;

-- The diff of a commit: the finished JSON text of the answer, cut into parts of at most 1,000,000 characters.
create table diffs (
  commit_id integer not null references commits (id),
  part integer not null,
  text text not null,
  primary key (commit_id, part)
) strict, without rowid;

create table commit_comments (
  id integer primary key,
  project_id integer not null references projects (id),
  commit_id integer not null references commits (id),
  author_id integer not null references users (id),
  note text not null,
  -- where in the diff of the commit, all null: on the commit as a whole
  path text,
  line integer,
  line_type text check (line_type in ('new', 'old')),
  created_at integer not null
) strict;
create index commit_comments_of_commit on commit_comments (commit_id, id);
