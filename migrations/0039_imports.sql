-- What imports brought (behaviour 20).

-- The records that imports brought, so that none comes twice. No quota counts a row: it has less than the record that
-- it belongs to, which is counted.
create table imported (
  project_id integer not null references projects (id),
  -- 16 hexadecimal digits of SHA-256 over the source, the kind and what identifies the record there
  key text not null check (octet_length(key) = 16),
  -- 1 label, 2 milestone, 3 issue, 4 comment, 5 event, 6 emoji, 7 link, 8 release, 9 environment, 10 deployment,
  -- 11 status, 12 comment on a commit
  kind integer not null check (kind between 1 and 12),
  record_id integer not null,
  -- of the record as it was sent
  digest text not null check (octet_length(digest) = 16),
  -- the time of update that the import gave, null: the record is never changed again but for its people
  stamp integer,
  primary key (project_id, key)
) strict, without rowid;
-- whether an issue came by an import
create index imported_issues on imported (record_id) where kind = 3;

-- The records of the request that a batch belongs to, as a JSON list for each kind, with what becomes of each. The
-- table is empty outside of batches.
create table staged_records (
  kind integer primary key check (kind between 1 and 12),
  records text not null check (octet_length(records) <= 1990000)
) strict;

-- Each of them. verdict: 0 it is new, 1 it has changed, 2 it is the same, 3 what is here stays, 4 it is refused.
create view staged as
select
  g.kind, x.value as record, x.value ->> 'place' as place, x.value ->> 'id' as id, x.value ->> 'verdict' as verdict
from staged_records g
cross join json_each(g.records) x;
