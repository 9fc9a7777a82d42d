-- Puts on the labels `?2` that it does not bear yet.
-- Binds: ?1 self.row.id, ?2 on.as_str()
-- Rows in the small world: 0 given, 0 written

insert into issue_labels (issue_id, label_id)
select i.id, l.id
from issues i
cross join json_each(?2) named
cross join labels l
on l.project_id = i.project_id and l.title = named.value
where i.id = (select ?1) and i.deleted_at is null
on conflict do nothing

-- Plan:
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
-- SCAN named VIRTUAL TABLE INDEX 1:
-- SEARCH l USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?)
