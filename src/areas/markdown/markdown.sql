-- name: targets
-- scope: project
-- returns: TargetRow
-- iids: those of :iids that the caller sees. names: those of :names, in lower case, that are users. hashes: those of
-- :hashes that are the beginning of exactly one commit's hash, with that hash. No hashes unless the caller may read
-- commits: with the access :member, or in a project of the visibility :anyone, and by a token of :scopes. All are JSON
-- lists.
select (select json_group_array(i.iid)
  from json_each(:iids) n
  cross join issues i on i.project_id = s.project_id and i.iid = n.value and i.deleted_at is null
  where s.issues_enabled and {sees_issue(i)}) as iids,
  (select json_group_array(n.value)
    from json_each(:names) n
    cross join namespaces p on p.path_key = n.value
    cross join users u on u.id = p.id and u.deleted_at is null) as names,
  (select json_group_array(json_array(f.value, f.sha))
    from (
      select n.value,
        (select iif(count(*) = 1, max(c.sha), null)
          from (select c.sha
            from commits c
            where c.project_id = s.project_id and c.sha >= n.value and c.sha < n.value || 'g'
            limit 2) c) as sha
      from json_each(:hashes) n
      where (s.access >= :member or s.visibility >= :anyone) and s.scopes & :scopes) f
    where f.sha is not null) as hashes
from scope s;
