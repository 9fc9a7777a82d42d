//! Commits: the list and the single one (specification, "Commits"; behaviour 7.1 and 7.2).

use crate::support::git::{commit, line, sha};
use crate::support::{Answer, Visibility, World, gitlab, spec};
use serde_json::{Value, json};

fn world() -> World {
    World::new(spec(), Visibility::Private)
}

/// Titles of the commits that a query lists.
#[track_caller]
fn titles(world: &World, query: &str) -> Vec<Value> {
    world.get(&format!("/repository/commits?{query}")).by(&world.rae).gives(200).each("title")
}

fn show(world: &World, name: &str) -> Answer {
    world.get(&format!("/repository/commits/{name}")).by(&world.rae).send()
}

/// Change 1 to 4 on `master`, change 5 upon change 2 on `feature/x`, tag `v1.2.3` at change 3.
fn forked() -> World {
    let world = world();
    let mut commits = line(4);
    commits.push(commit(5, &[2]));
    let (tip, feature, tagged) = (sha(4), sha(5), sha(3));
    let refs = [
        ("refs/heads/master", tip.as_str()),
        ("refs/heads/feature/x", feature.as_str()),
        ("refs/tags/v1.2.3", tagged.as_str()),
    ];
    world.push(&commits, &refs);
    world
}

#[test]
fn commits_are_for_reporters_and_in_open_projects_for_all() {
    for (visibility, guest, outsider) in [(Visibility::Private, 403, 404), (Visibility::Internal, 200, 200)] {
        let world = World::new(spec(), visibility);
        let tip = world.push_line(1);
        for path in ["/repository/commits".to_owned(), format!("/repository/commits/{tip}")] {
            world.get(&path).by(&world.gus).gives(guest);
            world.get(&path).by(&world.eve).gives(outsider);
            world.get(&path).by(&world.rae).gives(200);
        }
    }
}

#[test]
fn an_empty_repository_and_an_unknown_ref_list_nothing() {
    let world = world();
    assert!(titles(&world, "").is_empty());
    world.push_line(2);
    for name in ["no-such-ref", "refs/heads/none", "HEAD~1", "%20", "mast", "..", "-", "%F0%9F%90%99"] {
        if name != "%20" {
            assert!(titles(&world, &format!("ref_name={name}")).is_empty(), "{name}");
        }
    }
    assert_eq!(titles(&world, "ref_name=").len(), 2, "blank is absent");
}

#[test]
fn the_list_has_the_newest_first_in_the_list_form() {
    let world = world();
    let tip = world.push_line(2);
    let list = world.get("/repository/commits").by(&world.rae).gives(200);
    assert_eq!(list.each("title"), ["Change 2", "Change 1"]);
    let expected = json!({
        "id": tip, "short_id": tip[..8], "title": "Change 2", "author_name": "Ann",
        "author_email": "ann@example.com", "created_at": "2014-05-15T18:53:20+02:00",
        "message": "Change 2\n\nThe reason.\n", "allow_failure": false,
    });
    assert_eq!(list.json[0], expected);
    let path = format!("/projects/{}/repository/commits", world.project.path.replace('/', "%2F"));
    assert_eq!(spec().get(path).by(&world.rae).gives(200).json, list.json);
}

#[test]
fn the_list_begins_at_the_named_branch_tag_or_commit() {
    let world = forked();
    assert_eq!(titles(&world, ""), ["Change 4", "Change 3", "Change 2", "Change 1"]);
    assert_eq!(titles(&world, "ref_name=master"), titles(&world, ""));
    assert_eq!(titles(&world, "ref_name=feature/x"), ["Change 5", "Change 2", "Change 1"]);
    assert_eq!(titles(&world, "ref_name=feature%2Fx"), ["Change 5", "Change 2", "Change 1"]);
    assert_eq!(titles(&world, "ref_name=v1.2.3"), ["Change 3", "Change 2", "Change 1"]);
    assert_eq!(titles(&world, &format!("ref_name={}", sha(2))), ["Change 2", "Change 1"]);
    assert_eq!(titles(&world, &format!("ref_name={}", &sha(2)[..10])), ["Change 2", "Change 1"]);
}

