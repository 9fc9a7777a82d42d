-- What a filter demands of the issue i from the range w (conditions.rs). It reads the index issues_narrow, because the
-- columns of the table lie behind descriptions of up to 900 kB.

-- piece: created_within
i.created_at between :created_from and :created_to

-- piece: updated_within
i.updated_at between :updated_from and :updated_to

-- piece: is_mine
i.{mine} = w.user_id

-- piece: is_by
i.author_id = {person(:author)}

-- piece: is_not_by
i.author_id <> {person(:not_author)}

-- piece: is_assigned_to
i.assignee_id is {person(:assignee)}

-- piece: is_not_assigned_to
i.assignee_id is not {person(:not_assignee)}

-- piece: is_assigned
(i.assignee_id is not null) = :assigned

-- piece: was_closed_by
i.closed_by_id is :closed_by

-- piece: has_number
i.iid in (select value from json_each(:iids))

-- piece: has_other_number
i.iid not in (select value from json_each(:not_iids))

-- piece: has_due_date
(i.due_date is not null) = :due

-- piece: is_due_within
ifnull(i.due_date between :due_from and :due_to, 0)

-- piece: has_reaction
exists (select 1
  from awards
  where issue_id = i.id and note_id = 0 and user_id = w.user_id and name = ifnull(:reaction, name)) = :reacted

-- piece: bears_labels
-- A label of each list of titles.
not exists (select 1
  from json_each(:labels) t
  where not exists (select 1
    from json_each(t.value)
    cross join bearers on project_id = i.project_id and title = value and issue_id = i.id))

-- piece: bears_none_of
not exists (select 1
  from json_each(:not_labels)
  cross join bearers on project_id = i.project_id and title = value and issue_id = i.id)

-- piece: has_label
exists (select 1 from issue_titles where issue_id = i.id) = :labeled

-- piece: is_of_milestone
exists (select 1 from milestone_turns where id = i.milestone_id and :milestone in (title, id))

-- piece: is_of_other_milestone
not exists (select 1 from milestone_turns where id = i.milestone_id and title = :not_milestone)

-- piece: has_milestone
exists (select 1 from milestone_turns where id = i.milestone_id) = :planned

-- piece: is_upcoming
exists (select 1
  from milestone_turns
  where id = i.milestone_id and is_active and due_date > :today and ifnull(due_before <= :today, 1)) = :upcoming

-- piece: is_started
exists (select 1
  from milestone_turns
  where id = i.milestone_id and is_active and ifnull(start_date <= :today, due_date >= :today)) = :started

-- piece: is_found
not exists (select 1
  from json_each(:words),
    (select ' ' || lower(iif(:in_title, title, '') || ' ' || iif(:in_description, description, '')) as t
      from issue_texts
      where id = i.id)
  where not (t glob value ->> 'glob' and instr(t, value ->> 'text')))
