-- Pieces that every `.sql` file may use, and how statements with a scope begin (ARCHITECTURE.md, Authorization).

-- piece: scope_of_place
scope as materialized (
  select *, ?2 as now, access >= ?7 as reads_confidential
  from place
  where (access >= ?4 or visibility >= ?5) and scopes & ?6 and (access > 0 or token_project_id is null)
)

-- piece: project_scope
-- ?1 key of the caller, ?2 now, ?3 id or path of the project, ?4 least access, ?5 least visibility, ?6 allowed scopes
-- of tokens, ?7 least access to confidential issues, ?8 1 if only a project that is not archived may be changed so.
with place as materialized (
  select *
  from project_access
  where key = (select ?1) and expires_at > ?2 and project_id = ifnull((select id from projects where path_key = ?3), ?3)
    and not (archived and ?8)
), {scope_of_place}

-- piece: group_scope
-- The same binds without the last.
with place as materialized (
  select *
  from group_access
  where key = (select ?1) and expires_at > ?2 and group_id = ifnull((select id from namespaces where path_key = ?3), ?3)
), {scope_of_place}

-- piece: caller_scope
-- ?1 key of the caller, ?2 now, ?3 allowed scopes of tokens, ?4 1 if only administrators may, ?5 least access to
-- confidential issues.
with caller as materialized (
  select c.*, ?2 as now, ?5 as confidential_level
  from callers c
  where c.key = (select ?1) and c.expires_at > ?2 and c.scopes & ?3 and (c.admin or not ?4)
)

-- piece: made(table)
-- The id of the row that an earlier statement of the batch has inserted. A batch is one transaction, so no other batch
-- has inserted a newer row.
(select max(id) from {table})

-- piece: places_of_caller
-- The ids of their own namespace, and of their groups.
select id
from caller
union all
select m.group_id
from caller c
cross join group_members m on m.user_id = c.id

-- piece: none(table, column, value)
-- Whether no row of the table has the value.
not exists (select 1 from {table} x where x.{column} = {value})

-- piece: last_number(table, number, kind)
-- The greatest number that a row of the project :project_id has or had.
max(coalesce((select max({number}) from {table} where project_id = :project_id), 0),
  coalesce((select last from removed_numbers where project_id = :project_id and kind = {kind}), 0))

-- piece: links_of(issue)
-- The number of its links with other issues.
(select count(*) from issue_links k where k.source_id = {issue})
  + (select count(*) from issue_links k where k.target_id = {issue})

-- piece: keep_answer(row, place)
-- Stores the row as the answer to the idempotency key :key of the user of the scope s.
insert into idempotency_keys (user_id, person_id, key, digest, answer, created_at)
select s.user_id, s.member_id, :key, :digest,
  json_object('base', :base, 'avatars', (select avatar_enabled from settings), 'row', {row}), s.now
{place}
where true
on conflict (user_id, key) do update set person_id = excluded.person_id, digest = excluded.digest,
  answer = excluded.answer, record_id = null, created_at = excluded.created_at

-- piece: issue_of_route
-- The issue of the route: its id (v3), or its number in the project (v4).
coalesce(:id, (select id from issues where project_id = s.project_id and iid = :iid))

-- piece: numbered_issue
-- The issue i of the project with the number :iid.
scope s cross join issues i on i.project_id = s.project_id and i.iid = :iid and i.deleted_at is null

-- piece: issue_at_route
-- The issue i of the route, which may be deleted.
scope s cross join issues i on i.id = {issue_of_route} and i.project_id = s.project_id

-- piece: shows_issue
-- Whether the project of the scope s has issues, and its caller sees the issue i.
s.issues_enabled and {sees_issue(i)}

-- piece: sees_issue(i)
-- Whether the caller of the scope s sees the issue i of its project.
({i}.confidential = 0 or s.reads_confidential or s.user_id in ({i}.author_id, {i}.assignee_id))

