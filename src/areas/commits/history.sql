-- Lists commits in git's order, which history/mod.rs explains.

-- piece: rank(date)
-- git reads a date before 1970 as a large number, newer than all others.
{date} + ({date} < 0) * (1 << 62)

-- piece: has(text, pair)
-- has_text for a single pair or null. A deeper statement would exceed SQLite's parser.
lower({text}) glob ifnull({pair} ->> 'glob', '*') and instr(lower({text}), ifnull({pair} ->> 'text', ''))

-- piece: stops
-- The commits c of a queue.
json_group_array(json_object('id', c.id, 'at', c.committed_at, 'lift', c.lift))

-- piece: unmet
-- Whether the parent p of the commit w is to be queued.
p.position <= :last_parent and (:met = '[]' or p.parent_id not in (select value from json_each(:met)))

-- piece: weight(is_read)
-- The bytes of the commit t in an answer. A commit far behind what fits is not read: two pages have 6 MB.
iif(reached < 6e6 and {is_read}, (select l.answered from commit_lengths l where l.id = t.id), 6e6)

-- piece: walked(walk, queue)
-- The commits that the recursive table `walk` takes off the queue, the newest first.
select value ->> 'id', value ->> 'at', {rank((value ->> 'at'))}
from {queue}
union
select p.parent_id, p.parent_committed_at, {rank(p.parent_committed_at)}
from {walk} w
cross join parents p on p.child_id = w.id and {unmet}
where w.at >= :since
order by 3 desc

-- name: total
-- scope: project
-- The number of commits that :name (null: the default branch) reaches. The hook counts them when it moves a ref.
-- Without its count, it is the sum of branch_counts for the default branch, if all commits are assigned to branches.
-- null if unknown.
select coalesce((select r.commits
  from (select commits from refs where commit_id = n.commit_id limit 1000) r
  where r.commits is not null
  limit 1),
  (select b.commits
    from refs m
    cross join branch_counts b on b.project_id = m.project_id and b.branch = s.default_branch
    where m.project_id = s.project_id and m.name = 'refs/heads/' || s.default_branch and m.commit_id = n.commit_id
      and {are_on_branches(s.project_id)})) as total
from {commit_named(:name)};

-- name: tips
-- scope: project
-- The number of branches and tags, at most :most.
select count(*) as tips from (select 1 from refs where project_id = (select project_id from scope) limit :most);

-- name: sides
-- scope: project
-- The commits that :without reaches and those that :waiting, JSON [id, ..], or else the commit :name reaches (null: the
-- default branch), each with its parents. The parents of -1 are the commit :without, those of -2 the commits :waiting.
with starts(side, id, label) as materialized (
  select -1, c.id, c.committed_at + c.lift
  from {commit_named(:without)}
  cross join commits c on c.id = n.commit_id
  union all
  select -2, c.id, c.committed_at + c.lift
  from scope s
  cross join json_each(coalesce(:waiting, json_array({id_of_commit(:name)})))
  cross join commits c on c.id = value and c.project_id = s.project_id
), walk (id, label) as ({walk_of_starts})
select json_group_array(child) as children, json_group_array(parent) as parents
from {walked_pairs};

-- name: plain_page
-- scope: project
-- The same as `page` where the walk starts at one commit, :name or the id :start, and every commit of it is on the
-- page: the first :size commits with their parents, JSON [id, date, lift, ..]. A commit that does not fit into 3 MB has
-- no document, unless it is the first.
with start(id, at) as materialized (
  select c.id, c.committed_at
  from scope s
  cross join commits c on c.project_id = s.project_id and c.id = coalesce(:start, {id_of_commit(:name)})
), walk(id, at, turn) as (
  select id, at, {rank(at)}
  from start
  union
  select p.parent_id, p.parent_committed_at, {rank(p.parent_committed_at)}
  from walk w
  cross join parents p on p.child_id = w.id and p.position <= :last_parent
  where w.at >= :since
  order by 3 desc
  limit :size
)
select c.id, c.committed_at, c.lift, 0 as waits,
  iif(w.bytes <= {page_bytes} or c.id = (select id from start), c.document, null) as "commit",
  (select json('[' || ifnull(group_concat(parent_id || ',' || parent_committed_at || ',' || parent_lift), '') || ']')
    from (select * from parents p where p.child_id = c.id and p.position <= :last_parent order by p.position))
  as parents
from (select id, sum({weight(true)}) over (rows unbounded preceding) as bytes
  from (
    select id, sum((select l.bytes from commit_lengths l where l.id = w.id)) over (rows unbounded preceding) as reached
    from walk w
    where w.at >= :since
    limit :size) t) w
cross join commit_documents c on c.id = w.id;

