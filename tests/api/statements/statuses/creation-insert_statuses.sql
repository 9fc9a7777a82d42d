-- statuses: creation insert statuses
-- Binds: ?7 sha.0, ?8 sha.1, ?9 git_ref.as_deref(), ?10 name, ?11 state, ?12 self.repeat_is_refused
-- Rows in the small world: 1 given, 3 written

-- call/write_head.sql
true )
insert into statuses (id, project_id, commit_id, ref, name, user_id, state, target_url, description, coverage, created_at,
  stage, tag, started_at, finished_at, skipped)
select o.id, t.project_id, t.commit_id, t.ref, t.name, t.user_id, coalesce(?11, 'pending'), ?13, ?14, ?15, ?4, coalesce(?16,
  'external'), coalesce(?17, 0), case when ?11 = 'running' then ?4 end, case when ?11 in ('success', 'failed', 'canceled') then ?4 end,
  ?18
from (
  select s.project_id, c.id as commit_id, coalesce(?9, (
    select substr(r.name, 12)
    from refs r
    where r.project_id = s.project_id and r.commit_id = c.id and r.name = case when ?7 = 'HEAD' then (
      select 'refs/heads/' || h.default_branch
      from projects h
      where h.id = s.project_id
    ) when substr(?7, 1, 11) = 'refs/heads/' then ?7 else 'refs/heads/' || ?7 end
  ), c.branch, '') as ref, ?10 as name, s.user_id
  from scope s
  cross join commits c
  on c.id = coalesce( (
    select k.id
    from commits k
    where k.project_id = s.project_id and k.sha = lower(?7)
  ), (
    select r.commit_id
    from refs r
    where r.project_id = s.project_id and r.name = case when substr(?7, 1, 10) = 'refs/tags/' then ?7 else 'refs/tags/' || ?7 end
  ), (
    select r.commit_id
    from refs r
    where r.project_id = s.project_id and r.name = case when ?7 = 'HEAD' then (
      select 'refs/heads/' || h.default_branch
      from projects h
      where h.id = s.project_id
    ) when substr(?7, 1, 11) = 'refs/heads/' then ?7 else 'refs/heads/' || ?7 end
  ), case when ?8 is not null then (
    select case when count(*) = 1 then max(id) end
    from (
      select k.id
      from commits k
      where k.project_id = s.project_id and k.sha >= (select ?8)
        and k.sha < (select ?8) || 'g'
      limit 2
    )
  ) end)
) t
left join statuses o
on o.commit_id = t.commit_id and o.ref = t.ref and o.name = t.name
  and o.user_id = t.user_id and o.state in ('pending', 'running')
where (o.id is null or not (o.state = 'running' and ?11 is 'pending') and not (?12 and o.state is (select ?11)))
on conflict (id) do update set state = coalesce(?11, state), target_url = coalesce(?13, target_url), description = coalesce(?14,
  description), coverage = coalesce(?15, coverage), stage = coalesce(?16, stage), tag = coalesce(?17, tag), started_at = case when ?11 = 'running' then coalesce(started_at,
  ?4) else started_at end, finished_at = case when ?11 in ('success', 'failed', 'canceled') then ?4 end, skipped = ?18
returning json_object('status', json(json_array(id, ref, state, name, target_url, description, coverage, skipped,
  created_at, started_at, finished_at)), 'sha', (
  select c.sha
  from commits c
  where c.id = commit_id
), 'author', json((
  select json_array(u.id, u.username, u.name, u.state, u.email)
  from users u
  where u.id = user_id
))) as v

-- Plan:
-- SCAN s
-- SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH k USING COVERING INDEX commits_by_sha (project_id=? AND sha=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH h USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   CO-ROUTINE (subquery)
--     SEARCH k USING COVERING INDEX commits_by_sha (project_id=? AND sha>? AND sha<?)
--   SCAN (subquery)
-- SEARCH o USING INDEX statuses_open (commit_id=? AND ref=? AND name=? AND user_id=?) LEFT-JOIN
-- CORRELATED SCALAR SUBQUERY
--   SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH h USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH h USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH deployments USING COVERING INDEX deployments_of_status (status_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
