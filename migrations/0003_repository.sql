-- The index of the repository mirror of a project.

create table commits (
  id integer primary key,
  project_id integer not null references projects (id),
  -- 40 hexadecimal digits
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
  -- byte order that does, null: none. Kept by the batch that moves refs
  branch text
) strict;
create unique index commits_by_sha on commits (project_id, sha);
create index commits_of_branch on commits (project_id, branch) where branch is not null;

-- Edges of the history. The date of the parent is repeated, so that a walk in the order of git reads this table alone.
create table parents (
  child_id integer not null references commits (id),
  position integer not null,
  parent_id integer not null references commits (id),
  parent_committed_at integer not null,
  primary key (child_id, position)
) strict, without rowid;

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
