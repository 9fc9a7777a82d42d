//! Emoji on issues and comments (behaviour 6.10).

use crate::support::v4::{at, made, names};
use crate::support::{Answer, Person, Visibility, World, spec};
use serde_json::{Value, json};

const FIELDS: &str = "awardable_id awardable_type created_at id name updated_at url user";

fn award(world: &World, issue: &Value, person: &Person, name: &str) -> Value {
    at(world, "POST", issue, "/award_emoji").by(person).json(json!({ "name": name })).gives(201).json
}

fn comment(world: &World, issue: &Value) -> Value {
    at(world, "POST", issue, "/notes").by(&world.gus).json(json!({ "body": "x" })).gives(201).json
}

fn list(world: &World, issue: &Value, on: &str) -> Answer {
    at(world, "GET", issue, &format!("{on}/award_emoji")).by(&world.gus).gives(200)
}

#[test]
fn emoji_are_refused_where_the_issue_is_not_seen_and_on_comments_of_the_service() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let hidden = made(&world, &world.ann, json!({ "title": "t", "confidential": true }));
    let body = || json!({ "name": "star" });
    let missing = || json!({ "message": "404 Not found" });
    for verb in ["GET", "POST"] {
        at(&world, verb, &hidden, "/award_emoji").by(&world.gus).json(body()).refused(404, missing());
    }
    at(&world, "PUT", &issue, "").by(&world.ann).json(json!({ "title": "other" })).gives(200);
    let of_service = at(&world, "GET", &issue, "/notes").by(&world.ann).gives(200).json[0]["id"].clone();
    let elsewhere = comment(&world, &made(&world, &world.ann, json!({ "title": "t" })))["id"].clone();
    for note in [of_service, elsewhere, json!(987_654_321)] {
        for verb in ["GET", "POST"] {
            let path = format!("/notes/{note}/award_emoji");
            at(&world, verb, &issue, &path).by(&world.ann).json(body()).refused(404, missing());
        }
    }
    at(&world, "GET", &issue, "/award_emoji/1").by(&world.gus).refused(404, missing());
    at(&world, "DELETE", &issue, "/award_emoji/1").by(&world.gus).refused(404, missing());
}

#[test]
fn the_name_of_an_emoji_has_small_letters_digits_and_few_signs() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let post = |body: Value| at(&world, "POST", &issue, "/award_emoji").by(&world.gus).json(body);
    post(json!({})).refused(400, json!({ "error": "name is missing" }));
    let long = "x".repeat(51);
    for name in ["Star", "two words", "é", "a:b", ":", long.as_str()] {
        let refused = json!({ "message": { "name": ["is not a valid emoji name"] } });
        post(json!({ "name": name })).refused(400, refused);
    }
    for name in ["heart+", "woman_tone-2", &"x".repeat(50)] {
        assert_eq!(post(json!({ "name": name })).gives(201).json["name"], *name);
    }
    assert_eq!(award(&world, &issue, &world.gus, ":tada:")["name"], "tada");
}

#[test]
fn an_emoji_is_given_once_listed_and_taken_back_by_its_giver() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let note = comment(&world, &issue);
    for (on, kind, of) in [(String::new(), "Issue", &issue), (format!("/notes/{}", note["id"]), "Note", &note)] {
        let path = format!("{on}/award_emoji");
        let give = |person: &Person| at(&world, "POST", &issue, &path).by(person).json(json!({ "name": "star" }));
        let one = give(&world.eve).gives(201).json;
        assert_eq!(names(&one), FIELDS);
        assert_eq!((&one["awardable_type"], &one["awardable_id"]), (&json!(kind), &of["id"]));
        assert_eq!((&one["name"], &one["user"]["id"]), (&json!("star"), &json!(world.eve.id)));
        let taken = json!({ "message": "404 Award Emoji Name has already been taken Not Found" });
        give(&world.eve).refused(404, taken);
        let two = give(&world.gus).gives(201).json;
        // without a token, too
        let all = at(&world, "GET", &issue, &path).gives(200);
        assert_eq!((&all.json, all.header("X-Total")), (&json!([one, two]), Some("2")));
        let page = at(&world, "GET", &issue, &format!("{path}?per_page=1")).gives(200);
        assert_eq!(page.json, json!([one]));
        assert_eq!(spec().ask_v4("GET", page.next().unwrap()).gives(200).json, json!([two]));
        let own = format!("{path}/{}", one["id"]);
        assert_eq!(at(&world, "GET", &issue, &own).gives(200).json, one);
        let unauthorized = json!({ "message": "401 Unauthorized" });
        at(&world, "DELETE", &issue, &own).by(&world.ann).refused(401, unauthorized);
        at(&world, "DELETE", &issue, &own).by(&world.eve).gives(204);
        at(&world, "DELETE", &issue, &format!("{path}/{}", two["id"])).by(&world.root).gives(204);
        assert_eq!(list(&world, &issue, &on).json, json!([]));
    }
}

