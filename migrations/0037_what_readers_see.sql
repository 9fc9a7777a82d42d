-- A list of events reads ranges of these: one deed of one kind in one project, by anybody or by one author. So it reads no event of a
-- project or of a kind that the caller does not see.
drop index events_of_project;
create index events_of_project on events (project_id, kind, action);
drop index events_of_author;
create index events_of_author on events (author_id, project_id, kind, action);

-- As in 0025. A comment about a commit of another project names it only to those who may read its commits.
drop view reference_viewers;
create view reference_viewers as
select n.id as note_id, v.user_id, v.sees and (n.reference_issue_id is null
    or exists (select 1 from issue_audience a where a.issue_id = n.reference_issue_id and a.user_id = v.user_id))
  and (instr(n.reference, '@') = 0 or v.access >= 20
    or (select p.visibility >= iif(u.external, 20, 10) from projects p cross join users u on u.id = v.user_id where p.id = v.project_id)) as sees
from notes n cross join project_viewers v on v.project_id = n.reference_project_id;
