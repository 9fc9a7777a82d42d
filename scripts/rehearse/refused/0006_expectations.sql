-- What a batch expects: `insert into expectations (holds) select ..` ends the whole batch, nothing written, unless
-- the condition is true. The table stays empty.
create table expectations (holds integer not null) strict;
create trigger expectations_judge before insert on expectations begin
  select case when new.holds then raise(ignore) else raise(abort, 'E_EXPECTATION') end;
end;
