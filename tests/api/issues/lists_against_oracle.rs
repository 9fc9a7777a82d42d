//! Every list of issues, in every combination of filters and by every kind of caller, is what a plain reading of all issues
//! finds: in order, with the total, and by `next` from the first page to the last each issue once.

use crate::support::{Answer, Dice, Person, Server, Visibility, World, spec, templates};
use serde_json::{Value, json};

/// An issue as it is stored.
struct Stored {
    id: i64,
    project_id: i64,
    iid: i64,
    author_id: i64,
    assignee_id: Option<i64>,
    milestone: Option<String>,
    labels: Vec<String>,
    closed: bool,
    confidential: bool,
    created_at: i64,
    updated_at: i64,
}

/// One project of the group as a caller may stand to it.
struct Place {
    world: World,
    visibility: i64,
    has_issues: bool,
    /// User ids and levels.
    members: Vec<(i64, i64)>,
}

struct Scene {
    server: &'static Server,
    group: i64,
    /// Members of the group.
    members: Vec<(i64, i64)>,
    places: Vec<Place>,
    people: Vec<Person>,
    outside: i64,
    admin: i64,
    issues: Vec<Stored>,
}

const LABELS: [&str; 3] = ["bug", "ci", "ux"];
const MILESTONES: [&str; 2] = ["v1", "v2"];

impl Scene {
    /// A public group with a private, an internal and two public projects, one of which has switched its issues off later.
    fn new(dice: &mut Dice, disabled: bool) -> Scene {
        let server = Server::own(templates::blobs());
        let cast = server.cast();
        let [mia, max, tim] = ["Mia", "Max", "Tim"].map(|name| server.person(name));
        let mut people = [&cast.root, &cast.ann, &cast.rae, &cast.gus, &cast.eve].map(Person::clone).to_vec();
        people.extend([mia.clone(), max.clone(), tim.clone()]);
        // in the group a reporter and a guest; tim sees public projects alone
        let members = vec![(cast.ann.id, 50), (mia.id, 20), (max.id, 10)];
        for (user_id, level) in &members[1..] {
            let member = json!({ "user_id": user_id, "access_level": level });
            server.post(format!("/groups/{}/members", cast.group)).by(&cast.ann).json(member).gives(201);
        }
        let levels = [Visibility::Private, Visibility::Internal, Visibility::Public, Visibility::Public];
        let mut places: Vec<Place> = Vec::new();
        for visibility in levels {
            let world = World::new(server, visibility);
            let members = vec![(cast.bob.id, 30), (cast.rae.id, 20), (cast.gus.id, 10)];
            places.push(Place { world, visibility: visibility as i64, has_issues: true, members });
        }
        // a guest of the group who is more in one project
        places[1].world.admit(&max, 20);
        places[1].members.push((max.id, 20));
        let mut scene = Scene {
            server,
            group: cast.group,
            members,
            places,
            people,
            outside: tim.id,
            admin: cast.root.id,
            issues: Vec::new(),
        };
        scene.fill(dice);
        assert!(server.tamper(&format!("update users set external = 1 where id = {}", tim.id)));
        if disabled {
            let off = json!({ "issues_enabled": false });
            scene.places[3].world.put("").by(&cast.ann).json(off).gives(200);
            scene.places[3].has_issues = false;
        }
        scene.issues = scene.stored();
        scene
    }

    fn fill(&self, dice: &mut Dice) {
        for place in &self.places {
            let milestones = MILESTONES.map(|title| place.world.milestone(title));
            for number in 0..25 {
                let authors: Vec<&Person> = self
                    .people
                    .iter()
                    .filter(|person| place.access(self, person.id) > 0 || place.visibility > 0)
                    .collect();
                let author = *dice.one(&authors);
                let minute = dice.roll(20);
                let issue = place
                    .world
                    .issue(author, json!({ "title": format!("{number}"), "confidential": dice.roll(3) == 0 }));
                let labels: Vec<&str> = LABELS.into_iter().filter(|_| dice.roll(3) == 0).collect();
                let assignee = dice.one(&authors).id;
                let edit = json!({
                    "labels": labels.join(","),
                    "milestone_id": if dice.roll(2) == 0 { Some(*dice.one(&milestones)) } else { None },
                    "assignee_id": if dice.roll(3) == 0 { Some(assignee) } else { None },
                    // of a few instants, so that some are the same
                    "updated_at": format!("2020-01-01T00:{minute:02}:00Z"),
                });
                place.world.put(&format!("/issues/{}", issue["id"])).by(&place.world.ann).json(edit).gives(200);
                if dice.roll(2) == 0 {
                    let close =
                        json!({ "state_event": "close", "updated_at": format!("2020-01-01T01:{minute:02}:00Z") });
                    place.world.put(&format!("/issues/{}", issue["id"])).by(&place.world.ann).json(close).gives(200);
                }
                if dice.roll(10) == 0 {
                    place.world.delete(&format!("/issues/{}", issue["id"])).by(&place.world.ann).gives(200);
                }
            }
        }
    }

