-- Badges of projects: pictures with an address of their own, and where a click on them leads.
create table badges (
  id integer primary key,
  project_id integer not null references projects (id),
  name text check (octet_length(name) <= 1020),
  link_url text not null check (octet_length(link_url) <= 1020),
  image_url text not null check (octet_length(image_url) <= 1020),
  created_at integer not null,
  quota_bytes integer as (100 + coalesce(octet_length(name), 0) + octet_length(link_url) + octet_length(image_url)) virtual
) strict;
create index badges_of_project on badges (project_id, id);
create trigger badges_stored after insert on badges BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger badges_restored after update of name, link_url, image_url on badges when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger badges_unstored after delete on badges BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
