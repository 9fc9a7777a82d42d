//! However a list is walked, by the numbers of its pages, by `Link` or by keyset: each row comes once, in one order. The
//! rows have random lengths up to their limits, so that pages end early.

use crate::support::{Answer, Dice, Filled, Person, Server, tables, templated, templates};
use edgeforge::{Dialect, Profile};
use serde_json::{Value, json};

/// An expression for a text of at most `most` bytes as JSON. Most are short, and some nearly as long as they may be.
fn text(dice: &mut Dice, most: usize) -> String {
    let length = match dice.roll(10) {
        0..=4 => dice.roll(200),
        5..=7 => dice.roll(most / 15),
        _ => dice.roll(most),
    };
    let (letter, bytes) = *dice.one(&[(120, 1), (34, 2), (1, 6)]);
    format!("'a' || replace(hex(zeroblob({})), '00', char({letter}))", length / bytes)
}

/// A project with so many records of each kind that has long texts, some of one time.
fn filled(dice: &mut Dice, rows: usize) -> Filled {
    let filled = Filled::new(Server::own(templates::blobs()));
    let (project, ann, issue) = (filled.world.project.id, filled.world.ann.id, filled.issue);
    let run = |sql: String| assert!(filled.world.server.tamper(&sql), "not in process");
    for n in 1..=rows {
        let mut long = |most: usize| text(dice, most);
        let [message, description, plan, body, note, release] = [880_000; 6].map(&mut long);
        let [url, environment, label] = [16_000, 60_000, 1500].map(&mut long);
        let (at, time) = (n + 1000, dice.roll(rows / 3 + 1));
        run(format!(
            "insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name,
              committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas, branch)
              values ({at}, {project}, printf('%040x', {at}), 'A', 'a@b.c', {n}, 0, 'A', 'a@b.c', {n} * 60, 0, {message}, 0, 0,
              '[]', 'long');
            insert into parents (child_id, position, parent_id, parent_committed_at)
              select {at}, 0, {at} - 1, {n} * 60 - 60 where {n} > 1;
            insert into refs (project_id, name, commit_id, committed_at) values
              ({project}, 'refs/tags/v{n}', {at}, {n} * 60), ({project}, 'refs/heads/b{n}', {at}, {n} * 60)
              on conflict do nothing;
            insert into issues (id, project_id, iid, author_id, title, description, created_at, updated_at, due_date)
              values ({at}, {project}, {at}, {ann}, 'i{n}', {description}, {time}, {time}, iif({n} % 3, '2020-01-01', null));
            insert into milestones (project_id, iid, title, description, created_at, updated_at)
              values ({project}, {at}, 'm{n}', {plan}, {time}, {time});
            insert into notes (id, project_id, issue_id, author_id, body, created_at, updated_at)
              values ({at}, {project}, {issue}, {ann}, {body}, {time}, {time});
            insert into events (project_id, author_id, kind, action, target_id, created_at)
              values ({project}, {ann}, 'note', 'commented', {at}, {n});
            insert into todos (user_id, author_id, project_id, issue_id, note_id, action, created_at, updated_at)
              values ({ann}, {ann}, {project}, {issue}, {at}, 'marked', {n}, {n});
            insert into commit_comments (project_id, commit_id, author_id, created_at, updated_at, note)
              values ({project}, 1001, {ann}, {time}, {time}, '{n}' || {note});
            insert into releases (project_id, tag, sha, author_id, created_at, updated_at, released_at, description)
              values ({project}, 'v{n}', printf('%040x', {at}), {ann}, {time}, {time}, {time}, {release});
            insert into labels (id, project_id, title, color, created_at, description)
              values ({at}, {project}, 'l{n}', '#ff0000', 0, {label});
            insert into resource_events (issue_id, user_id, kind, action, label_id, label_made_at, state, created_at)
              values ({issue}, {ann}, 'label', 'add', {at}, 0, 'opened', {time});
            insert into issue_links (source_id, target_id, link_type, created_at, project_id)
              values ({issue}, {at}, 'relates_to', {time}, {project});
            insert into statuses (id, project_id, commit_id, ref, name, user_id, state, target_url, description, created_at)
              values ({at}, {project}, 1001, '', 's{n}', {ann}, 'success', {url}, {url}, {n});
            insert into environments (id, project_id, number, name, description, created_at)
              values ({at}, {project}, {at}, 'e{n}', {environment}, {n});
            insert into deployments (project_id, iid, environment_id, commit_id, ref, user_id, changed_by, name, state, created_at)
              values ({project}, {at}, {at}, {at}, '', {ann}, {ann}, 'd{n}', 'success', {n});"
        ));
    }
    run(format!(
        "update refs set commit_id = {rows} + 1000, committed_at = {rows} * 60
        where name = 'refs/heads/master' and project_id = {project}"
    ));
    filled
}

