-- Feeds of a project.

-- piece: newest_by(column)
select *
from (select y.id
  from issues y
  where y.{column} = s.user_id and y.project_id = s.project_id and y.section = k.value
  order by y.created_at desc, y.id desc
  limit 20)

-- name: issues
-- scope: project
-- returns: IssueRow*
-- The newest 20 issues that the caller sees. seen: the newest 20 of each section that the caller sees, so the cost does
-- not depend on hidden issues.
with seen as (
  select x.id
  from scope s
  cross join json_each(iif(s.reads_confidential, '[0, 1, 2, 3]', '[0, 1]')) k
  cross join issues x on x.id in (
    select y.id
    from issues y
    where y.project_id = s.project_id and y.section = k.value
    order by y.created_at desc, y.id desc
    limit 20)
  where s.issues_enabled
  union
  select x.id
  from scope s
  cross join json_each('[2, 3]') k
  cross join issues x on x.id in ({newest_by(author_id)} union {newest_by(assignee_id)})
  where s.issues_enabled and not s.reads_confidential
), newest as materialized (
  select i.id
  from seen
  cross join issues i indexed by issues_narrow on i.id = seen.id
  order by i.created_at desc, i.id desc
  limit 20
)
select i.iid, i.title, substr(i.description, 1, 8192) as description, u.name as author, i.created_at, i.updated_at
from newest n
cross join issues i on i.id = n.id
cross join users u on u.id = i.author_id
order by i.created_at desc, i.id desc;
