-- What administrators did: a row for each of their writes at a route that is for administrators alone, and for each
-- change of tokens of other people. The batch of the write has the statement that adds the row, so there is neither
-- without the other. No quota counts them: an administrator has to block a user on a full server, too. Retention
-- removes them after a year.
create table audit_events (
  id integer primary key autoincrement,
  -- the owner of the token, also with SUDO
  author_id integer not null,
  entity_type text not null check (entity_type in ('User', 'Project', 'SystemHook', 'ApplicationSetting')),
  -- null: the settings, which are one record
  entity_id integer,
  -- the verb and path of the route, with names in place of ids
  event_name text not null check (octet_length(event_name) <= 100),
  -- the path of the request, cut at its limit, without the query
  path text not null check (octet_length(path) <= 200),
  -- of the request: a batch that runs again adds no second row
  request text not null check (octet_length(request) = 16),
  created_at integer not null
) strict;
create index audit_events_by_creation on audit_events (created_at);