/// The long lists below a project, which follow the others.
const LONG: [(bool, &str); 42] = [
    (true, "repository/commits?x"),
    (true, "repository/commits?all=true"),
    (true, "repository/commits?first_parent=true"),
    (true, "repository/commits?author=a"),
    (true, "repository/commits?since=1970-01-01T00:05:00Z"),
    (true, "repository/commits?until=1970-01-01T00:30:00Z"),
    (true, "issues?x"),
    (true, "issues?sort=asc&order_by=updated_at"),
    (true, "issues?order_by=title"),
    (true, "issues?due_date=any"),
    (true, "issues?search=i1"),
    (true, "issues?not[labels]=l1&milestone=None"),
    (true, "issues?assignee_id=None&order_by=updated_at"),
    (true, "issues?author_id=ANN&order_by=updated_at"),
    (true, "issues/1/notes?sort=asc"),
    (true, "issues/1/notes?sort=desc"),
    (true, "issues/1/notes?order_by=updated_at"),
    (true, "issues/1/discussions?x"),
    (true, "issues/1/resource_label_events?x"),
    (true, "issues/1/links?x"),
    (true, "repository/commits/COMMIT/comments?x"),
    (true, "repository/commits/COMMIT/statuses?all=true"),
    (true, "milestones?x"),
    (true, "milestones?search=m1"),
    (true, "events?x"),
    (true, "releases?x"),
    (true, "releases?order_by=created_at&sort=asc"),
    (true, "repository/branches?x"),
    (true, "repository/branches?search=b&sort=updated_desc"),
    (true, "repository/tags?order_by=version"),
    (true, "environments?x"),
    (true, "deployments?x"),
    (true, "deployments?order_by=updated_at&sort=desc"),
    (true, "jobs?x"),
    (false, "issues?x"),
    (false, "issues?sort=asc&order_by=updated_at&state=opened"),
    (false, "repository/commits?x"),
    (false, "repository/branches?x"),
    (false, "milestones?x"),
    (false, "issues/ISSUE/notes?x"),
    (false, "deployments?x"),
    (false, "environments?x"),
];

/// What one walk took from a list, how many rows each page had, and the error that ended it.
#[derive(Debug, Default)]
struct Walk {
    rows: Vec<Value>,
    pages: Vec<usize>,
    refused: bool,
}

impl Walk {
    fn add(&mut self, answer: &Answer) {
        let key = |row: &Value| if row["id"].is_null() { row.clone() } else { row["id"].clone() };
        let rows = answer.json.as_array().unwrap_or_else(|| panic!("{}: no list", answer.what));
        self.pages.push(rows.len());
        self.rows.extend(rows.iter().map(key));
        assert!(self.pages.len() < 500, "{}: no end", answer.what);
    }
}

struct List<'a> {
    filled: &'a Filled,
    dialect: Dialect,
    path: String,
    size: usize,
}

impl List<'_> {
    fn get(&self, person: &Person, query: &str) -> Answer {
        let joint = if self.path.contains('?') { '&' } else { '?' };
        let target = format!("{}{joint}per_page={}{query}", self.path, self.size);
        self.filled.world.server.ask_of(self.dialect, "GET", target).by(person).send()
    }

    /// Follows the links, of pages with or without numbers.
    fn by_link(&self, query: &str) -> Option<Walk> {
        let (root, mut walk) = (self.filled.world.root.clone(), Walk::default());
        let mut answer = self.get(&root, query);
        loop {
            if answer.status != 200 || !answer.json.is_array() {
                return None;
            }
            walk.add(&answer);
            let Some(next) = answer.next() else { return Some(walk) };
            answer = self.filled.world.server.ask_of(self.dialect, "GET", next).by(&root).gives(200);
        }
    }

    fn by_number(&self) -> Walk {
        let (root, mut walk) = (self.filled.world.root.clone(), Walk::default());
        let mut answer = self.get(&root, "");
        loop {
            walk.add(&answer);
            let next = answer.header("X-Next-Page").unwrap_or_default().to_owned();
            if next.is_empty() {
                return walk;
            }
            answer = self.get(&root, &format!("&page={next}"));
            if answer.status == 400 {
                assert_eq!(answer.json["error"], "the page before ends early: follow its next link", "{}", answer.what);
                assert!(answer.json["hint"].as_str().is_some_and(|hint| hint.contains("next")), "{}", answer.text);
                walk.refused = true;
                return walk;
            }
        }
    }

    /// Returns how many rows there are, and whether a page ended early. None if it is no list.
    fn holds(&self) -> Option<(usize, bool)> {
        let List { path, size, .. } = self;
        let linked = self.by_link("")?;
        let numbered = self.by_number();
        let mut once = linked.rows.clone();
        once.sort_by_key(Value::to_string);
        once.dedup();
        assert_eq!(once.len(), linked.rows.len(), "{path}: {size} a page: a row comes twice by Link");
        let same = linked.rows.get(..numbered.rows.len()) == Some(&numbered.rows[..]);
        assert!(same, "{path}: {size} a page: by number {:?}, by Link {:?}", numbered.pages, linked.pages);
        let short = linked.pages.iter().rev().skip(1).any(|rows| rows < size);
        if numbered.refused {
            assert!(numbered.pages.last() < Some(size), "{path}: {:?} is refused", numbered.pages);
        } else {
            assert_eq!(numbered.rows.len(), linked.rows.len(), "{path}: {size} a page: {:?}", numbered.pages);
        }
        // no page by its number has what another page has
        let whole = Walk { rows: linked.rows.clone(), ..Walk::default() };
        for number in 2..=(whole.rows.len() / size + 2).min(8) {
            let answer = self.get(&self.filled.world.root.clone(), &format!("&page={number}"));
            if answer.status == 200 {
                let mut page = Walk::default();
                page.add(&answer);
                let from = (number - 1) * size;
                let expected = whole.rows.get(from..).unwrap_or_default();
                assert_eq!(expected.get(..page.rows.len()), Some(&page.rows[..]), "{}", answer.what);
            }
        }
        if let Some(keyset) = self.by_link("&pagination=keyset") {
            assert_eq!(keyset.rows, linked.rows, "{path}: {size} a page by keyset");
        }
        Some((linked.rows.len(), short))
    }
}

