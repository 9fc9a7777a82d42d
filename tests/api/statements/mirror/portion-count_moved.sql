-- Counts the commits that [`STORE`] is going to move, for the branches that they leave and come to.
-- Binds: ?1 project_id, ?2 moved.as_str()
-- Rows in the small world: 0 given, 1 written

insert into branch_counts (project_id, branch, commits)
select ?1, branch, sum(more)
from (
  select case when moved.value ->> 1 = '' then p.default_branch else moved.value ->> 1 end as branch, 1 as more
  from projects p
  cross join json_each(?2) moved
  where p.id = (select ?1)
  union all
  select c.branch, -1
  from json_each(?2) moved
  cross join commits c
  on c.id = moved.value ->> 0
)
where branch is not null
group by branch
on conflict (project_id, branch) do update set commits = commits + excluded.commits

-- Plan:
-- CO-ROUTINE (subquery)
--   COMPOUND QUERY
--     LEFT-MOST SUBQUERY
--       SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--       SCAN moved VIRTUAL TABLE INDEX 1:
--     UNION ALL
--       SCAN moved VIRTUAL TABLE INDEX 1:
--       SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
-- SCAN (subquery)
-- USE TEMP B-TREE FOR GROUP BY