#[test]
fn since_and_until_are_inclusive_and_read_with_their_zone() {
    let world = world();
    world.push_line(4);
    // changes 1 to 4 are of 14 to 17 May 2014, 16:53:20 UTC
    for (query, shown) in [
        ("since=2014-05-16T16:53:20Z", vec!["Change 4", "Change 3"]),
        ("since=2014-05-16T16:53:21Z", vec!["Change 4"]),
        ("since=2014-05-16T16:53:20.001Z", vec!["Change 4"]),
        ("since=2014-05-16T18:53:20%2B02:00", vec!["Change 4", "Change 3"]),
        ("since=2014-05-16T16:53:20", vec!["Change 4", "Change 3"]),
        ("until=2014-05-15T16:53:20Z", vec!["Change 2", "Change 1"]),
        ("until=2014-05-15T16:53:19Z", vec!["Change 1"]),
        ("until=2014-05-15T16:53:20.999Z", vec!["Change 2", "Change 1"]),
        ("since=2014-05-15T00:00:00Z&until=2014-05-16T23:59:59Z", vec!["Change 3", "Change 2"]),
        ("since=2014-05-15T00:00:00Z&until=2014-05-16T23:59:59Z&per_page=1&page=2", vec!["Change 2"]),
        ("since=2020-01-01T00:00:00Z", vec![]),
        ("until=2000-01-01T00:00:00Z", vec![]),
        ("since=&until=", vec!["Change 4", "Change 3", "Change 2", "Change 1"]),
    ] {
        assert_eq!(titles(&world, query), shown, "{query}");
    }
}

#[test]
fn a_commit_is_answered_whole() {
    let world = forked();
    let expected = json!({
        "id": sha(5), "short_id": sha(5)[..8], "title": "Change 5", "author_name": "Ann",
        "author_email": "ann@example.com", "message": "Change 5\n\nThe reason.\n",
        "created_at": "2014-05-18T18:53:20+02:00", "committed_date": "2014-05-18T18:53:20+02:00",
        "authored_date": "2014-05-18T18:52:20+02:00", "parent_ids": [sha(2)],
        "stats": { "additions": 3, "deletions": 1, "total": 4 }, "status": null,
    });
    assert_eq!(show(&world, &sha(5)).json, expected);
    assert_eq!(show(&world, &sha(1)).json["parent_ids"], json!([]));
}

#[test]
fn a_commit_is_found_by_hash_abbreviation_branch_and_tag() {
    let world = forked();
    for (name, title) in [
        (sha(1), "Change 1"),
        (sha(1).to_uppercase(), "Change 1"),
        (sha(1)[..39].to_owned(), "Change 1"),
        (sha(1)[..7].to_owned(), "Change 1"),
        ("master".to_owned(), "Change 4"),
        ("feature%2Fx".to_owned(), "Change 5"),
        ("v1.2.3".to_owned(), "Change 3"),
        ("v1.2.3.json".to_owned(), "Change 3"),
    ] {
        let found = show(&world, &name);
        assert_eq!((found.status, &found.json["title"]), (200, &json!(title)), "{name}");
    }
}

#[test]
fn head_is_the_default_branch_and_refs_have_their_whole_names_too() {
    let world = forked();
    for (name, title) in [
        ("HEAD", "Change 4"),
        ("refs%2Fheads%2Fmaster", "Change 4"),
        ("refs%2Fheads%2Ffeature%2Fx", "Change 5"),
        ("refs%2Ftags%2Fv1.2.3", "Change 3"),
    ] {
        assert_eq!(show(&world, name).json["title"], title, "{name}");
        assert_eq!(titles(&world, &format!("ref_name={name}"))[0], title, "{name}");
        let diff = world.get(&format!("/repository/commits/{name}/diff")).by(&world.rae);
        diff.gives(200);
    }
    world.put("").by(&world.ann).json(json!({ "default_branch": "feature/x" })).gives(200);
    assert_eq!(show(&world, "HEAD").json["title"], "Change 5");
    let empty = self::world();
    empty.get("/repository/commits/HEAD").by(&empty.rae).gives(404);
    assert_eq!(titles(&empty, "ref_name=HEAD"), Vec::<Value>::new());
}

