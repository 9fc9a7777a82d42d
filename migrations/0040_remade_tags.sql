-- A tag that is made anew on the same commit must be told from the one before.

-- an annotated tag's own hash; null: another ref, or one told before this was asked for
alter table refs add column tag_sha text;