#[test]
fn an_emoji_of_a_comment_is_none_of_its_issue() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let note = comment(&world, &issue);
    let path = format!("/notes/{}/award_emoji", note["id"]);
    let one = at(&world, "POST", &issue, &path).by(&world.gus).json(json!({ "name": "star" })).gives(201).json;
    assert_eq!(list(&world, &issue, "").json, json!([]));
    for verb in ["GET", "DELETE"] {
        let own = format!("/award_emoji/{}", one["id"]);
        at(&world, verb, &issue, &own).by(&world.gus).refused(404, json!({ "message": "404 Not found" }));
    }
}

#[test]
fn thumbs_of_an_issue_are_its_votes() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let up = award(&world, &issue, &world.gus, "thumbsup");
    award(&world, &issue, &world.rae, "thumbsup");
    award(&world, &issue, &world.rae, "thumbsdown");
    award(&world, &issue, &world.rae, "star");
    let note = comment(&world, &issue);
    let path = format!("/notes/{}/award_emoji", note["id"]);
    at(&world, "POST", &issue, &path).by(&world.gus).json(json!({ "name": "thumbsup" })).gives(201);
    let votes = |issue: &Value| [issue["upvotes"].clone(), issue["downvotes"].clone()];
    let shown = || votes(&at(&world, "GET", &issue, "").by(&world.gus).gives(200).json);
    assert_eq!(shown(), [2, 1]);
    let listed = world.v4("GET", "/issues").by(&world.gus).gives(200).json;
    assert_eq!(votes(&listed[0]), [2, 1]);
    at(&world, "DELETE", &issue, &format!("/award_emoji/{}", up["id"])).by(&world.gus).gives(204);
    assert_eq!(shown(), [1, 1]);
    // a to-do item of v3 has them as well
    let todo = spec().post(format!("{}/todo", world.issue_path(&issue))).by(&world.bob).gives(world.created()).json;
    assert_eq!(votes(&todo["target"]), [1, 1]);
}

#[test]
fn issues_are_found_by_the_callers_emoji() {
    let world = World::new(spec(), Visibility::Public);
    let [a, b, c] = ["a", "b", "c"].map(|title| made(&world, &world.ann, json!({ "title": title })));
    award(&world, &a, &world.gus, "star");
    award(&world, &b, &world.gus, "tada");
    award(&world, &c, &world.rae, "star");
    let note = comment(&world, &c);
    let path = format!("/notes/{}/award_emoji", note["id"]);
    at(&world, "POST", &c, &path).by(&world.gus).json(json!({ "name": "star" })).gives(201);
    for (value, titles) in
        [("star", json!(["a"])), ("Any", json!(["b", "a"])), ("None", json!(["c"])), ("x", json!([]))]
    {
        let found = world.v4("GET", &format!("/issues?my_reaction_emoji={value}")).by(&world.gus).gives(200);
        assert_eq!(json!(found.each("title")), titles, "{value}");
        let count = format!("/issues_statistics?my_reaction_emoji={value}");
        let counts = world.v4("GET", &count).by(&world.gus).gives(200).json;
        assert_eq!(counts["statistics"]["counts"]["all"], titles.as_array().unwrap().len());
    }
    let visitor = world.v4("GET", "/issues?my_reaction_emoji=None").gives(200);
    assert_eq!(json!(visitor.each("title")), json!(["c", "b", "a"]));
}