-- name: page
-- scope: project
-- Returns the commits of the page, the skipped commits that the walk may meet again, and the queue after the page.
--
-- The walk starts at :name (null: the default branch), or if :tips is set, at that many branches and tags. With a
-- cursor it starts at :waiting instead, JSON [id, ..]. It does not queue the commits in :met, JSON [id, ..], again.
-- :last_parent: the position of the last parent to queue.
--
-- The walk ends at dates before :since. The page skips :skip matching commits and shows the next :size, fewer if their
-- messages are long. A commit matches if its date is not after :until, its author's name and address contain :author,
-- the first 4,000 letters of its message, unless it has more than 50,000 bytes, contain :message, and its diff has the
-- path :path or a path below it. The walk takes :looks commits off the queue. null: until the page is full, but at most
-- :farthest, and with :path 200 with 500 kB of diffs. Of a diff in the object store the database
-- has only the paths. They count four times, because they have more files in a byte. A diff of more than 1,900,000
-- bytes is not read, because D1 makes no text of more than 2 MB. Its paths are in more_paths. :needle: a text that
-- every entry with the path has, which is found twice as fast as its members are read (make -C lab hostile). A cursor
-- is not signed, so only those of its commits that are in the project are queued.
--
-- A page that is found by its number also weighs the commits of the page before. It shows nothing if that
-- page ended early: if they have more than 3 MB, or were not among its first :within commits.
--
-- The window functions have no order of their own: they see the commits in the order of the walk. An order would sort
-- all commits that the page skips, and all that the walk has met, before they are filtered.
--
-- The walk is a scalar subselect of the one row of `asked`: SQLite copies a common table expression at each reference,
-- and allows 100 tables.
with asked as materialized (
  select iif(:waiting is null and :tips,
    (select {stops}
      from (select distinct commit_id from (select commit_id from refs where project_id = s.project_id limit :tips)) r
      cross join commits c on c.id = r.commit_id),
    (select {stops}
      from json_each(ifnull(:waiting, json_array({id_of_commit(:name)})))
      cross join commits c on c.id = value and c.project_id = s.project_id)) as queue
  from scope s
), found as materialized (
  select (
    with walk(id, at, turn) as not materialized ({walked(walk, json_each(a.queue))}), taken as (
      select id, at, turn, nth, shown, max(sum(cost * shown) over (rows unbounded preceding),
          sum(cost * (not shown)) over (rows unbounded preceding)) as bytes
      from (select t.*, iif(near, {weight((shown or turn <= :within))}, 0) as cost
        from (select t.*, sum(iif(near, (select l.bytes from commit_lengths l where l.id = t.id), 0))
            over (rows unbounded preceding) as reached
        from (select t.*, kept and nth > :skip as shown, kept and nth > :skip - :size as near
          from (select id, at, kept, row_number() over () as turn, sum(kept) over (rows unbounded preceding) as nth
            from (
              select w.id, w.at,
                iif(w.at <= :until and w.id not in (select value from json_each(:met))
                  and (ifnull(:author, :message) is null
                    or (select {has(c.author_name || ' <' || c.author_email || '>', :author)}
                        and {has(' ' || {searched(c.message)}, :message)}
                      from commits c
                      where c.id = w.id))
                  and (:path is null
                    or exists (select 1
                      from (select group_concat(x.text, '') as text
                        from (select d.text, sum(octet_length(d.text)) over () as size
                          from diffs d
                          where d.commit_id = w.id
                          order by d.part) x
                        where x.size <= 19e5) y
                      cross join json_each(y.text)
                      where instr(value, :needle)
                        and instr(char(0) || (value ->> 'new_path') || '/' || char(0)
                          || ifnull(value ->> 'old_path', '') || '/', char(0) || :path || '/'))
                    or exists (select 1
                      from more_paths
                      where commit_id = w.id and instr(text, '//' || :path || '/'))), 1, 0) as kept
              from walk w
              where w.at >= :since
              limit coalesce(:looks,
                (
                  with newer(id, at, turn) as (
                    {walked(newer, asked cross join json_each(queue))}
                    limit iif(:path is null, :farthest, 200)
                  )
                  select iif(:path is null,
                    (select turn
                      from (select at, row_number() over () as turn from newer where at >= :since)
                      where at <= :until
                      limit 1 offset :skip + :size),
                    (select max(1, count(*))
                      from (select sum((select total(octet_length(d.text) * iif(d.object is null, 1, 4))
                        from diffs d
                        where d.commit_id = n.id)
                        + (select total(octet_length(text)) from more_paths where commit_id = n.id))
                          over (rows unbounded preceding) as bytes
                        from newer n)
                      where bytes <= 5e5))), :farthest))) t) t) t) t
    ), met(id, at, lift, state, turn) as (
      select ifnull(p.parent_id, t.id), ifnull(p.parent_committed_at, t.at), ifnull(p.parent_lift, 0),
        iif(k.edge, 0, 1 + t.shown), t.turn + ifnull(p.position + 1, 0) * 1e-4
      from taken t
      cross join (select 0 as edge union all select 1) k
      left join parents p on k.edge and p.child_id = t.id and {unmet}
      where t.nth <= :skip + :size and t.bytes <= {page_bytes} and k.edge = (p.child_id is not null)
      union all
      select value ->> 'id', value ->> 'at', value ->> 'lift', 0, key - 1e7
      from json_each(a.queue)
    )
    select json_group_array(json_object('id', id, 'at', at, 'lift', lift, 'state', state) order by turn)
    from (
      select *, max(iif(state, null, at + lift)) over () as most
      from (
        select id, max(at) as at, max(lift) as lift, max(state) as state,
          ifnull(max(iif(state, turn, null)), min(turn)) as turn
        from met
        group by id))
    where state <> 1 or at < most
  ) as met
  from asked a
)
select m.value ->> 'id' as id, ifnull(c.committed_at, m.value ->> 'at') as committed_at,
  ifnull(c.lift, m.value ->> 'lift') as lift, m.value ->> 'state' = 0 as waits,
  iif(m.value ->> 'state' = 2, c.document, null) as "commit"
from found f
cross join json_each(f.met) m
left join commit_documents c on c.id = m.value ->> 'id' and m.value ->> 'state' > 0;