#[test]
fn any_other_name_is_no_commit() {
    let world = forked();
    let elsewhere = self::world();
    elsewhere.push(&[commit(77, &[])], &[("refs/heads/master", &sha(77))]);
    for name in [
        sha(77).as_str(),
        "no-such",
        &sha(1)[..3],
        "MASTER",
        "feature",
        "v1",
        "%27",
        "refs%2Fheads%2Fv1.2.3",
        "refs%2Ftags%2Fmaster",
        "head",
    ] {
        let get = world.get(&format!("/repository/commits/{name}")).by(&world.rae);
        get.refused(404, json!({ "message": "404 Commit Not Found" }));
    }
}

#[test]
fn titles_and_times_are_those_of_git() {
    let world = world();
    let commits = [
        commit(1, &[]).with(|commit| (commit.message, commit.zone) = (String::new(), "+0000")),
        commit(2, &[1]).with(|commit| (commit.message, commit.zone) = ("ü".repeat(101), "-0330")),
        commit(3, &[2]).with(|commit| (commit.message, commit.zone) = (format!("{}\nbody", "t".repeat(100)), "+1245")),
        commit(4, &[3]).with(|commit| {
            commit.message = "Ends with CR\r\n\r\nbody 🐙 \u{1}".to_owned();
            (commit.additions, commit.deletions) = (0, 0);
        }),
    ];
    world.push(&commits, &[("refs/heads/master", &sha(4))]);
    let get = |number: u32| show(&world, &sha(number)).json;
    assert_eq!(get(1)["title"], "--no commit message");
    assert_eq!(get(1)["created_at"], "2014-05-14T16:53:20+00:00");
    assert_eq!(get(2)["title"], format!("{}…", "ü".repeat(80)));
    assert_eq!(get(2)["created_at"], "2014-05-15T13:23:20-03:30");
    assert_eq!(get(3)["title"], "t".repeat(100));
    assert_eq!(get(3)["created_at"], "2014-05-17T05:38:20+12:45");
    assert_eq!(get(4)["title"], "Ends with CR");
    assert_eq!(get(4)["message"], commits[3].message);
    assert_eq!(get(4)["stats"], json!({ "additions": 0, "deletions": 0, "total": 0 }));
}

#[test]
fn the_same_commit_in_two_projects_is_one_each() {
    let (first, second) = (world(), world());
    let tip = first.push_line(3);
    second.push_line(3);
    first.post(&format!("/statuses/{tip}")).by(&first.ann).form(&[("state", "success")]).gives(201);
    assert_eq!(show(&first, &tip).json["status"], "success");
    assert_eq!(show(&second, &tip).json["status"], Value::Null);
}

#[test]
fn following_the_links_of_a_zero_based_list_skips_nothing() {
    let world = World::new(gitlab(), Visibility::Private);
    world.push_line(5);
    let mut next = Some(world.at("/repository/commits?per_page=2"));
    let mut seen = Vec::new();
    while let Some(address) = next {
        let answer = gitlab().get(address).by(&world.rae).gives(200);
        seen.extend(answer.each("title"));
        let link = answer.header("Link").unwrap().split(", ").find(|link| link.ends_with("rel=\"next\""));
        let base = format!("<{}/api/v3", gitlab().origin);
        next = link.map(|link| link.strip_prefix(&base).unwrap().split_once('>').unwrap().0.to_owned());
    }
    assert_eq!(seen, ["Change 5", "Change 4", "Change 3", "Change 2", "Change 1"]);
}