/// Every list that the descriptions know, and those of long texts at several sizes.
fn walk_all(seed: u64, rows: usize, sizes: usize, step: usize) {
    let mut dice = Dice(seed);
    let filled = filled(&mut dice, rows);
    let v3 = Dialect::V3(Profile::Spec);
    let (mut lists, mut shown, mut early) = (0, 0, 0);
    let mut hold = |dialect, path: String, size| {
        let list = List { filled: &filled, dialect, path, size };
        let Some((rows, short)) = list.holds() else { return };
        (lists, shown, early) = (lists + 1, shown + rows, early + usize::from(short));
    };
    for table in tables() {
        let dialect = if table.name == "v4" { Dialect::V4 } else { v3 };
        for (_, pattern) in table.routes.iter().filter(|(verb, _)| *verb == "GET") {
            let template = templated(pattern);
            let operation = table.contract.operations().iter().find(|it| it.method == "GET" && it.path == template);
            if !operation.is_some_and(|known| known.parameters.contains_key("per_page")) {
                continue;
            }
            let (address, issue) = (filled.address(pattern), format!("/issues/{}", filled.issue));
            let path = if dialect == Dialect::V4 { address.replace(&issue, "/issues/1") } else { address };
            if step == 1 || !path.contains("/repository/") {
                hold(dialect, path, if step == 1 { 1 + dice.roll(30) } else { 20 });
            }
        }
    }
    let commit = format!("{:040x}", 1001);
    for (is_v4, list) in LONG.into_iter().skip(dice.roll(step)).step_by(step) {
        let list = list.replace("COMMIT", &commit).replace("ISSUE", &filled.issue.to_string());
        let list = list.replace("ANN", &filled.world.ann.id.to_string());
        for _ in 0..sizes {
            let path = format!("/projects/{}/{list}", filled.world.project.id);
            hold(if is_v4 { Dialect::V4 } else { v3 }, path, *dice.one(&[2, 7, 20, 50, 100]));
        }
    }
    println!("seed {seed}: {lists} lists with {shown} rows, {early} with a page that ended early");
    assert!(lists > 20 && early * 8 > lists / step, "seed {seed}: {lists} lists, {early} with an early end");
}

#[test]
fn a_walk_by_number_by_link_or_by_keyset_has_each_row_once_in_order() {
    walk_all(1, 60, 1, 3);
}

/// The smallest input: a commit with a message of 20,001 bytes among 60.
#[test]
fn a_long_message_among_60_commits_ends_no_page() {
    let filled = Filled::new(Server::own(templates::blobs()));
    let project = filled.world.project.id;
    filled.world.server.tamper(&format!(
        "with recursive n(n) as (select 1 union all select n + 1 from n where n < 60)
        insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name,
          committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas, branch)
          select n + 1000, {project}, printf('%040x', n + 1000), 'A', 'a@b.c', n, 0, 'A', 'a@b.c', n * 60, 0,
            iif(n = 41, replace(hex(zeroblob(20001)), '00', 'x'), 'm'), 0, 0, '[]', 'x' from n;
        insert into parents (child_id, position, parent_id, parent_committed_at)
          select id, 0, id - 1, committed_at - 60 from commits where id > 1001;
        insert into refs (project_id, name, commit_id) values ({project}, 'refs/heads/x', 1060);"
    ));
    let page = |query: &str| {
        let list = filled.world.v4("GET", &format!("/repository/commits?ref_name=x&{query}"));
        list.by(&filled.world.ann).gives(200).each("id").len()
    };
    assert_eq!(["per_page=100", "per_page=100&page=2", "per_page=50", "per_page=50&page=2"].map(page), [60, 0, 50, 10]);
    let feed = filled.world.v4("GET", "/feeds/x/commits.atom").by(&filled.world.ann).gives(200);
    assert_eq!(feed.text.matches("<entry>").count(), 20);
    assert_eq!(json!(page("per_page=20&page=3")), json!(20));
}
