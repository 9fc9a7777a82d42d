-- Puts issues into the index of words (indexing.rs).

-- name: next
-- The next issues to index, up to :most changed ones and :most that were there before the index. `key` and the texts
-- are null if the issue is deleted; `change` is null if it was there before. `below`: as in issue_index.
with next (project_id, class, issue_id, change, below) as (
  select *
  from (select project_id, class, issue_id, change, 0 from unindexed_issues limit :most)
  union all
  select *
  from (select i.project_id, i.section / 2, i.id, null, x.below
    from issue_index x
    cross join issues i on i.id < x.below
    where x.id = 1
    order by i.id desc
    limit :most)
)
select n.project_id, n.class, n.issue_id, cast(n.change as text) as change, n.below,
  iif(i.id is null, null, {word_key(i.project_id, i.section > 1)}) as key, t.title, t.description
from next n
left join issues i indexed by issues_narrow on i.id = n.issue_id and i.section < 4
left join issue_texts t on t.id = i.id;

-- name: put
-- rows: JSON [[id, title, description, project id, class, change], ..], the texts as tokens. Leaves out what another
-- run has indexed meanwhile: an issue without its change, and with a null change those from the id :below on.
insert or replace into issue_words (rowid, title, description)
select value ->> 0, value ->> 1, value ->> 2
from json_each(:rows)
where iif(value ->> 5 is null, (select below from issue_index) = :below, exists (select 1
  from unindexed_issues
  where project_id = value ->> 3 and class = value ->> 4 and issue_id = value ->> 0
    and change = cast(value ->> 5 as integer)));

-- name: take
-- ids: JSON.
delete from issue_words where rowid in (select value from json_each(:ids));

-- name: settle
-- rows: JSON [[project id, class, issue id, change], ..]. A later change stays.
delete from unindexed_issues
where (project_id, class, issue_id, change) in (
  select value ->> 0, value ->> 1, value ->> 2, cast(value ->> 3 as integer)
  from json_each(:rows));

-- name: advance
-- All issues from the id :to on are indexed. Nothing changes if :from is 0.
update issue_index set below = :to where below = :from;
