//! No answer has more than 4 MB, whatever the texts of its rows (behaviour 13). In JSON a control character takes six bytes.

use crate::support::{Server, Visibility, World, templates};
use edgeforge::{Dialect, Profile};
use std::collections::BTreeSet;

const ROWS: usize = 120;

/// An expression for a text of this many control characters.
fn text(length: usize) -> String {
    format!("replace(hex(zeroblob({length})), '00', char(1))")
}

/// A project whose commits, statuses, environments and people have texts as long as was ever allowed.
fn world() -> World {
    let world = World::new(Server::own(templates::blobs()), Visibility::Private);
    world.push_line(1);
    let (project, ann, name) = (world.project.id, world.ann.id, text(255));
    let numbers = format!("with recursive n(n) as (select 1 union all select n + 1 from n where n < {ROWS})");
    let run = |sql: String| assert!(world.server.tamper(&sql), "not in process");
    run(format!(
        "update users set name = {name}, bio = {name}, location = {name}, skype = {name}, linkedin = {name},
          twitter = {name}, website_url = {name};
        update projects set description = {} where id = {project};",
        text(2000)
    ));
    run(format!(
        "insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name,
          committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas, branch)
        {numbers} select n + 1000, {project}, printf('%040x', n), {long}, {long}, n, 0, {long}, {long}, n, 0, {name}, 0, 0, '[]', 'x'
        from n;
        insert into refs (project_id, name, commit_id, committed_at) {numbers} select {project}, 'refs/heads/' || n, n + 1000, n from n;
        insert into refs (project_id, name, commit_id, committed_at) {numbers} select {project}, 'refs/tags/' || n, n + 1000, n from n;",
        long = text(4096)
    ));
    run(format!(
        "insert into statuses (id, project_id, commit_id, ref, name, user_id, state, target_url, description, created_at)
        {numbers} select n + 1000, {project}, 1001, '', n || {name}, {ann}, 'success', {url}, {url}, n from n;
        insert into environments (id, project_id, number, name, description, external_url, created_at)
        {numbers} select n + 1000, {project}, n, n || {name}, {}, {name}, n from n;
        insert into deployments (project_id, iid, environment_id, commit_id, ref, user_id, changed_by, name, state, created_at)
        {numbers} select {project}, n, n + 1000, 1001, '', {ann}, {ann}, n || {name}, 'success', n from n;",
        text(10_000),
        url = text(16_384)
    ));
    world
}

#[test]
fn no_list_has_more_than_4_mb_whatever_the_texts_of_its_rows() {
    hold(5);
}

#[test]
#[ignore = "a proof: make prove"]
fn none_of_all_lists_has_more_than_4_mb_whatever_the_texts_of_its_rows() {
    hold(1);
}

/// One of so many lists has all of its rows on pages of 4 MB at most.
fn hold(step: usize) {
    let world = world();
    let sha = format!("{:040x}", 1);
    let lists = [
        (true, "/repository/commits?all=true".to_owned(), ROWS + 1),
        (true, "/repository/branches?a=b".to_owned(), ROWS + 1),
        (true, "/repository/branches?search=1&sort=updated_desc".to_owned(), 40),
        (true, "/repository/tags?a=b".to_owned(), ROWS),
        (true, "/repository/tags?order_by=version&sort=asc".to_owned(), ROWS),
        (true, "/repository/tags?order_by=version".to_owned(), ROWS),
        (true, format!("/repository/commits/{sha}/statuses?a=b"), ROWS),
        (true, format!("/repository/commits/{sha}/statuses?all=true"), ROWS),
        (true, format!("/repository/commits/{sha}/statuses?all=true&sort=desc"), ROWS),
        (true, "/environments?a=b".to_owned(), ROWS),
        (true, "/environments?states=available".to_owned(), ROWS),
        (true, "/deployments?a=b".to_owned(), ROWS),
        (true, "/deployments?status=success".to_owned(), ROWS),
        (true, "/deployments?order_by=updated_at&sort=desc".to_owned(), ROWS),
        (true, "/jobs?a=b".to_owned(), ROWS),
        (true, "/pipelines/1001/jobs?a=b".to_owned(), ROWS),
        (false, "/repository/branches?a=b".to_owned(), ROWS + 1),
        (false, format!("/repository/commits/{sha}/statuses?all=true"), ROWS),
        (false, "/environments?a=b".to_owned(), ROWS),
        (false, "/deployments?a=b".to_owned(), ROWS),
    ];
    for (is_v4, path, rows) in lists.into_iter().step_by(step) {
        let (version, dialect) = if is_v4 { ("v4", Dialect::V4) } else { ("v3", Dialect::V3(Profile::Spec)) };
        let mut next = Some(format!("/projects/{}{path}&per_page=100", world.project.id));
        let (mut listed, mut pages) = (BTreeSet::new(), 0);
        while let Some(target) = next {
            let answer = world.server.ask_of(dialect, "GET", target).by(&world.ann).gives(200);
            let bytes = answer.text.len();
            assert!(pages < 40, "{version} {path}: no last page");
            assert!(bytes <= 4_000_000, "{version} {path}: {bytes} bytes on page {pages}");
            let rows = answer.json.as_array().expect("a list").iter();
            listed.extend(rows.map(|row| if row["id"].is_null() { &row["name"] } else { &row["id"] }.to_string()));
            pages += 1;
            next = answer.next();
        }
        assert_eq!((listed.len(), pages > 1), (rows, true), "{version} {path}: rows, several pages");
    }
}
