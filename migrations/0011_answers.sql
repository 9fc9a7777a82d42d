-- Lengths of rows in lists, for pages of at most 3 MB. bytes: the length of the long texts, which the header of a row
-- has. answered: their length as JSON, where a control character takes six bytes. It reads the texts, so ask for it only
-- if the bytes fit. One text has at most 900,000 bytes as JSON, so one row always fits.

create view note_lengths as
select id, octet_length(body) as bytes, 500 + octet_length(json_quote(body)) as answered from notes;

create view comment_lengths as
select id, octet_length(note) as bytes, 1000 + octet_length(json_quote(note)) as answered from commit_comments;

create view milestone_lengths as
select id, coalesce(octet_length(description), 0) as bytes,
  500 + octet_length(json_quote(title)) + octet_length(json_quote(description)) as answered from milestones;

drop view issue_lengths;
create view issue_lengths as
select i.id, coalesce(octet_length(i.description), 0) + coalesce(octet_length(m.description), 0) as bytes,
  2000 + octet_length(json_quote(i.description)) + octet_length(json_quote(m.description)) as answered
from issues i left join milestones m on m.id = i.milestone_id;

create view todo_lengths as
select t.id, l.bytes + coalesce(octet_length(n.body), 0) as bytes,
  l.answered + octet_length(json_quote(coalesce(n.body, i.title))) as answered
from todos t cross join issues i on i.id = t.issue_id cross join issue_lengths l on l.id = i.id left join notes n on n.id = t.note_id;

create view commit_lengths as
select id, octet_length(message) as bytes, 700 + octet_length(json_quote(message)) as answered from commits;

-- The Worker of the version before reads ref_bytes.
create view ref_lengths as
select r.project_id, r.name, l.bytes + coalesce(octet_length(r.message), 0) as bytes,
  l.answered + octet_length(json_quote(r.message)) as answered
from refs r cross join commit_lengths l on l.id = r.commit_id;

create view deployment_lengths as
select d.id, l.bytes + coalesce(octet_length(s.description), 0) as bytes,
  l.answered + octet_length(json_quote(s.description)) as answered
from deployments d cross join statuses s on s.id = d.status_id cross join commit_lengths l on l.id = s.commit_id;
