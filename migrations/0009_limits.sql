-- Limits of what is stored.

-- the bytes before the batch that is being stored
alter table mirrors add column bytes_before integer not null default 0;
-- parents of commits beyond the second. A walk reads them all, so a project has a limited number
alter table mirrors add column extra_parents integer not null default 0;