#[test]
fn in_a_locked_discussion_members_alone_give_emoji() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.ann, json!({ "title": "t", "discussion_locked": true }));
    let post = |person: &Person| at(&world, "POST", &issue, "/award_emoji").by(person).json(json!({ "name": "star" }));
    post(&world.eve).refused(403, json!({ "message": "403 Forbidden" }));
    post(&world.gus).gives(201);
}

#[test]
fn who_gives_an_emoji_takes_part_until_they_take_it_back() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.ann, json!({ "title": format!("for @{}", world.gus.username) }));
    let pending = || {
        let list = format!("/todos?project_id={}", world.project.id);
        spec().ask_v4("GET", list).by(&world.gus).gives(200).json.as_array().unwrap().len()
    };
    assert_eq!(pending(), 1);
    award(&world, &issue, &world.gus, "star");
    assert_eq!(pending(), 0);
    let star = award(&world, &issue, &world.eve, "star");
    let people = || at(&world, "GET", &issue, "/participants").by(&world.ann).gives(200).each("id");
    assert!(people().contains(&json!(world.eve.id)));
    // a new title keeps them
    at(&world, "PUT", &issue, "").by(&world.ann).json(json!({ "title": "other" })).gives(200);
    assert!(people().contains(&json!(world.eve.id)));
    at(&world, "DELETE", &issue, &format!("/award_emoji/{}", star["id"])).by(&world.eve).gives(204);
    assert!(!people().contains(&json!(world.eve.id)));
}

#[test]
fn v3_has_the_same_emoji_by_the_ids_of_issues() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let note = comment(&world, &issue);
    let path = format!("/issues/{}", issue["id"]);
    for path in [format!("{path}/award_emoji"), format!("{path}/notes/{}/award_emoji", note["id"])] {
        let one = world.post(&path).by(&world.gus).json(json!({ "name": "star" })).gives(201).json;
        assert_eq!(names(&one), FIELDS.replace(" url", ""));
        assert_eq!(world.get(&path).by(&world.rae).gives(200).json, json!([one]));
        let own = format!("{path}/{}", one["id"]);
        assert_eq!(world.get(&own).by(&world.rae).gives(200).json, one);
        world.delete(&own).by(&world.rae).refused(401, json!({ "message": "401 Unauthorized" }));
        assert_eq!(world.delete(&own).by(&world.gus).gives(200).json, one);
        world.get(&own).by(&world.rae).refused(404, json!({ "message": "404 Not found" }));
    }
}

#[test]
fn a_move_and_a_clone_copy_emoji() {
    let world = World::new(spec(), Visibility::Private);
    let target = world.sibling(Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let notes: Vec<Value> = (0..3).map(|_| comment(&world, &issue)).collect();
    award(&world, &issue, &world.gus, "thumbsup");
    for (note, name) in [(0, "one"), (2, "three")] {
        let path = format!("/notes/{}/award_emoji", notes[note]["id"]);
        at(&world, "POST", &issue, &path).by(&world.gus).json(json!({ "name": name })).gives(201);
    }
    for verb in ["clone", "move"] {
        let to = json!({ "to_project_id": target.project.id, "with_notes": true });
        let copy = at(&world, "POST", &issue, &format!("/{verb}")).by(&world.ann).json(to).gives(201).json;
        assert_eq!(copy["upvotes"], 1);
        let given =
            |on: &str| at(&target, "GET", &copy, &format!("{on}/award_emoji")).by(&world.ann).gives(200).each("name");
        assert_eq!(given(""), ["thumbsup"]);
        let comments = at(&target, "GET", &copy, "/notes?sort=asc&activity_filter=only_comments");
        let comments = comments.by(&world.ann).gives(200).each("id");
        let each: Vec<Vec<Value>> = comments.iter().map(|id| given(&format!("/notes/{id}"))).collect();
        assert_eq!(json!(each), json!([["one"], [], ["three"]]), "{verb}");
    }
}

#[test]
fn an_emoji_goes_with_its_comment_and_with_its_issue() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let note = comment(&world, &issue);
    let path = format!("/notes/{}", note["id"]);
    at(&world, "POST", &issue, &format!("{path}/award_emoji"))
        .by(&world.rae)
        .json(json!({ "name": "star" }))
        .gives(201);
    at(&world, "DELETE", &issue, &path).by(&world.gus).gives(204);
    award(&world, &issue, &world.rae, "star");
    at(&world, "DELETE", &issue, "").by(&world.ann).gives(204);
    at(&world, "GET", &issue, "/award_emoji").by(&world.ann).refused(404, json!({ "message": "404 Not found" }));
    if spec().is_in_process() {
        let left = format!("select json_object('id', id) as v from awards where issue_id = {}", issue["id"]);
        assert_eq!(spec().rows(&left), [Value::Null; 0]);
    }
}

