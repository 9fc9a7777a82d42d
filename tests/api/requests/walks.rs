//! However a list is walked, by the numbers of its pages, by `Link` or by keyset: each row comes once, in one order. The
//! rows have random lengths up to their limits, so that pages end early.

use crate::support::contents::{blob, tree};
use crate::support::git::commit;
use crate::support::{Answer, Dice, Filled, Person, Server, tables, templated};
use edgeforge::{Dialect, Profile};
use serde_json::{Value, json};
use std::fmt;

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
    let filled = Filled::new(Server::with_objects(|_| ()));
    add_directory(&filled, dice, rows);
    let (project, ann, issue) = (filled.world.project.id, filled.world.ann.id, filled.issue);
    let run = |sql: String| assert!(filled.world.server.tamper(&sql), "not in process");
    for n in 1..=rows {
        let mut long = |most: usize| text(dice, most);
        let [message, description, plan, body, note, release] = [880_000; 6].map(&mut long);
        let [url, environment, label] = [16_000, 60_000, 1500].map(&mut long);
        let author = long(4096);
        let (at, time) = (n + 1000, dice.roll(rows / 3 + 1));
        run(format!(
            "insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name,
              committer_email, committed_at, committer_zone, message, additions, deletions, parent_shas, branch)
              values ({at}, {project}, printf('%040x', {at}), {author}, 'a{n}@b.c', {n}, 0, 'A', 'a@b.c', {n} * 60, 0, {message},
              0, 0, '[]', 'long');
            insert into parents (child_id, position, parent_id, parent_committed_at)
              select {at}, 0, {at} - 1, {n} * 60 - 60 where {n} > 1;
            insert into refs (project_id, name, commit_id, committed_at) values
              ({project}, 'refs/tags/v{n}', {at}, {n} * 60), ({project}, 'refs/heads/b{n}', {at}, {n} * 60)
              on conflict do nothing;
            insert into issues (id, project_id, iid, author_id, title, description, created_at, updated_at, due_date)
              values ({at}, {project}, {at}, {ann}, 'i{n}', {description}, {time}, {time}, iif({n} % 3, '2020-01-01', null));
            insert into milestones (project_id, iid, title, description, created_at, updated_at)
              values ({project}, {n} + 1, 'm{n}', {plan}, {time}, {time});
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
              values ({at}, {project}, {n} + 1, 'e{n}', {environment}, {n});
            insert into deployments (project_id, iid, environment_id, commit_id, ref, user_id, changed_by, name, state, created_at)
              values ({project}, {n} + 1, {at}, {at}, '', {ann}, {ann}, 'd{n}', 'success', {n});"
        ));
    }
    run(format!(
        "update refs set commit_id = {rows} + 1000, committed_at = {rows} * 60, commits = null
        where name = 'refs/heads/master' and project_id = {project};
        delete from branch_counts where project_id = {project};"
    ));
    filled
}

/// A branch `trees` whose only commit has a directory of so many files.
fn add_directory(filled: &Filled, dice: &mut Dice, rows: usize) {
    let (world, file) = (&filled.world, blob("one\n"));
    let names: Vec<String> = (0..rows).map(|n| format!("{n:03}{}", "x".repeat(dice.roll(4000)))).collect();
    let entries: Vec<(&str, &[u8], &str)> = names.iter().map(|name| ("100644", name.as_bytes(), file.id())).collect();
    let root = tree(&entries);
    let made = commit(9, &[]).with(|commit| commit.tree = root.id().to_owned());
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": [made.wire()] })).gives(201);
    world.tag("refs/heads/trees", [None, Some(&made.sha)], None, &[]);
    world.send_objects(&[file, root]);
    world.note(json!({ "extent": "tips", "complete": [made.sha] }));
}

