-- Bounds for pages, for what statuses and labels of issues count, and for the refs of a commit.

-- The lengths of rows in lists count every text of a row: names, addresses and the texts of people as well as messages. bytes: as in
-- 0011, of the longer texts, without reading them. answered: the length of the row as JSON.

drop view commit_lengths;
create view commit_lengths as
select c.id, octet_length(c.message) + octet_length(c.author_name) + octet_length(c.author_email) + octet_length(c.committer_name)
  + octet_length(c.committer_email) + octet_length(c.parent_shas) as bytes,
  700 + (select octet_length(d.document) from commit_documents d where d.id = c.id) as answered
from commits c;

drop view ref_lengths;
create view ref_lengths as
select r.project_id, r.name, l.bytes + coalesce(octet_length(r.message), 0) as bytes,
  l.answered + octet_length(json_quote(r.name)) + octet_length(json_quote(r.message)) as answered
from refs r cross join commit_lengths l on l.id = r.commit_id;

create view user_lengths as
select id, octet_length(json_array(username, name, email, bio, location, skype, linkedin, twitter, website_url)) as answered from users;

create view status_lengths as
select id, octet_length(ref) + octet_length(name) + coalesce(octet_length(target_url), 0) + coalesce(octet_length(description), 0) as bytes,
  700 + octet_length(json_array(ref, name, stage, target_url, description))
    + (select l.answered from user_lengths l where l.id = user_id) as answered
from statuses;

create view environment_lengths as
select id, octet_length(name) + coalesce(octet_length(external_url), 0) + coalesce(octet_length(description), 0) as bytes,
  1000 + octet_length(json_array(name, external_url, description))
    + (select octet_length(json_array(p.name, p.full_name, p.description)) from projects p where p.id = project_id) as answered
from environments;

drop view deployment_lengths;
create view deployment_lengths as
select d.id, s.bytes + c.bytes + e.bytes as bytes,
  s.answered + c.answered + e.answered + (select l.answered from user_lengths l where l.id = d.user_id) as answered
from deployments d cross join status_lengths s on s.id = d.status_id
cross join commit_lengths c on c.id = (select commit_id from statuses where id = d.status_id)
cross join environment_lengths e on e.id = d.environment_id;

drop view job_lengths;
create view job_lengths as
select s.id, s.bytes + c.bytes as bytes, s.answered + c.answered as answered
from status_lengths s cross join commit_lengths c on c.id = (select commit_id from statuses where id = s.id);

-- A status as a job. pipeline: null if its commit and ref have none, because all their statuses are those of deployments.
drop view job_rows;
create view job_rows as
select s.id, s.project_id, s.commit_id, s.ref as git_ref, s.state, s.name, s.target_url, s.description, s.coverage, s.skipped, s.created_at,
  s.started_at, s.finished_at, s.stage, s.tag,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email, 'created_at', u.created_at,
    'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location, 'skype', u.skype,
    'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url,
    'projects_limit', coalesce(u.projects_limit, (select default_projects_limit from settings)), 'projects_count', u.projects_count)
    from users u where u.id = s.user_id) as author,
  (select c.document from commit_documents c where c.id = s.commit_id) as "commit",
  (select p.document from pipeline_documents p where p.commit_id = s.commit_id and p.git_ref = s.ref) as pipeline
from statuses s;

-- The newest pipeline of a commit.
create index pipelines_of_commit on status_counts (commit_id, pipeline_id) where pipeline_id is not null;

-- A commit has statuses of at most a thousand refs and stages, because its own status is computed from them.
create trigger status_counts_end before insert on status_counts
when not exists (select 1 from status_counts where commit_id = new.commit_id and ref = new.ref and stage = new.stage)
and 1000 <= (select count(*) from (select 1 from status_counts where commit_id = new.commit_id limit 1000)) BEGIN
  select raise(abort, 'E_TOO_MANY_REFS');
END;

-- What is deleted leaves a row without texts.
update issues set title = '', description = null where deleted_at is not null;
update milestones set description = null where iid < 0 and description is not null;

-- A status counts what its ref and name take in the indexes, where a long one takes a page of 4 kB each. An issue counts 40 bytes for
-- each of its labels.
drop trigger storage_counts;
drop trigger stored_ends;
drop trigger statuses_stored;
drop trigger statuses_restored;
drop trigger statuses_unstored;
update stored set bytes = bytes - (select coalesce(sum(bytes), 0) from storage) where id = 1;
update storage set bytes = storage.bytes - x.bytes from (select project_id, sum(quota_bytes) as bytes from statuses group by 1) x
  where storage.project_id = x.project_id;
alter table statuses drop column quota_bytes;
alter table statuses add column quota_bytes integer as (500 + 20 * (octet_length(ref) + octet_length(name)) + octet_length(stage)
  + coalesce(octet_length(target_url), 0) + coalesce(octet_length(description), 0)) virtual;
update storage set bytes = storage.bytes + x.bytes from (select project_id, sum(quota_bytes) as bytes from statuses group by 1) x
  where storage.project_id = x.project_id;
update storage set bytes = storage.bytes + x.bytes from (select i.project_id, 40 * count(*) as bytes
  from issue_labels b cross join issues i on i.id = b.issue_id group by 1) x
  where storage.project_id = x.project_id;
update stored set bytes = bytes + (select coalesce(sum(bytes), 0) from storage) where id = 1;
create trigger storage_counts after update of bytes on storage when new.bytes <> old.bytes BEGIN
  select raise(abort, 'E_PROJECT_FULL') from stored s
  where s.id = 1 and s.project_most > 0 and new.bytes > s.project_most and new.bytes > old.bytes;
  update stored set bytes = bytes + new.bytes - old.bytes where id = 1;
END;
create trigger stored_ends after update of bytes on stored when new.most > 0 and new.bytes > new.most and new.bytes > old.bytes BEGIN
  select raise(abort, 'E_SERVER_FULL');
END;
create trigger statuses_stored after insert on statuses BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger statuses_restored after update of stage, target_url, description on statuses when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger statuses_unstored after delete on statuses BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger issue_labels_stored after insert on issue_labels BEGIN
  update storage set bytes = bytes + 40 where project_id = (select i.project_id from issues i where i.id = new.issue_id);
END;
create trigger issue_labels_unstored after delete on issue_labels BEGIN
  update storage set bytes = bytes - 40 where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;
