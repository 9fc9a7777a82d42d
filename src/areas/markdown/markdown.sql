-- name: targets
-- scope: project
-- returns: TargetRow
-- Of the issues :iids those that the caller sees, of the usernames :names in lower case those that there are, and of
-- :hashes, or their beginnings, those of one commit with its hash, if the caller may read commits: as a member with the
-- access :member, or in a project of the visibility :anyone, with a token of :scopes. All are JSON lists.
select (select json_group_array(i.iid)
  from json_each(:iids) n
  cross join issues i on i.project_id = s.project_id and i.iid = n.value and i.deleted_at is null
  where s.issues_enabled and :sees_issue(i)) as iids,
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
from scope s
