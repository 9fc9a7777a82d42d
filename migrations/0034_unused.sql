-- Indexes that no statement and no trigger reads any more, and two views that nothing names. Each index is a row more
-- that a write of its table writes.
drop index hooks_due;
drop index milestones_by_due_date;
drop index projects_archived;
drop index projects_by_name;
drop index projects_by_path;
drop index projects_without_issues;
drop index users_blocked;
drop view event_subjects;
drop view ref_bytes;
