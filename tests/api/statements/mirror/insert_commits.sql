-- mirror: insert commits
-- Binds: ?1 project_id, ?2 list
-- Rows in the small world: 0 given, 3 written

insert into commits (project_id, sha, author_name, author_email, authored_at, author_zone, committer_name, committer_email,
  committed_at, committer_zone, message, additions, deletions, parent_shas)
select ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
  value ->> 8, value ->> 9, value ->> 10, value ->> 11, value -> 12
from json_each(?2)
where true
on conflict (project_id, sha) do update set author_name = excluded.author_name, author_email = excluded.author_email,
  committer_name = excluded.committer_name, committer_email = excluded.committer_email, message = excluded.message,
  additions = excluded.additions, deletions = excluded.deletions
where exists (
  select 1
  from forgotten_commits f
  where f.commit_id = commits.id
)

-- Plan:
-- SCAN json_each VIRTUAL TABLE INDEX 1:
-- CORRELATED SCALAR SUBQUERY
--   SEARCH f USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH status_heads USING PRIMARY KEY (commit_id=?)
-- SEARCH status_counts USING PRIMARY KEY (commit_id=?)
-- SEARCH statuses USING COVERING INDEX statuses_of_name (commit_id=?)
-- SEARCH commit_comments USING COVERING INDEX commit_comments_of_commit (commit_id=?)
-- SEARCH diffs USING PRIMARY KEY (commit_id=?)
-- SEARCH branch_queue USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH forgotten_commits USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH refs USING INDEX refs_of_commit (commit_id=?)
-- SEARCH parents USING INDEX parents_of_parent (parent_id=?)
-- SEARCH parents USING PRIMARY KEY (child_id=?)
