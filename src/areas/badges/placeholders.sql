-- The values of placeholders in the addresses of badges.

-- name: facts
-- scope: project
-- returns: Facts
-- Commit and tag are null unless the caller has the access :member or the project the visibility :anyone, and the token
-- one of :scopes. The latest tag is one of the last hundred names.
select p.name as title, p.path,
  iif(s.reads,
    (select c.sha
      from refs r
      cross join commits c on c.id = r.commit_id
      where r.project_id = s.project_id and r.name = 'refs/heads/' || p.default_branch), null) as sha,
  iif(s.reads,
    (select substr(t.name, 11)
      from (
        select r.name, r.commit_id
        from refs r
        where r.project_id = s.project_id and r.name >= 'refs/tags/' and r.name < 'refs/tags0'
        order by r.name desc
        limit 100) t
      cross join commits c on c.id = t.commit_id
      order by c.committed_at desc, t.name desc
      limit 1), null) as tag
from (select *, (access >= :member or visibility >= :anyone) and scopes & :scopes as reads from scope) s
cross join projects p on p.id = s.project_id;
