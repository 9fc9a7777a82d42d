//! Atom feeds (behaviour 14.8).

use super::{history, push};
use crate::support::git::sha;
use crate::support::v4::made;
use crate::support::{Answer, Ask, Visibility, World, spec};
use serde_json::json;

fn feed(world: &World, rest: &str) -> Ask {
    spec().ask_at("GET", format!("/{}/-/{rest}", world.project.path))
}

/// The texts of these elements.
fn texts(answer: &Answer, name: &str) -> Vec<String> {
    let [begin, end] = [format!("<{name}>"), format!("</{name}>")];
    let pieces = answer.text.split(&begin).skip(1);
    pieces.map(|piece| piece.split(&end).next().unwrap().to_owned()).collect()
}

#[test]
fn feeds_are_refused_where_their_lists_are() {
    let world = World::new(spec(), Visibility::Private);
    let absent = || json!({ "message": "404 Project Not Found" });
    for rest in ["issues.atom", "commits/master?format=atom"] {
        feed(&world, rest).refused(404, absent());
        feed(&world, rest).by(&world.eve).refused(404, absent());
        feed(&world, rest).header("PRIVATE-TOKEN", "wrong").refused(401, json!({ "message": "401 Unauthorized" }));
    }
    feed(&world, "commits/master?format=atom").by(&world.gus).refused(403, json!({ "message": "403 Forbidden" }));
    feed(&world, "commits/none?format=atom").by(&world.rae).refused(404, json!({ "message": "404 Commit Not Found" }));
    world.v4("PUT", "").by(&world.ann).json(json!({ "issues_access_level": "disabled" })).gives(200);
    feed(&world, "issues.atom").by(&world.ann).refused(403, json!({ "message": "403 Forbidden" }));
}

#[test]
fn a_feed_has_the_newest_issues_that_the_reader_sees() {
    let world = World::new(spec(), Visibility::Public);
    made(&world, &world.ann, json!({ "title": "first", "description": "why" }));
    made(&world, &world.ann, json!({ "title": "secret", "confidential": true }));
    for number in 0..20 {
        made(&world, &world.ann, json!({ "title": format!("t{number}") }));
    }
    let open = feed(&world, "issues.atom").gives(200);
    assert_eq!(open.header("Content-Type"), Some("application/atom+xml"));
    let titles = texts(&open, "title");
    assert_eq!((titles.len(), titles[1].as_str(), titles[20].as_str()), (21, "t19", "t0"));
    assert_eq!(texts(&open, "name")[0], world.ann.name);
    let gone = made(&world, &world.ann, json!({ "title": "gone" }))["iid"].clone();
    world.v4("DELETE", &format!("/issues/{gone}")).by(&world.ann).gives(204);
    for number in 5..20 {
        world.v4("DELETE", &format!("/issues/{}", number + 3)).by(&world.ann).gives(204);
    }
    assert!(!feed(&world, "issues.atom").gives(200).text.contains("secret"));
    let token = world.rae.token.as_str();
    let own = feed(&world, &format!("issues.atom?private_token={token}")).gives(200);
    assert_eq!(texts(&own, "title")[1..], ["t4", "t3", "t2", "t1", "t0", "secret", "first"]);
    assert_eq!(texts(&own, "summary").last().unwrap(), "why");
    // the token is in no address
    assert!(!own.text.contains(token));
}

#[test]
fn newer_confidential_issues_take_no_place_in_a_feed() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(spec(), Visibility::Private);
    made(&world, &world.bob, json!({ "title": "seen" }));
    made(&world, &world.gus, json!({ "title": "own", "confidential": true }));
    spec().database().tamper(&format!(
        "insert into issues (project_id, iid, author_id, title, confidential, created_at, updated_at)
         with recursive n (i) as (select 1000 union all select i + 1 from n where i < 1120)
         select {}, i, {}, 'secret', 1, 4000000000000, 4000000000000 from n",
        world.project.id, world.ann.id
    ));
    let answer = feed(&world, "issues.atom").by(&world.gus).gives(200);
    assert_eq!(texts(&answer, "title")[1..], ["own", "seen"]);
    assert_eq!(texts(&feed(&world, "issues.atom").by(&world.rae).gives(200), "title").len(), 21);
}

#[test]
fn a_feed_has_the_newest_commits_of_a_branch() {
    let world = World::new(spec(), Visibility::Private);
    history(&world, 25);
    push(&world, json!([{ "name": "refs/heads/x/y", "old": null, "new": sha(25), "message": null, "commits": 25 }]));
    let of_branch = feed(&world, "commits/x/y?format=atom").by(&world.rae).gives(200);
    let titles = texts(&of_branch, "title");
    assert_eq!((titles.len(), titles[1].as_str(), titles[20].as_str()), (21, "Change 25", "Change 6"));
    assert!(of_branch.text.contains(&format!("/{}/-/commit/{}", world.project.path, sha(25))));
    assert!(!of_branch.text.contains('@'), "{}", of_branch.text);
}

#[test]
fn a_feed_is_xml_whatever_its_texts_are() {
    let world = World::new(spec(), Visibility::Public);
    let odd = "<script>alert(\"1\")</script> & ]]> \u{1}\u{b} ü";
    made(&world, &world.ann, json!({ "title": odd, "description": "x".repeat(100_000) }));
    let answer = feed(&world, "issues.atom").gives(200);
    assert_eq!(texts(&answer, "title")[1], "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; ]]&gt;  ü");
    assert_eq!(texts(&answer, "summary")[0].len(), 8192);
    assert_eq!(answer.header("Content-Security-Policy"), Some("default-src 'none'; sandbox"));
}
