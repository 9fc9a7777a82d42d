-- Texts that have changed since they were indexed: half of the visible ones, whose ids are even, and half of the hidden.
update issues set title = title || ' birch' where id % 4 < 2;
update notes set body = body || ' birch' where id % 4 < 2;