-- piece: leaves_room
-- Whether the caller of the scope s may make the project longer: callers who are no members leave the last room of a
-- project to its members.
(s.access > 0 or s.key like 'user %' or not exists (select 1 from full_for_others f where f.project_id = s.project_id))

-- piece: commit_named(name)
-- The commit n of the project with the name. Null names the default branch.
scope s cross join commit_names n on n.project_id = s.project_id and n.name = json_array({name})

-- piece: id_of_commit(name)
(select n.commit_id from commit_names n where n.project_id = s.project_id and n.name = json_array({name}))

-- piece: ref_of_pipeline(project)
-- The ref of the pipeline :pipeline_id. Null if the project has no such pipeline.
(select n.ref from status_counts n where n.project_id = {project} and n.pipeline_id = :pipeline_id)

-- piece: ids_in_group
-- The projects of the group of the scope s that the caller sees: 1,000 that are open to them, and 1,000 of their own.
select *
from (select q.id
  from projects q
  where q.namespace_id = s.group_id and q.visibility >= iif(s.access > 0, 0, s.sees_from) and q.deleted_at is null
  limit 1000)
union
select *
from (select q.id
  from project_members m
  cross join projects q on q.id = m.project_id
  where m.user_id = s.user_id and m.namespace_id = s.group_id and q.deleted_at is null
  limit 1000)

-- piece: projects_of_group
-- 1,000 projects of the group that the caller sees, each with a JSON object for answers.
select a.project_id as id,
  json_object('id', a.project_id, 'full_path', a.full_path, 'visibility', a.visibility, 'access', a.access,
    'default_branch', a.default_branch, 'issues_enabled', a.issues_enabled, 'builds_enabled', a.builds_enabled)
  as project
from scope s
cross join project_access a on a.key = (select ?1) and a.project_id in ({ids_in_group})
where +a.namespace_id = s.group_id
limit 1000

-- piece: page_bytes
-- The most bytes of a page of a list.
3000000

-- piece: plain_page(rows, columns, tables, keys)
-- A page of a list (`-- list:`, src/kernel/sql.rs). listed: whether the row fits, whether the page ends after it, and
-- its keys.
with page as (
  {rows}
  limit (select :most) offset (select :skip)
)
select {columns}, json_array(1, 0, {keys}) as listed
from {tables}

-- piece: weighed_page(rows, lengths, by, order, columns, tables, keys, page_order)
-- The same, at most 3 MB. Reads the rows of the page before, too, if the page was found by its number.
with {weighed((
  {rows}
  limit (select :most + min(:skip, :most - 1)) offset (select max(:skip - :most + 1, 0))), {order}, {lengths},
  row_number() over (order by {order}) > min(:skip, :most - 1), {by})}
select {columns}, json_array(p.own, p.is_full, {keys}) as listed
from {tables}
order by {page_order}

-- piece: numbered(rows)
-- The rows that are looked at, each with its number, and how many have fitted so far. Without the second limit SQLite
-- flattens the rows into the windows, and computes `fits` twice.
select *, row_number() over looked as step, sum(fits) over looked as nth
from (select *
  from (
    {rows}
    limit (select :looks))
  limit -1)
window looked as (rows unbounded preceding)

-- piece: matching_page(rows, columns, tables, keys)
-- The same for a list with filters, whose rows have the column `fits`. The page has the last row that is looked at,
-- too.
with page as materialized (
  select *, nth > :skip and fits as shown
  from ({numbered({rows})})
  where fits and nth > :skip or step = :looks
  limit (select :most)
)
select {columns}, json_array(p.shown, p.step = :looks, {keys}) as listed
from {tables}
order by p.step

-- piece: weighed_matching_page(rows, lengths, by, columns, tables, keys)
-- The same, at most 3 MB.
with matched as (
    select *, fits and nth > :skip as shown
    from ({numbered({rows})})
    where fits and nth > :skip - :most + 1 or step = :looks
    limit (select :most + min(:skip, :most - 1))
  ), {weighed(matched, step, {lengths}, shown or step = :looks, {by})}
