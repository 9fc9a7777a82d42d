-- Blocks or unblocks, but nobody whom the directory blocked.
-- Binds: ?1 user_id, ?2 state
-- Rows in the small world: 0 given, 1 written

update users
set state = ?2
where id = (select ?1) and state <> 'ldap_blocked'

-- Plan:
-- SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