/// The long lists below a project, which follow the others.
const LONG: [(bool, &str); 59] = [
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
    (true, "repository/commits?with_stats=true&trailers=true"),
    (true, "repository/commits?order=topo&ref_name=b9"),
    (true, "repository/commits?ref_name=v5..master"),
    (true, "repository/commits?ref_name=b40&since=1970-01-01T00:05:00Z&first_parent=true"),
    (true, "repository/commits?all=true&until=1970-01-01T00:30:00Z"),
    (true, "repository/commits/COMMIT/discussions?x"),
    (true, "repository/commits/COMMIT/refs?type=all"),
    (true, "repository/contributors?order_by=name&sort=desc"),
    (true, "repository/tags?order_by=updated&sort=asc"),
    (true, "repository/tree?ref=trees"),
    (true, "search?scope=commits&search=a"),
    (true, "search?scope=notes&search=a"),
    (true, "search?scope=milestones&search=m"),
    (false, "issues?x"),
    (false, "issues?sort=asc&order_by=updated_at&state=opened"),
    (false, "repository/commits?x"),
    (false, "repository/branches?x"),
    (false, "milestones?x"),
    (false, "issues/ISSUE/notes?x"),
    (false, "deployments?x"),
    (false, "environments?x"),
    (false, "repository/commits?ref_name=b40&since=1970-01-01T00:05:00Z"),
    (false, "repository/commits/COMMIT/comments?x"),
    (false, "repository/commits/COMMIT/statuses?all=true"),
    (false, "repository/tags?x"),
];

/// What one walk took from a list, how many rows each page had, and the error that ended it.
#[derive(Debug, Default)]
struct Walk {
    rows: Vec<Value>,
    pages: Vec<usize>,
    refused: bool,
    /// `X-Total`, if there is one.
    total: Option<usize>,
}

impl fmt::Display for Walk {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Walk { rows, pages, refused, total } = self;
        write!(to, "{} rows on pages of {pages:?}, total {total:?}, refused {refused}", rows.len())
    }
}

