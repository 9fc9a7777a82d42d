-- Whether a commit may be deployed (behaviour 8.5).

-- piece: target
-- The commit :sha, and whether it has few enough statuses to look at: 5,000.
select c.id, c.sha,
  (select coalesce(sum(coalesce(json_array_length(:names), r.pending + r.running + r.success + r.failed + r.canceled)),
      0)
    from status_counts r
    where r.commit_id = c.id and (:ref_name is null or r.ref = :ref_name)) <= 5000 as is_small
from {commit_named(:sha)}
cross join commits c on c.id = n.commit_id

-- piece: refs_of_gate
(select r.ref from status_counts r where r.commit_id = t.id and (:ref_name is null or r.ref = :ref_name))

-- piece: worst(rows)
-- The worst come first, a thousand at most. :user_ids is a JSON list, or null for everybody.
select name, git_ref, job_id, state,
  case rank when 2 then 'success' when 0 then 'failed' else 'pending' end as gate
from (select *,
    case
      when state = 'success' or state = 'skipped' and :allow_skipped then 2
      when state in ('pending', 'running', 'missing') then 1
      else 0
    end as rank
  from {rows})
order by rank, name, git_ref
limit 1000

-- piece: check_state
case
      when s.id is null then 'missing'
      when :user_ids is not null and s.user_id not in (select value from json_each(:user_ids)) then 'foreign'
      when s.skipped then 'skipped'
      else s.state
    end as state

-- name: commit
-- scope: project
-- returns: GateRow?
select sha, is_small from ({target});

-- name: named_checks
-- scope: project
-- returns: Check*
-- Those of :names, a JSON list.
{worst((
    select w.value as name, coalesce(h.ref, :ref_name) as git_ref, s.id as job_id, {check_state}
    from ({target}) t
    cross join json_each(:names) w
    left join status_heads h on h.commit_id = t.id and h.ref in {refs_of_gate} and h.name = w.value
    left join statuses s on s.id = h.status_id
    where t.is_small))};

-- name: all_checks
-- scope: project
-- returns: Check*
-- All but those of :except, a JSON list.
{worst((
    select h.name, h.ref as git_ref, s.id as job_id, {check_state}
    from ({target}) t
    cross join status_heads h on h.commit_id = t.id and h.ref in {refs_of_gate}
    cross join statuses s on s.id = h.status_id
    where t.is_small and h.name not in (select value from json_each(:except))))};
