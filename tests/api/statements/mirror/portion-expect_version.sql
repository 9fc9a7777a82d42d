-- Nobody moved refs or stored branches since version `?2`.
-- Binds: ?1 project_id, ?2 version
-- Rows in the small world: 0 given, 0 written

insert into expectations (holds)
select exists (
  select 1
  from mirrors
  where project_id = (select ?1) and version = (select ?2)
)

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH mirrors USING INTEGER PRIMARY KEY (rowid=?)
