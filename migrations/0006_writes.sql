-- What guards the writing transactions.

-- What a batch expects. A row with holds = 0 ends the whole batch and nothing of it is written. A row with holds = 1 is
-- dropped, so the table stays empty.
create table expectations (
  -- whether the expected condition is true
  holds integer not null
) strict;
create trigger expectations_hold before insert on expectations when new.holds BEGIN
  select raise(ignore);
END;
create trigger expectations_fail before insert on expectations when not new.holds BEGIN
  select raise(abort, 'E_EXPECTATION');
END;
