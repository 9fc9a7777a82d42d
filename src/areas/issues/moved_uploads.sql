-- Uploads that the texts of an issue link to, which go with it into another project (behaviour 6.5).

-- name: linking_texts
-- returns: Text*
-- The description (note_id 0) and the comments of the issue :id that link to uploads: the oldest 1,000, up to :most
-- bytes.
with linking as (
  select 0 as note_id, octet_length(description) as bytes
  from issues
  where id = :id and instr(description, '/uploads/')
  union all
  select *
  from (select id, octet_length(body)
    from notes
    where issue_id = :id and not system and instr(body, '/uploads/')
    order by id
    limit 1000)
)
select note_id,
  iif(note_id = 0, (select description from issues where id = :id), (select body from notes where id = note_id)) as text
from (select note_id, sum(bytes) over (order by note_id) as until from linking)
where until <= :most;

-- name: linked
-- returns: LinkedUpload*
-- The uploads with the :secrets in the project of the issue :id. own: how the keys of copies begin.
select u.secret, u.size, coalesce(u.store, w.store) || '/' || u.project_id || '/uploads/' || u.secret as object_key,
  coalesce(w.own, w.store) as own
from json_each(:secrets) s
cross join issues i on i.id = :id
cross join uploads u on u.project_id = i.project_id and u.secret = s.value
cross join object_sweeps w on w.id = 1
order by s.key;

-- name: copy
-- copies: JSON [{secret, copy}, ..], the secrets of uploads and of their copies.
insert into uploads (project_id, secret, store, filename, size, sha256, author_id, person_id, created_at)
select :to_project_id, c.value ->> 'copy', w.own, u.filename, u.size, u.sha256, u.author_id, :person_id, :now
from json_each(:copies) c
cross join issues i on i.id = :id
cross join uploads u on u.project_id = i.project_id and u.secret = c.value ->> 'secret'
cross join object_sweeps w on w.id = 1;