select {columns}, json_array(p.own and p.shown, p.step = :looks or p.is_full, {keys}) as listed
from {tables}
order by p.step

-- piece: weighed(rows, order, lengths, own, by)
-- The common table expression `page`: the first of `rows`, in this order, that fit into 3 MB; the first alone may be
-- longer. `lengths` is a view with the columns bytes (as stored) and answered, and `by` names its row. own: 0 for a row
-- of the page before. If that page ended early, `page` has only the row where it did. bytes: the sum of this row and
-- those before it. is_full: the next row would pass the limit.
page as (
  select *
  from (select *, max(is_full > own) over () as is_cut
    from (select *, reach > max(bytes, {page_bytes}) as is_full
      from (select x.*, l.answered, sum(l.answered) over (partition by own order by {order}) as bytes,
          sum(l.answered) over (partition by own order by {order} rows between unbounded preceding and 1 following)
          as reach
        from (select n.*,
            sum(l.bytes) over (partition by own order by {order} rows between unbounded preceding and 2 preceding)
            as before
          from (select n.*, {own} as own from {rows} n) n
          cross join {lengths} l using ({by})) x
        cross join {lengths} l using ({by})
        where coalesce(x.before, 0) <= {page_bytes})
      where bytes in (answered, min(bytes, {page_bytes}))))
  where iif(is_cut, is_full > own, own))

-- piece: count_of_list(rows, most)
-- The number of its rows. null above {most}.
select iif(count(*) > {most}, null, count(*)) as total, count(*) as counted
from (select 1
  from (
    {rows}
    limit {most} + 1))

-- piece: count_of_matching(rows, most)
-- The number of rows that fit. null above {most}, or if the list has more rows than are looked at.
select iif(count(*) = :looks or sum(fits) > {most}, null, coalesce(sum(fits), 0)) as total, count(*) as counted
from (select fits
  from (
    {rows}
    limit (select :looks)))

-- piece: walk_of_starts
-- The rows of the recursive table `walk` (id, label) from `starts` (side, id, label). A commit comes after all of its
-- children.
select id, label
from starts
union
select p.parent_id, p.parent_committed_at + p.parent_lift
from walk w
cross join parents p on p.child_id = w.id
order by 2 desc

-- piece: walked_pairs
-- What the walk meets: the first :most pairs of a child and a parent, 0 without one. SQLite keeps the order of a walk
-- in a join only if it has a limit.
(
  select side as child, id as parent
  from starts
  union all
  select *
  from (select w.id, coalesce(p.parent_id, 0)
    from (select id from walk limit :most) w
    left join parents p on p.child_id = w.id
    limit :most))

-- piece: ended_in_projects
-- The 50 memberships that ended first, of those that have ended by :today.
(select user_id, project_id
  from project_members indexed by project_members_ending
  where expires_at is not null and expires_at <= :today
  order by expires_at
  limit 50)

-- piece: ended_in_groups
-- The same in groups. An owner stays if no membership of another owner lasts beyond :today.
(select m.user_id, m.group_id
  from group_members m indexed by group_members_ending
  where m.expires_at is not null and m.expires_at <= :today
    and (m.access < 50
      or exists (select 1
        from group_members o
        where o.group_id = m.group_id and o.access = 50 and (o.expires_at is null or o.expires_at > :today)))
  order by m.expires_at
  limit 50)

-- piece: has_text(text, search)
-- Whether the text contains what is searched, in any case (kernel/fold.rs). True if {search} is null.
not exists (select 1
  from json_each({search})
  where not (lower({text}) glob value ->> 'glob' and instr(lower({text}), value ->> 'text')))

-- piece: next_token_id
-- An id that no token has or had.
(select max(coalesce(max(t.id), 0), (select last_token_id from stored)) + 1 from tokens t)