    fn stored(&self) -> Vec<Stored> {
        let rows = self.server.rows(
            "select json_object('id', i.id, 'project', i.project_id, 'iid', i.iid, 'author', i.author_id, 'assignee', i.assignee_id,
  'milestone', (select title from milestones m where m.id = i.milestone_id), 'closed', i.state = 'closed',
  'labels', json((select json_group_array(l.title) from issue_labels b join labels l on l.id = b.label_id where b.issue_id = i.id)),
  'confidential', i.confidential, 'created', i.created_at, 'updated', i.updated_at) as v
from issues i where i.deleted_at is null",
        );
        let number = |row: &Value, name: &str| row[name].as_i64().unwrap();
        let stored = |row: &Value| Stored {
            id: number(row, "id"),
            project_id: number(row, "project"),
            iid: number(row, "iid"),
            author_id: number(row, "author"),
            assignee_id: row["assignee"].as_i64(),
            milestone: row["milestone"].as_str().map(str::to_owned),
            labels: serde_json::from_value(row["labels"].clone()).unwrap(),
            closed: number(row, "closed") == 1,
            confidential: number(row, "confidential") == 1,
            created_at: number(row, "created"),
            updated_at: number(row, "updated"),
        };
        rows.iter().map(stored).collect()
    }

    /// Whether that person may read the issue in a list of more than one project.
    fn shows(&self, user_id: i64, issue: &Stored) -> bool {
        let place = self.places.iter().find(|place| place.world.project.id == issue.project_id).unwrap();
        let access = place.access(self, user_id);
        let sees_from = if user_id == self.outside { 20 } else { 10 };
        let theirs = issue.author_id == user_id || issue.assignee_id == Some(user_id);
        place.has_issues
            && (access > 0 || place.visibility >= sees_from)
            && (!issue.confidential || access >= 20 || theirs)
    }
}

impl Place {
    fn access(&self, scene: &Scene, user_id: i64) -> i64 {
        let level =
            |members: &[(i64, i64)]| members.iter().find(|(id, _)| *id == user_id).map_or(0, |(_, level)| *level);
        if user_id == scene.admin { 60 } else { level(&self.members).max(level(&scene.members)) }
    }
}

/// What a list is asked for.
#[derive(Debug, Clone, Copy)]
struct Question {
    state: Option<&'static str>,
    labels: Option<&'static str>,
    milestone: Option<&'static str>,
    iid: Option<&'static str>,
    updated: bool,
    ascending: bool,
}

impl Question {
    /// Every combination.
    fn all(numbered: bool) -> Vec<Question> {
        let mut all = Vec::new();
        for state in [None, Some("opened"), Some("closed")] {
            for labels in [
                None,
                Some("bug"),
                Some("bug,ci"),
                Some("bug,ux,ci"),
                Some("ux,nowhere"),
                Some("nowhere"),
                Some("No Label"),
            ] {
                for milestone in [None, Some("v1"), Some("v9"), Some("No Milestone")] {
                    for iid in [None, Some("1,2,3,5,8,13,21,99")] {
                        for (updated, ascending) in [(false, false), (false, true), (true, false), (true, true)] {
                            if iid.is_none() || numbered {
                                all.push(Question { state, labels, milestone, iid, updated, ascending });
                            }
                        }
                    }
                }
            }
        }
        all
    }

    fn query(&self) -> Vec<(&'static str, &'static str)> {
        let given = [("state", self.state), ("labels", self.labels), ("milestone", self.milestone), ("iid", self.iid)];
        let mut query: Vec<_> = given.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        query.extend(self.updated.then_some(("order_by", "updated_at")));
        query.extend(self.ascending.then_some(("sort", "asc")));
        query
    }

