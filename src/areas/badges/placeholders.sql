-- What placeholders in the addresses of badges stand for.

-- name: facts
-- scope: project
-- returns: Facts
-- The commit and the tag are for callers with the access :member or where the project has the visibility
-- :anyone, by a token with one of :scopes. The latest tag is of the hundred last names.
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
cross join projects p on p.id = s.project_id
