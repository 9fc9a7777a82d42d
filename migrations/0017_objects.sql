-- Long diffs may lie in an object store, if the deployment has one.

-- Of such a diff there is one row, and its text is a JSON array of the changed files with nothing but their paths, for who
-- looks for commits by path. The object is called STORE/PROJECT/SHA-OBJECT, by the id of the project
alter table diffs add column object text;
-- of the diff, unpacked
alter table diffs add column bytes integer;
-- SHA-256 in base64url, of which its entity tag is made
alter table diffs add column digest text;

-- where the sweep of the object store stands
create table object_sweeps (
  -- there is one row
  id integer primary key check (id = 1),
  -- with which the keys of this database begin: what another one put into the same bucket is not of its business
  store text not null,
  -- the key up to which objects were looked at
  after text not null default '',
  -- the id of the commit up to which diffs were moved into the store
  moved integer not null default 0
) strict;
insert into object_sweeps (id, store) values (1, lower(hex(randomblob(8))));
