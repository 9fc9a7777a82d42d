-- The blacklist holds a domain while it is enabled, whatever two changes at once say; the text goes to the client.
create trigger settings_blacklist_holds_a_domain before update on settings
when new.domain_blacklist_enabled = 1 and json_array_length(new.domain_blacklist) = 0
begin
  select raise(abort, 'Domain blacklist cannot be empty if Blacklist is enabled.');
end;
