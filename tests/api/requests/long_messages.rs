//! A page of commits holds 3 MB of messages: one long message among many ends none.

use crate::support::{Filled, Server, templates};
use edgeforge::{Dialect, Profile};
use serde_json::Value;

/// 60 commits on `x`, each with a branch, a tag, a release, a deployment and a job. Three have long texts, of 720 kB in
/// all.
fn filled() -> Filled {
    let filled = Filled::new(Server::own(templates::blobs()));
    let (project, ann) = (filled.world.project.id, filled.world.ann.id);
    filled.world.server.tamper(&format!(
        "create temp table numbers (n integer primary key);
        with recursive n(n) as (select 1 union all select n + 1 from n where n < 60) insert into numbers select n from n;
        insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name,
          committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas, branch)
          select n + 1000, {project}, printf('%04x%036x', n + 40000, n), iif(n = 50, replace(hex(zeroblob(4096)), '00', 'A'), 'A'),
            'a@b.c', n, 0, 'A', 'a@b.c', n * 60, 0,
            'm' || iif(n in (20, 41), replace(hex(zeroblob(iif(n = 20, 700000, 20001))), '00', 'x'), ''), 0, 0, '[]', 'x'
          from numbers;
        insert into parents (child_id, position, parent_id, parent_committed_at)
          select id, 0, id - 1, committed_at - 60 from commits where id > 1001;
        insert into refs (project_id, name, commit_id, committed_at)
          values ({project}, 'refs/heads/x', 1060, 3600);
        insert into refs (project_id, name, commit_id, committed_at)
          select {project}, printf('refs/heads/y%02d', n), n + 1000, n * 60 from numbers;
        insert into refs (project_id, name, commit_id, committed_at, tag_sha, message)
          select {project}, printf('refs/tags/t%02d', n), n + 1000, n * 60, printf('%040x', n),
            replace(hex(zeroblob(iif(n = 41, 20001, 1))), '00', 'x')
          from numbers;
        insert into releases (project_id, tag, sha, author_id, created_at, updated_at, released_at, description)
          select {project}, printf('t%02d', n), printf('%04x%036x', n + 40000, n), {ann}, n, n, n, '' from numbers;
        insert into environments (id, project_id, number, name, description, created_at)
          values (1000, {project}, 1000, 'long', '', 1);
        insert into deployments (project_id, iid, environment_id, commit_id, ref, user_id, changed_by, name, state, created_at)
          select {project}, n + 1000, 1000, n + 1000, '', {ann}, {ann}, 'long', 'success', n from numbers;
        insert into statuses (id, project_id, commit_id, ref, name, user_id, state, created_at)
          select n + 1000, {project}, n + 1000, '', 's', {ann}, 'success', n from numbers;"
    ));
    filled
}

/// Lists of the project, and how many rows they have.
const LISTS: [(bool, &str, usize); 27] = [
    (true, "repository/commits?ref_name=x", 60),
    (true, "repository/commits?ref_name=refs/heads/x", 60),
    (true, "repository/commits?ref_name=TIP", 60),
    (true, "repository/commits?ref_name=SHORT", 60),
    (true, "repository/commits?ref_name=t60", 60),
    (true, "repository/commits?ref_name=x&since=1970-01-01T00:00:00Z", 60),
    (true, "repository/commits?ref_name=x&since=1970-01-01T00:11:00Z", 50),
    (true, "repository/commits?ref_name=x&until=1970-01-01T00:50:00Z", 50),
    (true, "repository/commits?ref_name=x&since=1970-01-01T00:11:00Z&until=1970-01-01T00:50:00Z", 40),
    (true, "repository/commits?ref_name=x&first_parent=true", 60),
    (true, "repository/commits?ref_name=x&with_stats=true", 60),
    (true, "repository/commits?ref_name=x&order=topo", 60),
    (true, "repository/commits?ref_name=x&trailers=true", 60),
    (true, "repository/commits?ref_name=x&author=a@b", 60),
    (true, "repository/commits?all=true", 63),
    (true, "repository/commits?ref_name=t01..x", 59),
    // no message of more than 50,000 bytes is searched
    (true, "search?scope=commits&search=m&ref=x", 59),
    (true, "repository/branches?search=^y", 60),
    (true, "repository/tags?search=^t", 60),
    (true, "releases?x", 60),
    (true, "deployments?environment=long", 60),
    (true, "jobs?x", 60),
    (false, "repository/commits?ref_name=x", 60),
    (false, "repository/commits?ref_name=SHORT", 60),
    (false, "repository/commits?ref_name=x&since=1970-01-01T00:11:00Z", 50),
    (false, "repository/commits?ref_name=x&until=1970-01-01T00:50:00Z", 50),
    (false, "repository/tags?x", 61),
];

#[test]
fn a_long_message_among_60_commits_ends_no_page() {
    let filled = filled();
    let tip = format!("{:04x}{:036x}", 40_060, 60);
    for (is_v4, list, expected) in LISTS {
        let dialect = if is_v4 { Dialect::V4 } else { Dialect::V3(Profile::Spec) };
        let list = list.replace("TIP", &tip).replace("SHORT", &tip[..7]).replace('^', "%5E");
        for size in [7, 20, 50, 100] {
            let (mut rows, mut page) = (Vec::new(), 1);
            loop {
                let target = format!("/projects/{}/{list}&per_page={size}&page={page}", filled.world.project.id);
                let answer = filled.world.server.ask_of(dialect, "GET", target).by(&filled.world.ann).gives(200);
                let found = answer.json.as_array().unwrap();
                rows.extend(found.iter().map(Value::to_string));
                // as a program does that takes a short page for the last
                if found.len() < size {
                    break;
                }
                page += 1;
            }
            rows.sort();
            rows.dedup();
            assert_eq!(rows.len(), expected, "{list} by {size}");
        }
    }
    let feed = filled.world.v4("GET", "/feeds/x/commits.atom").by(&filled.world.ann).gives(200);
    assert_eq!(feed.text.matches("<entry>").count(), 20);
}
