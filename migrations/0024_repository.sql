-- What a name in a request may be: a hash, a tag, a branch, an abbreviated hash, or HEAD, by the rules of git. A name is asked for
-- in one project, as name = json_array(the name): the column is what json_each reads, so the view has one row for each pair that
-- is asked for. commit_id is null where the project has no such commit. branch is the whole name that the branch would have.
create view commit_names as
select project_id, name, branch, coalesce(
  (select c.id from commits c where c.project_id = n.project_id and c.sha = lower(n.text)),
  (select r.commit_id from refs r where r.project_id = n.project_id and r.name = iif(substr(n.text, 1, 10) = 'refs/tags/', '', 'refs/tags/') || n.text),
  (select r.commit_id from refs r where r.project_id = n.project_id and r.name = n.branch),
  (select iif(count(*) = 1, max(c.id), null) from (select c.id from commits c where c.project_id = n.project_id
    and c.sha >= n.abbreviation and c.sha < n.abbreviation || 'g' limit 2) c)) as commit_id
from (
  select p.id as project_id, j.json as name, j.value as text,
    iif(j.value = 'HEAD', 'refs/heads/' || p.default_branch, iif(substr(j.value, 1, 11) = 'refs/heads/', '', 'refs/heads/') || j.value) as branch,
    iif(length(j.value) between 4 and 63 and j.value not glob '*[^0-9a-fA-F]*', lower(j.value), null) as abbreviation
  from projects p cross join json_each j
) n;
