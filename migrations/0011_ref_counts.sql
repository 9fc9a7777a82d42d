-- How many commits a ref reaches, as the mirror hook counted them when it moved the ref: the total of its list of commits.
-- null: not counted
alter table refs add column commits integer check (commits > 0);
