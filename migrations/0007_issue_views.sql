-- Who sees an issue, and issues in lists, searches and answers.

-- counts: JSON array of opened, closed, opened_hidden and closed_hidden.
create view project_totals as
select project_id as id, json_array(opened, closed, opened_hidden, closed_hidden) as counts
from issue_counts;

-- The projects whose issues can be seen.
create view issue_projects as
select id, namespace_id, visibility, archived
from projects
where deleted_at is null and issues_enabled;

-- The users who see the project of an issue. is_restricted: the issue is confidential, and the user is neither its
-- author nor its assignee, so the access decides.
create view issue_readers as
select
  i.id as issue_id, v.user_id, v.username, v.is_active, v.namespace_id, v.access,
  i.confidential and not coalesce(v.user_id in (i.author_id, i.assignee_id), 0) as is_restricted
from issues i
cross join project_viewers v on v.project_id = i.project_id
where i.deleted_at is null and v.issues_enabled and v.sees;

-- The users who see an issue.
create view issue_audience as
select issue_id, user_id
from issue_readers
where not is_restricted or access >= 20;

-- The texts that a search reads: title, and begin of the description. A long description is left out, because to find
-- its begin costs reading the whole.
create view issue_texts as
select id, title, iif(octet_length(description) <= 20000, substr(description, 1, 4000), '') as description
from issues;

-- The titles of the labels of an issue.
create view issue_titles as
select b.issue_id, l.title
from issue_labels b
cross join label_rows l on l.id = b.label_id;

-- The issues that bear a label of a title. Ask for one issue with one title: an issue may have 500 labels.
create view bearers as
select l.project_id, l.title, b.issue_id
from labels l
cross join issue_labels b on b.label_id = l.id;

-- The narrow indexes have the lengths of descriptions, so that no long text is read for them.
create view issue_lengths as
select
  i.id, octet_length(json_quote(i.description)) as bytes,
  2000 + octet_length(json_quote(i.description))
    + ifnull(
      (
        select octet_length(json_quote(m.description))
        from milestones m indexed by milestones_narrow
        where m.id = i.milestone_id
      ),
      0
    ) as answered
from issues i indexed by issues_narrow;

-- The open issues that an issue blocks. is_public: anybody sees it.
create view open_blocks as
select k.source_id as issue_id, i.id as blocked_id, i.confidential = 0 and p.visibility = 20 as is_public
from issue_links k
cross join issues i on i.id = k.target_id and i.state = 'opened' and i.deleted_at is null
cross join projects p on p.id = i.project_id and p.deleted_at is null and p.issues_enabled
where k.link_type = 'blocks';

-- An issue in answers, the same for every caller. people: the author, the assignee and the user who closed it, each
-- once. public_successor_id: the issue that it was moved to, if anybody may see that issue. public_blocking: how many
-- open issues it blocks that anybody sees.
create view issue_rows as
select
  i.id, i.iid, i.project_id,
  i.title, i.description, i.state, i.created_at, i.updated_at, i.author_id, i.assignee_id, i.user_notes_count,
  i.due_date, i.confidential, i.closed_at, i.closed_by_id, i.discussion_locked,
  (
    select json_group_array(l.title)
    from issue_labels b
    cross join label_rows l on l.id = b.label_id
    where b.issue_id = i.id
  ) as labels,
  (
    select json_object(
      'id', m.id, 'iid', m.iid, 'project_id', m.project_id, 'title', m.title, 'description', m.description,
      'state', m.state, 'due_date', m.due_date, 'start_date', m.start_date, 'created_at', m.created_at,
      'updated_at', m.updated_at
    )
    from milestones m
    where m.id = i.milestone_id and m.iid > 0
  ) as milestone,
  (
    select json_group_array(
      json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    )
    from users u
    where u.id = i.author_id or u.id is i.assignee_id or u.id is i.closed_by_id
  ) as people,
  (
    select n.id
    from issues n
    cross join projects q on q.id = n.project_id
    where n.id = i.moved_to_id
      and n.deleted_at is null
      and n.confidential = 0
      and q.deleted_at is null
      and q.issues_enabled
      and q.visibility = 20
  ) as public_successor_id, i.moved_to_id as successor_id,
  i.upvotes, i.downvotes, i.time_estimate, i.time_spent,
  (select count(*) from open_blocks b where b.issue_id = i.id and b.is_public) as public_blocking
from issues i
where i.deleted_at is null;

-- issue_rows for each user, as one JSON object.
create view issue_records as
select
  r.id as issue_id, u.id as user_id,
  json_object(
    'id', r.id, 'iid', r.iid, 'project_id', r.project_id,
    'full_path', (select p.full_path from projects p where p.id = r.project_id),
    'title', r.title, 'description', r.description, 'state', r.state, 'created_at', r.created_at,
    'updated_at', r.updated_at,
    'labels', json(r.labels), 'milestone', json(r.milestone), 'people', json(r.people), 'author_id', r.author_id,
    'assignee_id', r.assignee_id,
    'subscribed', coalesce(
      (select s.subscribed from subscriptions s where s.issue_id = r.id and s.user_id = u.id),
      u.id in (r.author_id, r.assignee_id)
        or exists (select 1 from participants t where t.issue_id = r.id and t.user_id = u.id),
      0
    ),
    'user_notes_count', r.user_notes_count, 'due_date', r.due_date, 'confidential', r.confidential,
    'closed_at', r.closed_at, 'closed_by_id', r.closed_by_id, 'discussion_locked', r.discussion_locked,
    'moved_to_id', (select v.issue_id from issue_audience v where v.issue_id = r.successor_id and v.user_id = u.id),
    'upvotes', r.upvotes, 'downvotes', r.downvotes, 'time_estimate', r.time_estimate, 'time_spent', r.time_spent,
    'blocking', (
      select count(*)
      from open_blocks b
      cross join issue_audience v on v.issue_id = b.blocked_id and v.user_id = u.id
      where b.issue_id = r.id
    )
  ) as row
from issue_rows r
cross join users u;