-- piece: are_on_branches(project_id)
-- Whether it is known for each commit of the project which branch has it.
not exists (select 1 from branch_queue q where q.project_id = {project_id})
  and not exists (select 1 from mirrors x where x.project_id = {project_id} and x.scan_after is not null)

-- piece: searched(text)
-- The part of a long text that a search finds.
iif(octet_length({text}) <= 50000, substr({text}, 1, 4000), '')

-- piece: has_begun(text, patterns)
-- Whether each of the JSON list of patterns matches the text (areas/words/mod.rs).
not exists (select 1
  from json_each({patterns}), (select ' ' || lower({text}) as t)
  where not (t glob value ->> 'glob' and instr(t, value ->> 'text')))

-- piece: word_key(project_id, is_hidden)
-- The key of the tokens of a project's issues in the index of words (areas/words/mod.rs).
printf('%s%08x', iif({is_hidden}, 'h', 'o'), {project_id})

-- piece: is_index_whole
-- Whether the index of words has all issues, but for those of unindexed_issues.
not exists (select 1 from issue_index cross join issues i on i.id < issue_index.below)

-- piece: is_named(c)
-- Whether the name or the username of the user u contains :search. If the caller c is an administrator, also whether
-- :email is the user's address. True if :search is null.
(:search is null or {has_text(u.name, :search)} or {has_text(u.username, :search)}
  or {c}.admin and u.email_key = :email)

-- piece: user_object(id)
-- What answers have of a user.
(select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
  from users u
  where u.id = {id})

-- piece: are_few
-- Whether the group of the project of the scope s has 100 members at most, for `all` together with the project.
(select count(*)
  from (
    select 1
    from group_members x
    where x.group_id = s.namespace_id
    union all
    select 1
    from project_members x
    where w.key = 'all' and x.project_id = s.project_id
    limit 101)) <= 100

-- piece: people
-- The users that the mention w of json_each(:names) means: the user of that name, or members. :names is a JSON object,
-- for each name in lower case whether it begins the text.
(select k.id
  from namespaces k
  where k.path_key = w.key and k.kind = 'user'
  union all
  select m.user_id
  from namespaces k
  cross join group_members m on m.group_id = k.id
  where k.id = s.namespace_id and w.key in (k.path_key, 'all') and {are_few}
  union all
  select m.user_id
  from project_members m
  where w.key = 'all' and m.project_id = s.project_id and {are_few}
  union all
  select s.namespace_id
  where w.key = 'all' and {are_few})

-- piece: readers_named(issue)
-- The mentions w of :names, and the people r behind them who see the issue.
json_each(:names) w
cross join issue_readers r on r.issue_id = {issue} and r.user_id in {people} and r.is_active
  and (not r.is_restricted or r.access >= :confidential_level)

-- piece: path_of_issue
-- The path of the project of the issue r.
(select x.full_path from projects x where x.id = r.project_id)

-- piece: issue_as_seen_by(user)
-- The columns of the issue r of the view issue_rows that depend on {user}: whether they are subscribed (by choice, or
-- else as author, assignee or participant), to which issue it was moved, and how many open issues it blocks. {user} is
-- null for a caller without a token.
coalesce((select x.subscribed from subscriptions x where x.issue_id = r.id and x.user_id = {user}),
  {user} in (r.author_id, r.assignee_id)
  or exists (select 1 from participants x where x.issue_id = r.id and x.user_id = {user}), 0) as subscribed,
  coalesce(r.public_successor_id,
    (select x.issue_id from issue_audience x where x.issue_id = r.successor_id and x.user_id = {user})) as moved_to_id,
  iif({user} is null, r.public_blocking,
    (select count(*)
      from open_blocks b
      cross join issue_audience x on x.issue_id = b.blocked_id and x.user_id = {user}
      where b.issue_id = r.id)) as blocking
