//! The conditions of a list that no index of issues knows, each met or not by one issue.

/// Whether the issue `i` meets the conditions `[[name, value, ..], ..]` of the filter (see [`crate::issues::filter::Filter`]). A value
/// that is a list is a text with a comma before and after each, which no title of a label holds. `$user`:
/// the id of whoever asks. `$seen`: whether they see the project `p`.
macro_rules! meets {
    ($user:literal, $seen:expr) => {
        concat!(
            "not exists (select 1 from json_each(?7, '$.rest') c where not coalesce(case
      when c.value ->> 0 in ('author', 'assignee', 'not_author', 'not_assignee') then
        (iif(c.value ->> 0 like '%author', i.author_id, coalesce(i.assignee_id, 0)) is iif(typeof(c.value ->> 1) = 'text',
          (select n.id from namespaces n where n.path_key = c.value ->> 1 and n.kind = 'user'), coalesce(c.value ->> 1, ",
            $user,
            "))) = (c.value ->> 0 not like 'not%')
      when c.value ->> 0 in ('labels', 'any_label', 'not_labels') then
        (select iif(c.value ->> 0 = 'any_label', count(*) > 0, count(*) = coalesce(c.value ->> 2, 0))
          from issue_labels b cross join labels y on y.id = b.label_id
          where b.issue_id = i.id and instr(c.value ->> 1, ',' || y.title || ','))
      when c.value ->> 0 in ('milestone', 'not_milestone', 'upcoming', 'not_upcoming', 'started', 'not_started', 'milestone_id', 'not_milestone_id') then
        exists (select 1 from milestones m where m.id = i.milestone_id and m.iid > 0 and case
          when c.value ->> 0 like '%milestone' then m.title = c.value ->> 1
          when c.value ->> 0 like '%id' then m.id = c.value ->> 1
          when c.value ->> 0 like '%upcoming' then m.id = (select x.id from milestones x where x.project_id = i.project_id and x.iid > 0
            and x.state = 'active' and x.due_date > c.value ->> 1 order by x.due_date, x.id limit 1)
          else m.state = 'active' and (m.start_date <= c.value ->> 1 or (m.start_date is null and m.due_date >= c.value ->> 1)) end)
        = (c.value ->> 0 not like 'not%')
      when c.value ->> 0 in ('iids', 'not_iids') then
        (instr(c.value ->> 1, ',' || i.iid || ',') > 0) = (c.value ->> 0 = 'iids')
      else case c.value ->> 0
        when 'unlabeled' then i.unlabeled = c.value ->> 1
        when 'planned' then (i.milestone_id is not null) = c.value ->> 1
        when 'assigned' then (i.assignee_id is not null) = c.value ->> 1
        when 'confidential' then i.confidential = c.value ->> 1
        when 'created_from' then i.created_at >= c.value ->> 1
        when 'created_to' then i.created_at <= c.value ->> 1
        when 'updated_from' then i.updated_at >= c.value ->> 1
        when 'updated_to' then i.updated_at <= c.value ->> 1
        when 'due' then (i.due_date is not null) = c.value ->> 1
        when 'due_from' then i.due_date >= c.value ->> 1
        when 'due_to' then i.due_date <= c.value ->> 1
        when 'word' then (c.value ->> 2 & 1 and iif(i.words is null, instr(lower(i.title), c.value ->> 1),
            instr(i.words -> '$.t', char(34) || (c.value ->> 1))))
          or (c.value ->> 2 & 2 and iif(i.words is null, instr(lower(i.description), c.value ->> 1),
            instr(i.words -> '$.d', char(34) || (c.value ->> 1))))
        when 'closed' then (i.state = 'closed') = c.value ->> 1
        when 'closed_by' then i.closed_by_id = c.value ->> 1
        when 'seen' then ",
            $seen,
            " end end, 0))"
        )
    };
}

pub(crate) use meets;
