-- From then on no read shows it, and another one may have its title.
-- Binds: ?1 id
-- Rows in the small world: 0 given, 1 written

update milestones
set iid = -iid, title = printf('%0300d', id)
where id = (select ?1) and iid > 0

-- Plan:
-- SEARCH milestones USING INTEGER PRIMARY KEY (rowid=?)
