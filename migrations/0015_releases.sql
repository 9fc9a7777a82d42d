-- Releases: a name and a description for a tag, and links to what was built from it.

create table releases (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- the name of a tag, which may be gone by now
  tag text not null check (octet_length(tag) between 1 and 1024),
  -- null: the name of the tag
  name text check (octet_length(name) between 1 and 1020),
  -- the commit of the tag when the release was made
  sha text not null check (octet_length(sha) <= 64),
  author_id integer not null,
  created_at integer not null,
  updated_at integer not null,
  released_at integer not null,
  quota_bytes integer as (
    300 + octet_length(tag) + coalesce(octet_length(name), 0) + coalesce(octet_length(description), 0)
  ) virtual,
  description text check (octet_length(description) <= 1000000)
) strict;
create unique index releases_of_tag on releases (project_id, tag);
create index releases_by_release on releases (project_id, released_at, id);
-- updated_at is for totals
create index releases_by_creation on releases (project_id, created_at, id, updated_at);

create trigger releases_stored after insert on releases BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger releases_restored after update of name, description on releases
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger releases_unstored after delete on releases BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

create table release_links (
  id integer primary key autoincrement,
  release_id integer not null references releases (id),
  -- that of the release, whose bytes the link counts in
  project_id integer not null,
  name text not null check (octet_length(name) between 1 and 1020),
  url text not null check (octet_length(url) between 1 and 2048),
  -- the end of a lasting address of the link, with a slash in front
  filepath text check (octet_length(filepath) between 2 and 128),
  link_type text not null check (link_type in ('other', 'runbook', 'image', 'package')),
  quota_bytes integer as (200 + octet_length(name) + octet_length(url) + coalesce(octet_length(filepath), 0)) virtual
) strict;
create unique index release_links_by_name on release_links (release_id, name);
create unique index release_links_by_url on release_links (release_id, url);
create unique index release_links_by_path on release_links (release_id, filepath) where filepath is not null;

create trigger release_links_stored after insert on release_links BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger release_links_restored after update of name, url, filepath on release_links
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger release_links_unstored after delete on release_links BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- The milestones of releases. A deleted milestone keeps its row here, and no read shows it.
create table milestone_releases (
  release_id integer not null references releases (id),
  milestone_id integer not null references milestones (id),
  -- that of the release
  project_id integer not null,
  quota_bytes integer as (60) virtual,
  primary key (release_id, milestone_id)
) without rowid, strict;
create index milestone_releases_of_milestone on milestone_releases (milestone_id);

create trigger milestone_releases_stored after insert on milestone_releases BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger milestone_releases_unstored after delete on milestone_releases BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- A release in answers. links: the newest first. milestones: with the numbers of their issues. Descriptions of more
-- than 10,000 bytes are cut.
create view release_rows as
select
  r.id, r.project_id, r.tag, r.name, r.description, r.sha, r.created_at, r.updated_at, r.released_at,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = r.author_id
  ) as author,
  (
    select d.document
    from commits c
    cross join commit_documents d on d.id = c.id
    where c.project_id = r.project_id and c.sha = r.sha
  ) as "commit",
  (
    select json_group_array(
      json_object('id', l.id, 'name', l.name, 'url', l.url, 'filepath', l.filepath, 'link_type', l.link_type)
    )
    from (select * from release_links k where k.release_id = r.id order by k.id desc) l
  ) as links,
  (
    select json_group_array(
      json_object(
        'id', m.id, 'iid', m.iid, 'project_id', m.project_id, 'title', m.title,
        'description', iif(octet_length(m.description) > 10000, substr(m.description, 1, 2000), m.description),
        'state', m.state, 'due_date', m.due_date, 'start_date', m.start_date, 'created_at', m.created_at,
        'updated_at', m.updated_at, 'opened', m.opened, 'closed', m.closed, 'opened_hidden', m.opened_hidden,
        'closed_hidden', m.closed_hidden
      )
    )
    from milestone_releases b
    cross join milestones m on m.id = b.milestone_id and m.iid > 0
    where b.release_id = r.id
  ) as milestones
from releases r;

-- An estimate of the length. The name of the tag is in many addresses.
create view release_lengths as
select
  r.id,
  (3000 + 40 * octet_length(r.tag) + octet_length(json_array(r.name, r.description)))
    + (
      coalesce(
        (
          select 1000
            + octet_length(
              json_array(c.message, c.author_name, c.author_email, c.committer_name, c.committer_email, c.parent_shas)
            )
          from commits c
          where c.project_id = r.project_id and c.sha = r.sha
        ),
        0
      )
        + (
          coalesce(
            (
              select sum(400 + 3 * octet_length(r.tag) + octet_length(json_array(k.name, k.url, k.url)))
              from release_links k
              where k.release_id = r.id
            ),
            0
          )
            + coalesce(
              (
                select sum(
                  700
                    + octet_length(
                      json_array(
                        m.title, iif(octet_length(m.description) > 10000, substr(m.description, 1, 2000), m.description)
                      )
                    )
                )
                from milestone_releases b
                cross join milestones m on m.id = b.milestone_id
                where b.release_id = r.id
              ),
              0
            )
        )
    ) as answered
from releases r;