impl Walk {
    fn add(&mut self, answer: &Answer) {
        // files of one content have one id
        let has_id = |row: &Value| !row["id"].is_null() && row["mode"].is_null();
        let key = |row: &Value| if has_id(row) { row["id"].clone() } else { row.clone() };
        let rows = answer.json.as_array().unwrap_or_else(|| panic!("{}: no list", answer.what));
        self.total = answer.header("X-Total").and_then(|total| total.parse().ok());
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

    /// The rows, and whether a page ended early. None if it is no list. The error says how two walks differ.
    fn rows(&self) -> Result<Option<(Vec<Value>, bool)>, String> {
        let List { path, size, .. } = self;
        let Some(linked) = self.by_link("") else { return Ok(None) };
        let numbered = self.by_number();
        let mut once = linked.rows.clone();
        once.sort_by_key(Value::to_string);
        once.dedup();
        let same = linked.rows.get(..numbered.rows.len()) == Some(&numbered.rows[..]);
        let whole = if numbered.refused {
            numbered.pages.last() < Some(size)
        } else {
            numbered.rows.len() == linked.rows.len()
        };
        let counted = linked.total.is_none_or(|total| total == linked.rows.len());
        if once.len() != linked.rows.len() || !same || !whole || !counted {
            return Err(format!("{path}, {size} a page: by number {numbered}, by Link {linked}"));
        }
        // no page by its number has what another page has
        for number in 2..=(linked.rows.len() / size + 2).min(8) {
            let answer = self.get(&self.filled.world.root, &format!("&page={number}"));
            if answer.status == 200 {
                let mut page = Walk::default();
                page.add(&answer);
                let expected = linked.rows.get((number - 1) * size..).unwrap_or_default();
                if expected.get(..page.rows.len()) != Some(&page.rows[..]) {
                    return Err(format!("{path}, {size} a page: page {number} by its number has {page}"));
                }
            }
        }
        match self.by_link("&pagination=keyset") {
            Some(keyset) if keyset.rows != linked.rows => {
                Err(format!("{path}, {size} a page: by keyset {keyset}, by Link {linked}"))
            }
            _ => Ok(Some((linked.rows, linked.pages.iter().rev().skip(1).any(|rows| rows < size)))),
        }
    }
}

/// Which lists are walked: every one that the descriptions know below `only`, and each `step`-th of the long ones at so
/// many sizes of a page.
struct Plan {
    only: &'static str,
    described: bool,
    step: usize,
    sizes: &'static [usize],
}

/// Walks, rows, and walks with a page that ended early.
#[derive(Debug, Default)]
struct Tally {
    walks: usize,
    rows: usize,
    early: usize,
}

impl Tally {
    fn walk(&mut self, list: &List<'_>, known: &mut Option<Vec<Value>>) -> Result<(), String> {
        let Some((rows, early)) = list.rows()? else { return Ok(()) };
        (self.walks, self.rows, self.early) = (self.walks + 1, self.rows + rows.len(), self.early + usize::from(early));
        match known.replace(rows) {
            Some(before) if Some(&before) != known.as_ref() => {
                Err(format!("{}, {} a page: other rows than before", list.path, list.size))
            }
            _ => Ok(()),
        }
    }
}

fn walk_all(filled: &Filled, dice: &mut Dice, plan: &Plan) -> Result<Tally, String> {
    let (v3, mut tally) = (Dialect::V3(Profile::Spec), Tally::default());
    for table in tables().iter().filter(|_| plan.described) {
        let dialect = if table.name == "v4" { Dialect::V4 } else { v3 };
        for (_, pattern) in table.routes.iter().filter(|(verb, _)| *verb == "GET") {
            let template = templated(pattern);
            let operation = table.contract.operations().iter().find(|it| it.method == "GET" && it.path == template);
            if !operation.is_some_and(|known| known.parameters.contains_key("per_page")) {
                continue;
            }
            let (address, issue) = (filled.address(pattern), format!("/issues/{}", filled.issue));
            let path = if dialect == Dialect::V4 { address.replace(&issue, "/issues/1") } else { address };
            if path.contains(plan.only) && (plan.step == 1 || !path.contains("/repository/")) {
                tally.walk(&List { filled, dialect, path, size: 10 + dice.roll(30) }, &mut None)?;
            }
        }
    }
    let commit = format!("{:040x}", 1001);
    let long = LONG.into_iter().filter(|(_, list)| list.contains(plan.only));
    for (is_v4, list) in long.skip(dice.roll(plan.step)).step_by(plan.step) {
        let list = list.replace("COMMIT", &commit).replace("ISSUE", &filled.issue.to_string());
        let list = list.replace("ANN", &filled.world.ann.id.to_string());
        let (path, mut known) = (format!("/projects/{}/{list}", filled.world.project.id), None);
        let dialect = if is_v4 { Dialect::V4 } else { v3 };
        for size in plan.sizes {
            tally.walk(&List { filled, dialect, path: path.clone(), size: *size }, &mut known)?;
        }
    }
    println!("{tally:?}");
    Ok(tally)
}

#[test]
fn a_walk_by_number_by_link_or_by_keyset_has_each_row_once_in_order() {
    let mut dice = Dice(1);
    let filled = filled(&mut dice, 60);
    let plan = Plan { only: "", described: true, step: 5, sizes: &[20] };
    let tally = walk_all(&filled, &mut dice, &plan).unwrap_or_else(|told| panic!("{told}"));
    assert!(tally.walks > 100 && tally.early >= 2, "{tally:?}");
    // it finds a page that ends where it should not, and one that does not know that the page before ended early
    let database = filled.world.server.database();
    for (only, piece, with) in [
        ("ref_name=b9", "w.bytes <= 3000000", "w.bytes <= 20000"),
        ("issues/1/notes?sort=asc", "iif(is_cut, is_full > own, own)", "own"),
    ] {
        database.mutate(piece, with);
        let plan = Plan { only, described: false, step: 1, sizes: &[50] };
        println!("{}", walk_all(&filled, &mut dice, &plan).expect_err(piece));
    }
    assert!(database.is_mutated());
}

#[test]
#[ignore = "a proof: make prove"]
fn a_walk_of_every_list_has_each_row_once_in_order_whatever_the_lengths() {
    let mut dice = Dice(2);
    let filled = filled(&mut dice, 60);
    let (mut walks, mut early) = (0, 0);
    for plan in [
        Plan { only: "repository/", described: true, step: 1, sizes: &[50] },
        Plan { only: "", described: false, step: 2, sizes: &[50] },
        Plan { only: "repository/commits?", described: false, step: 3, sizes: &[7, 100] },
    ] {
        let tally = walk_all(&filled, &mut dice, &plan).unwrap_or_else(|told| panic!("{told}"));
        (walks, early) = (walks + tally.walks, early + tally.early);
    }
    assert!(walks > 70 && early > 15, "{walks} walks, {early} with a page that ended early");
}