    /// `every`: whether an issue bears all of the labels.
    fn takes(&self, issue: &Stored, every: bool) -> bool {
        let bears = |name: &str| issue.labels.iter().any(|label| label == name);
        self.state.is_none_or(|state| (state == "closed") == issue.closed)
            && self.labels.is_none_or(|names| match names {
                "No Label" => issue.labels.is_empty(),
                names if every => names.split(',').all(bears),
                names => names.split(',').any(bears),
            })
            && self.milestone.is_none_or(|title| match title {
                "No Milestone" => issue.milestone.is_none(),
                title => issue.milestone.as_deref() == Some(title),
            })
            && self.iid.is_none_or(|numbers| numbers.split(',').any(|number| number == issue.iid.to_string()))
    }

    fn sorted(&self, mut issues: Vec<&Stored>) -> Vec<i64> {
        issues.sort_by_key(|issue| (if self.updated { issue.updated_at } else { issue.created_at }, issue.id));
        if !self.ascending {
            issues.reverse();
        }
        issues.into_iter().map(|issue| issue.id).collect()
    }
}

fn ids(answer: &Answer) -> Vec<i64> {
    answer.each("id").iter().map(|id| id.as_i64().unwrap()).collect()
}

/// Path and query of the next page.
fn next(answer: &Answer) -> Option<String> {
    let next = answer.next()?;
    assert!(next.contains("cursor="), "{}: next without a cursor", answer.what);
    Some(next)
}

impl Scene {
    fn check(&self, path: &str, person: &Person, question: Question, expected: &[i64], size: usize) {
        let ask = |path: &str| self.server.get(path).by(person);
        let mut first = ask(path).query("per_page", &size.to_string());
        for (name, value) in question.query() {
            first = first.query(name, value);
        }
        let mut answer = first.gives(200);
        let mut found = Vec::new();
        loop {
            let about = || format!("{} by {}", answer.what, person.name);
            assert_eq!(answer.header("X-Total"), Some(expected.len().to_string().as_str()), "{}", about());
            found.extend(ids(&answer));
            assert!(found.len() <= expected.len(), "{}: {found:?} beyond {expected:?}", about());
            let Some(path) = next(&answer) else { break };
            assert_eq!(ids(&answer).len(), size, "{}: a page that is not full", about());
            answer = ask(&path).gives(200);
        }
        assert_eq!(found, expected, "{path} {:?} by {}", question.query(), person.name);
        // and by its number
        let page = 1 + expected.len() / size / 2;
        let mut numbered = ask(path).query("per_page", &size.to_string()).query("page", &page.to_string());
        for (name, value) in question.query() {
            numbered = numbered.query(name, value);
        }
        let shown: Vec<i64> = expected.iter().copied().skip((page - 1) * size).take(size).collect();
        assert_eq!(ids(&numbered.gives(200)), shown, "{path} {:?} page {page} by {}", question.query(), person.name);
    }

    /// Some of all combinations of lists, callers and filters.
    fn sample(&self, dice: &mut Dice, count: usize) {
        let (all, numbered) = (Question::all(false), Question::all(true));
        for _ in 0..count {
            let person = &self.people[dice.roll(self.people.len())];
            let place = &self.places[dice.roll(self.places.len())];
            let size = 1 + dice.roll(9);
            let seen: Vec<&Stored> = self.issues.iter().filter(|issue| self.shows(person.id, issue)).collect();
            let of_project = |issue: &&Stored| issue.project_id == place.world.project.id;
            let take = |question: Question, every: bool, of: &dyn Fn(&&Stored) -> bool| {
                question
                    .sorted(seen.iter().copied().filter(|issue| of(issue) && question.takes(issue, every)).collect())
            };
            let sees_from = if person.id == self.outside { 20 } else { 10 };
            let enters = place.access(self, person.id) > 0 || place.visibility >= sees_from;
            match dice.roll(4) {
                0 => {
                    let question = *dice.one(&all);
                    self.check(
                        "/issues",
                        person,
                        question,
                        &take(question, false, &|issue| issue.author_id == person.id),
                        size,
                    );
                }
                1 => {
                    let question = *dice.one(&all);
                    self.check(
                        &format!("/groups/{}/issues", self.group),
                        person,
                        question,
                        &take(question, true, &|_| true),
                        size,
                    );
                }
                2 if enters => {
                    let question = *dice.one(&numbered);
                    self.check(&place.world.at("/issues"), person, question, &take(question, false, &of_project), size);
                }
                3 if enters => {
                    let question = Question { milestone: None, ..*dice.one(&all) };
                    let milestones = place.world.get("/milestones").by(&place.world.ann).gives(200);
                    let at = usize::from(milestones.json[0]["title"] != "v1");
                    let path = place.world.at(&format!("/milestones/{}/issues", milestones.json[at]["id"]));
                    let planned = Question { milestone: Some("v1"), ..question };
                    self.check(&path, person, question, &take(planned, false, &of_project), size);
                }
                _ => {}
            }
        }
    }
}

