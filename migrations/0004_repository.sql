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
  -- seconds since 1970, may be negative
  committed_at integer not null,
  -- minutes east of UTC
  committer_zone integer not null,
  message text not null,
  additions integer not null,
  deletions integer not null,
  -- JSON array of the hashes of the parents in order
  parent_shas text not null,
  -- the branch of a status that is posted without a ref: the default branch if that contains the commit, else the first in byte
  -- order that does, null: none. The requests that move refs keep it, see branch_queue
  branch text,
  -- seconds to add to committed_at, so that the sum is greater than that of every parent: 0 unless a clock was wrong or a parent
  -- has the same second. Walks through the history go by the sum
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

-- The edges of parents come before those of their children, so that the lift of a parent is final when an edge to it comes.
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
  -- the committed_at of the commit, for lists in its order
  committed_at integer not null default 0,
  -- the message of an annotated tag
  message text,
  -- the hash of an annotated tag itself, which differs when a tag is made anew on the same commit, null: another ref
  tag_sha text,
  -- how many commits the ref reaches, as the mirror hook counted them: the total of its list of commits, null: not counted
  commits integer check (commits > 0),
  primary key (project_id, name)
) strict, without rowid;
create index refs_of_commit on refs (commit_id, name);
-- branches or tags by date, one range for each kind
create index refs_by_date on refs (project_id, substr(name, 6, 1), committed_at, name);

-- How many commits belong to each branch: the total of the commits of the default branch. The batches that store the branches of
-- commits keep it.
create table branch_counts (
  project_id integer not null references projects (id),
  branch text not null,
  commits integer not null,
  primary key (project_id, branch)
) strict, without rowid;

-- The state of the index. The requests that change it agree by this row.
create table mirrors (
  project_id integer primary key references projects (id),
  -- grows with every change of refs and every portion of branches, so that nothing is stored that was read before another change
  version integer not null,
  -- commits whose hash is greater are still to be checked for another branch, null: none
  scan_after text,
  -- commits with greater ids came with the batch that is being stored
  before_batch integer not null default 0,
  -- bytes of the commits and diffs of the project
  bytes integer not null default 0
) strict;

-- Bytes of the commits and diffs of all projects.
create table stored (
  -- there is one row
  id integer primary key check (id = 1),
  bytes integer not null
) strict;
insert into stored (id, bytes) values (1, 0);
create trigger mirrors_add_up after update of bytes on mirrors when new.bytes <> old.bytes BEGIN
  update stored set bytes = bytes + new.bytes - old.bytes where id = 1;
END;

-- Commits whose branch is to be judged anew. While there are any, they and what they reach keep the branch of before.
create table branch_queue (
  commit_id integer primary key references commits (id),
  project_id integer not null references projects (id),
  -- that of the commit
  committed_at integer not null
) strict;
create index branch_queue_in_order on branch_queue (project_id, committed_at);

-- When the default branch changes, every commit may belong to another branch.
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
  -- the name that the hook gave to these changes
  sync text not null,
  -- JSON array
  changes text not null,
  primary key (project_id, portion)
) strict, without rowid;

-- The diff of a commit: the JSON text of the answer, cut into parts of at most 1,000,000 characters. A long diff may lie in an object
-- store, if the deployment has one. Then it has one row, whose text is a JSON array of the changed files with only their paths, for
-- lists of commits by path.
create table diffs (
  commit_id integer not null references commits (id),
  part integer not null,
  text text not null,
  -- the random end of the key of the object, which is STORE/PROJECT/SHA-OBJECT, null: the text is the diff itself
  object text,
  -- length of the diff in the object store, unpacked
  bytes integer,
  -- SHA-256 of the diff in the object store, in base64url: its entity tag
  digest text,
  primary key (commit_id, part)
) strict, without rowid;

-- Commits whose diff an owner removed. The next sync sends them anew.
create table forgotten_commits (
  commit_id integer primary key references commits (id),
  project_id integer not null references projects (id)
) strict;
create index forgotten_commits_of_project on forgotten_commits (project_id);

create table commit_comments (
  id integer primary key,
  project_id integer not null references projects (id),
  commit_id integer not null references commits (id),
  author_id integer not null references users (id),
  note text not null,
  -- the place in the diff of the commit, all null: the comment is on the whole commit
  path text,
  line integer,
  line_type text check (line_type in ('new', 'old')),
  created_at integer not null
) strict;
create index commit_comments_of_commit on commit_comments (commit_id, id);
