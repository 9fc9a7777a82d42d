-- What a name in a request may be: a hash, a tag, a branch, an abbreviated hash, or HEAD, by the rules of git. A name is asked for
-- in one project, as name = json_array(the name): the column is what json_each reads, so the view has one row for each pair that
-- is asked for. commit_id is null where the project has no such commit. branch is the whole name that the branch would have. The
-- name null is the default branch.
create view commit_names as
select project_id, name, branch, coalesce(
  (select c.id from commits c where c.project_id = n.project_id and c.sha = lower(n.text)),
  (select r.commit_id from refs r where r.project_id = n.project_id and r.name = iif(substr(n.text, 1, 10) = 'refs/tags/', '', 'refs/tags/') || n.text),
  (select r.commit_id from refs r where r.project_id = n.project_id and r.name = n.branch),
  (select iif(count(*) = 1, max(c.id), null) from (select c.id from commits c where c.project_id = n.project_id
    and c.sha >= n.abbreviation and c.sha < n.abbreviation || 'g' limit 2) c)) as commit_id
from (
  select p.id as project_id, j.json as name, j.value as text,
    iif(coalesce(j.value, 'HEAD') = 'HEAD', 'refs/heads/' || p.default_branch,
      iif(substr(j.value, 1, 11) = 'refs/heads/', '', 'refs/heads/') || j.value) as branch,
    iif(length(j.value) between 4 and 63 and j.value not glob '*[^0-9a-fA-F]*', lower(j.value), null) as abbreviation
  from projects p cross join json_each j
) n;

-- Branches and tags with the commits that they point at.
create view ref_rows as
select r.project_id, r.name, r.message as tag_message, r.tag_sha, c.branch, (select default_branch_protection from settings where id = 1) as protection,
  c.sha, c.author_name, c.author_email, c.authored_at, c.author_zone, c.committer_name, c.committer_email, c.committed_at, c.committer_zone,
  c.message, c.additions, c.deletions, c.parent_shas
from refs r cross join commits c on c.id = r.commit_id;

-- About how long a row of these is.
create view ref_bytes as
select r.project_id, r.name, octet_length(c.message) + coalesce(octet_length(r.message), 0) + 1000 as bytes
from refs r cross join commits c on c.id = r.commit_id;

-- Comments on commits with their authors.
create view comment_rows as
select k.id, k.project_id, k.commit_id, k.note, k.path, k.line, k.line_type, k.created_at,
  json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email) as author,
  u.created_at as author_created_at
from commit_comments k cross join users u on u.id = k.author_id;

-- Commits as one JSON value, for rows that hold more than a commit.
create view commit_documents as
select id, project_id, committed_at, lift, json_object('sha', sha, 'author_name', author_name, 'author_email', author_email,
  'authored_at', authored_at, 'author_zone', author_zone, 'committer_name', committer_name, 'committer_email', committer_email,
  'committed_at', committed_at, 'committer_zone', committer_zone, 'message', message, 'additions', additions, 'deletions', deletions,
  'parent_shas', json(parent_shas)) as document
from commits;

-- The changes of refs that are being made.
create view staged_changes as
select s.project_id, s.portion, x.value ->> 'name' as name, x.value ->> 'old' as old, x.value ->> 'new' as new,
  x.value ->> 'tag_sha' as tag_sha, x.value ->> 'message' as message, x.value ->> 'commits' as commits
from staged_swaps s cross join json_each(s.changes) x;

-- Of the deleted projects whose remains are being removed the one that is next, and the next of its issues and commits.
create view ending_project as select min(project_id) as project_id from project_remains;
create view ending_issues as
select id from issues where project_id = (select project_id from ending_project) order by iid limit 5;
create view ending_commits as
select id from commits where project_id = (select project_id from ending_project) order by sha limit 20;