#[test]
fn every_list_is_what_a_plain_reading_finds_in_order_and_by_next_to_its_end() {
    if !spec().is_in_process() {
        return; // the database is out of reach
    }
    let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    println!("SEED={seed}");
    let mut dice = Dice(seed);
    for disabled in [false, true] {
        let scene = Scene::new(&mut dice, disabled);
        assert!(scene.issues.len() > 60);
        scene.sample(&mut dice, 250);
    }
}

#[test]
fn a_stranger_with_a_thousand_confidential_issues_of_their_own_has_no_total_beyond() {
    let world = World::new(Server::own(templates::blobs()), Visibility::Public);
    let stranger = world.server.person("Stranger");
    let mut last = 0;
    let mut list = |more: i64, assignee: &str| {
        assert!(world.server.tamper(&format!(
            "with recursive n(n) as (select {last} + 1 union all select n + 1 from n where n < {last} + {more})
insert into issues (project_id, iid, author_id, assignee_id, confidential, title, created_at, updated_at)
select {}, n, {}, {assignee}, 1, 'x', n, n from n",
            world.project.id, stranger.id
        )));
        last += more;
        let (answer, cost) = world.get("/issues?per_page=5").by(&stranger).cost();
        (answer.header("X-Total").map(str::to_owned), cost)
    };
    // an issue that is theirs in both ways counts once
    assert_eq!(list(600, &stranger.id.to_string()).0.as_deref(), Some("600"));
    assert_eq!(list(400, "null").0.as_deref(), Some("1000"));
    let (total, cost) = list(1, "null");
    assert_eq!(total, None);
    // the total stops there; the page sorts all of them
    let (total, dearer) = list(3_000, "null");
    assert!(total.is_none() && dearer <= cost + 3_000 * 40, "{cost} and {dearer}");
}

#[test]
fn what_no_counter_knows_is_counted_up_to_ten_thousand_and_has_no_total_above() {
    let world = World::new(Server::own(templates::blobs()), Visibility::Private);
    let (project, ann) = (world.project.id, &world.ann);
    let add = |first: i64, last: i64| {
        assert!(world.server.tamper(&format!(
            "with recursive n(n) as (select {first} union all select n + 1 from n where n < {last})
insert into issues (project_id, iid, author_id, title, created_at, updated_at) select {project}, n, {}, 'x', n, n from n",
            ann.id
        )));
    };
    let list = |query: &str| world.get(&format!("/issues?{query}")).by(ann).gives(200);
    let links =
        |answer: &Answer, relation: &str| answer.header("Link").unwrap().contains(&format!("rel=\"{relation}\""));
    add(1, 10_000);
    let bounded = list("milestone=No%20Milestone");
    assert_eq!((bounded.header("X-Total"), bounded.header("X-Total-Pages")), (Some("10000"), Some("500")));
    assert!(links(&bounded, "last"));
    add(10_001, 10_001);
    let beyond = list("milestone=No%20Milestone");
    assert_eq!((beyond.header("X-Total"), beyond.header("X-Total-Pages")), (None, None));
    assert_eq!((beyond.header("X-Next-Page"), beyond.each("iid")[19].as_i64()), (Some("2"), Some(9_982)));
    assert!(links(&beyond, "next") && !links(&beyond, "last"));
    assert_eq!(list("milestone=No%20Milestone&page=501").header("X-Next-Page"), Some(""));
    // a counter knows
    assert_eq!(list("").header("X-Total"), Some("10001"));
    assert_eq!(list("state=closed&milestone=No%20Milestone").header("X-Total"), Some("0"));
}
