-- What the newest of a name has taken the place of, and no deployment has.
-- Binds: ?1 before
-- Rows in the small world: 0 given, 0 written

delete from statuses
where id in (
  select s.id
  from sweeps w
  cross join statuses s
  on s.id > w.after and s.id <= w.upto
  where w.what = 'statuses' and s.created_at < (select ?1) and not exists (
    select 1
    from status_heads h
    where h.commit_id = s.commit_id and h.ref = s.ref and h.name = s.name
      and h.status_id = s.id
  ) and not exists (
    select 1
    from deployments d
    where d.status_id = s.id
  )
)

-- Plan:
-- SEARCH statuses USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH w USING PRIMARY KEY (what=?)
--   SEARCH s USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH h USING PRIMARY KEY (commit_id=? AND ref=? AND name=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH d USING COVERING INDEX deployments_of_status (status_id=?)
-- SEARCH deployments USING COVERING INDEX deployments_of_status (status_id=?)