#[test]
fn an_issue_or_comment_has_200_emoji_at_most_and_an_issue_with_its_comments_1000() {
    let world = World::new(spec(), Visibility::Private);
    if !spec().is_in_process() {
        return;
    }
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let fill = |note: i64, from: i64, to: i64| {
        spec().tamper(&format!(
            "with recursive n(n) as (select {from} union all select n + 1 from n where n < {to})
            insert into awards (issue_id, note_id, user_id, name, created_at) select {}, {note}, {}, 'e' || n, 0 from n",
            issue["id"], world.ann.id
        ));
    };
    let full = || json!({ "message": "400 Bad request - There are too many emoji" });
    fill(0, 1, 199);
    award(&world, &issue, &world.gus, "last");
    let post = |on: &str| {
        at(&world, "POST", &issue, &format!("{on}/award_emoji")).by(&world.gus).json(json!({ "name": "more" }))
    };
    post("").refused(400, full());
    let notes: Vec<i64> = (0..5).map(|_| comment(&world, &issue)["id"].as_i64().unwrap()).collect();
    for note in &notes[..4] {
        fill(*note, 1, 200);
    }
    post(&format!("/notes/{}", notes[4])).refused(400, full());
}

#[test]
fn the_aliases_of_an_emoji_are_one_name() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let note = comment(&world, &issue);
    let taken = || json!({ "message": "404 Award Emoji Name has already been taken Not Found" });
    for on in [String::new(), format!("/notes/{}", note["id"])] {
        let path = format!("{on}/award_emoji");
        let give = |name: &str| at(&world, "POST", &issue, &path).by(&world.gus).json(json!({ "name": name }));
        for (alias, name) in [
            ("+1", "thumbsup"),
            (":-1:", "thumbsdown"),
            ("+1_tone2", "thumbsup_tone2"),
            ("satisfied", "laughing"),
            ("hankey", "poop"),
            ("memo", "pencil"),
        ] {
            assert_eq!(give(alias).gives(201).json["name"], name);
            give(name).refused(404, taken());
        }
    }
    let seen = at(&world, "GET", &issue, "").by(&world.gus).gives(200).json;
    assert_eq!((&seen["upvotes"], &seen["downvotes"]), (&json!(1), &json!(1)));
    for name in ["thumbsup", "%2B1", "satisfied"] {
        let found = world.v4("GET", &format!("/issues?my_reaction_emoji={name}")).by(&world.gus).gives(200);
        assert_eq!(found.each("iid"), [issue["iid"].clone()], "{name}");
    }
    let path = format!("/issues/{}/award_emoji", issue["id"]);
    let other = made(&world, &world.ann, json!({ "title": "t" }));
    let path_of_other = format!("/issues/{}/award_emoji", other["id"]);
    world.post(&path).by(&world.gus).json(json!({ "name": ":+1:" })).refused(404, taken());
    let given = world.post(&path_of_other).by(&world.gus).json(json!({ "name": ":+1:" })).gives(201).json;
    assert_eq!(given["name"], "thumbsup");
}
