-- The unfinished status `?1` becomes the user's `?2` who moves it on, unless they have one of the same key.
-- Binds: ?1 status_id, ?2 job.key.user_id
-- Rows in the small world: 0 given, 0 written

update statuses as s
set user_id = ?2
where s.id = (select ?1) and s.user_id <> (select ?2) and s.state in ('pending', 'running')
  and not exists (
  select 1
  from statuses o
  where o.commit_id = s.commit_id and o.ref = s.ref and o.name = s.name
    and o.user_id = (select ?2) and o.state in ('pending', 'running')
)

-- Plan:
-- SEARCH s USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH o USING INDEX statuses_open (commit_id=? AND ref=? AND name=? AND user_id=?)
