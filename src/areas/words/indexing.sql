-- Puts texts into the indexes of words (indexing.rs). The statements are those of one kind of records, a [`Kind`]:
-- `{records}` is their table, `{queue}` that of those that are not indexed yet, `{words}` the index, and `{progress}`
-- how far it is with what was there before.

-- piece: issue
-- What is indexed of the issue n.id: a key, and its texts. No row if it is deleted.
(select json_array({word_key(i.project_id, i.section > 1)}, t.title, t.description)
  from issues i indexed by issues_narrow
  cross join issue_texts t on t.id = i.id
  where i.id = n.id and i.section < 4)

-- piece: note
(select json_array({word_key(i.project_id, i.confidential)}, {searched(t.body)})
  from notes t
  cross join issues i on i.id = t.issue_id
  where t.id = n.id and not t.system)

-- piece: commit
(select json_array({word_key(t.project_id, 0)}, {searched(t.message)})
  from commits t
  where t.id = n.id)

-- piece: next
-- The next records to index, up to :most changed ones and :most that were there before the index. `change` is null if
-- it was there before. `below`: as in `{progress}`. `texts`: null if the record is deleted.
select n.project_id, n.class, n.id, cast(n.change as text) as change, n.below, {record} as texts
from (select *
  from (select project_id, class, {id} as id, change, 0 as below from {queue} limit (select :most))
  union all
  select *
  from (select 0, 0, r.id, null, x.below
    from {progress} x
    cross join {records} r on r.id < x.below
    where x.id = 1
    order by r.id desc
    limit (select :most))) n

-- piece: put
-- rows: JSON [[id, tokens of the first text, of the second, project id, class, change], ..]. Leaves out what another
-- run has indexed meanwhile: a record without its change, and with a null change those from the id :below on.
insert or replace into {words} (rowid, {columns})
select value ->> 0, {tokens}
from json_each(:rows)
where iif(value ->> 5 is null, (select below from {progress}) = :below, exists (select 1
  from {queue}
  where project_id = value ->> 3 and class = value ->> 4 and {id} = value ->> 0
    and change = cast(value ->> 5 as integer)))

-- piece: take
-- ids: JSON.
delete from {words} where rowid in (select value from json_each(:ids))

-- piece: settle
-- rows: JSON [[project id, class, id, change], ..]. A later change stays.
delete from {queue}
where (project_id, class, {id}, change) in (
  select value ->> 0, value ->> 1, value ->> 2, cast(value ->> 3 as integer)
  from json_each(:rows))

-- piece: advance
-- All records from the id :to on are indexed. Nothing changes if :from is 0.
update {progress} set below = :to where below = :from

-- piece: merge_two
-- From now on two segments of a level are merged already, in place of four. It is set each time, because a restored
-- database does not have it.
insert into {words} ({words}, rank)
values ('usermerge', 2)

-- piece: merge
-- Merges segments of the index, up to 500 pages of 4 kB. A search looks into each segment, for each word and project.
-- Behind each of 300 transactions of 100 issues there were 4.7 in the mean, and 14 without this.
insert into {words} ({words}, rank)
values ('merge', 500)
