//! Markdown as HTML (behaviour 18).

mod drawn;

use crate::support::git::{line, sha};
use crate::support::{Person, Visibility, World, spec};
use serde_json::json;

#[test]
fn markdown_is_rendered_for_all_with_a_token() {
    let world = World::new(spec(), Visibility::Private);
    let post = |fields: serde_json::Value| spec().ask_v4("POST", "/markdown").json(fields);
    post(json!({ "text": "x" })).gives(401);
    post(json!({})).by(&world.eve).refused(400, json!({ "error": "text is missing" }));
    let html = |fields| post(fields).by(&world.gus).gives(201).json;
    assert_eq!(html(json!({ "text": "*a* <b>" })), json!({ "html": "<p><em>a</em> &lt;b&gt;</p>" }));
    assert_eq!(html(json!({ "text": "" })), json!({ "html": "" }));
    let of = json!({ "text": "a", "gfm": true, "project": world.project.path });
    assert_eq!(html(of.clone()), json!({ "html": "<p>a</p>" }));
    let picture = json!({ "text": "![a](/uploads/1/a.png)", "project": world.project.path });
    let address = format!("{}/-/project/{}/uploads/1/a.png", spec().origin, world.project.id);
    assert_eq!(html(picture), json!({ "html": format!("<p><img src=\"{address}\" alt=\"a\" /></p>") }));
    post(of).by(&world.eve).refused(404, json!({ "message": "404 Project Not Found" }));
}

#[test]
fn with_a_project_issues_and_people_are_links_where_the_caller_sees_them() {
    let world = World::new(spec(), Visibility::Private);
    world.issue(&world.ann, json!({ "title": "open" }));
    world.issue(&world.ann, json!({ "title": "hidden", "confidential": true }));
    let (project, bob) = (world.project.path.as_str(), world.bob.username.as_str());
    let html = |person: &Person, text: &str, more: serde_json::Value| {
        let mut fields = json!({ "text": text, "gfm": true, "project": project });
        fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let html = spec().ask_v4("POST", "/markdown").by(person).json(fields).gives(201).json["html"].clone();
        html.as_str().unwrap().trim_start_matches("<p>").trim_end_matches("</p>").to_owned()
    };
    let link = |address: String, text: &str| {
        let address = format!("{}/{address}", spec().origin);
        format!("<a href=\"{address}\" rel=\"nofollow noreferrer noopener\" target=\"_blank\">{text}</a>")
    };
    let issue = |iid: i64| link(format!("{project}/-/issues/{iid}"), &format!("#{iid}"));
    let person = link(bob.to_owned(), &format!("@{}", bob.to_uppercase()));
    let text = format!("#1, (#2) and #3: @{}.", bob.to_uppercase());
    assert_eq!(html(&world.ann, &text, json!({})), format!("{}, ({}) and #3: {person}.", issue(1), issue(2)));
    // a confidential issue is none for a guest
    assert_eq!(html(&world.gus, &text, json!({})), format!("{}, (#2) and #3: {person}.", issue(1)));
    for plain in [
        "a#1",
        "#1a",
        "/#1",
        "\\#1",
        "`#1`",
        "&#35;",
        "#0",
        "#",
        "@nobody-has-this-name",
        "x@y",
        "#99999999999999999999",
    ] {
        let shown = html(&world.ann, plain, json!({}));
        assert!(!shown.contains("<a"), "{plain}: {shown}");
    }
    assert_eq!(html(&world.ann, "\\#1 **#1**", json!({})), format!("#1 <strong>{}</strong>", issue(1)));
    assert_eq!(html(&world.ann, "[#1](https://x)", json!({})).matches("<a").count(), 1);
    assert_eq!(html(&world.ann, "#1", json!({ "gfm": false })), "#1");
    assert_eq!(html(&world.ann, "#1", json!({ "project": null })), "#1");
    world.v4("PUT", "").by(&world.ann).json(json!({ "issues_access_level": "disabled" })).gives(200);
    assert_eq!(html(&world.ann, "#1", json!({})), "#1");
}

#[test]
fn with_a_project_hashes_are_links_where_the_caller_may_read_commits() {
    let world = World::new(spec(), Visibility::Private);
    world.push(&line(2), &[("refs/heads/master", &sha(2))]);
    let elsewhere = World::new(spec(), Visibility::Public);
    let other = crate::support::git::commit(77, &[]);
    elsewhere.push(std::slice::from_ref(&other), &[("refs/heads/master", &other.sha)]);
    let project = world.project.path.as_str();
    let html = |person: &Person, text: &str| {
        let fields = json!({ "text": text, "gfm": true, "project": project });
        let html = spec().ask_v4("POST", "/markdown").by(person).json(fields).gives(201).json["html"].clone();
        html.as_str().unwrap().trim_start_matches("<p>").trim_end_matches("</p>").to_owned()
    };
    let link = |number: u32, text: &str| {
        let address = format!("{}/{project}/-/commit/{}", spec().origin, sha(number));
        format!("<a href=\"{address}\" rel=\"nofollow noreferrer noopener\" target=\"_blank\">{text}</a>")
    };
    let (whole, short) = (sha(1), sha(2)[..8].to_owned());
    let upper = short.to_uppercase();
    let text = format!("{whole} ({short}), {upper}.");
    let linked = format!("{} ({}), {}.", link(1, &whole), link(2, &short), link(2, &upper));
    assert_eq!(html(&world.ann, &text), linked);
    assert_eq!(html(&world.bob, &text), linked);
    // a guest of a private project may not read commits
    assert_eq!(html(&world.gus, &text), text);
    for dots in ["...", ".."] {
        let range = format!("{short}{dots}{whole}");
        let place = format!("{}/{project}/-/compare/{}{dots}{whole}", spec().origin, sha(2));
        let link = format!("<a href=\"{place}\" rel=\"nofollow noreferrer noopener\" target=\"_blank\">{range}</a>");
        assert_eq!(html(&world.ann, &range), link);
        assert_eq!(html(&world.gus, &range), range);
        let unknown = format!("{short}{dots}{}", other.sha);
        assert_eq!(html(&world.ann, &unknown), unknown);
    }
    let (less, seven) = (&short[..6], &short[..7]);
    assert_eq!(html(&world.ann, seven), link(2, seven));
    for plain in [
        less.to_owned(),
        "0".repeat(40),
        other.sha,
        format!("{whole}0"),
        format!("x{short}"),
        format!("{short}_"),
        format!("/{short}"),
        format!("a/b@{short}"),
    ] {
        assert_eq!(html(&world.ann, &plain), plain);
    }
    assert!(!html(&world.ann, &format!("`{short}`")).contains("<a"));
    // a token that is for statuses alone reads no commits
    let token = json!({ "name": "ci", "scopes": ["statuses"], "access_level": 30 });
    let token = world.v4("POST", "/access_tokens").by(&world.ann).json(token).gives(201).json;
    let fields = json!({ "text": short, "gfm": true, "project": project });
    let answer = spec()
        .ask_v4("POST", "/markdown")
        .header("PRIVATE-TOKEN", token["token"].as_str().unwrap())
        .json(fields)
        .send();
    assert!(!answer.text.contains("<a"), "{}", answer.text);
}

/// A table of 1,000 columns whose rows have one cell: 262,144 cells of 7,000 bytes.
fn table() -> String {
    format!("|{}\n|{}\n{}", "a|".repeat(1_000), "-|".repeat(1_000), "|b\n".repeat(1_000))
}

#[test]
fn html_of_short_texts_can_be_long_and_is_bounded() {
    let world = World::new(spec(), Visibility::Private);
    let links = |number| "[](a)".repeat(number);
    for text in [table(), links(10_000)] {
        let error = json!({ "error": "text has more than 600000 bytes of HTML" });
        spec().ask_v4("POST", "/markdown").by(&world.gus).json(json!({ "text": text })).refused(400, error);
    }
    let tips = ["refs/heads/master", "refs/tags/v0", "refs/tags/v1", "refs/tags/v2"];
    world.push(&line(1), &tips.map(|name| (name, sha(1))).each_ref().map(|(name, sha)| (*name, sha.as_str())));
    let long = links(5_000);
    for (n, text) in [(0, table()), (1, long.clone()), (2, long)] {
        let fields = json!({ "tag_name": format!("v{n}"), "description": text });
        world.v4("POST", "/releases").by(&world.bob).json(fields).gives(201);
    }
    let lengths = |path: &str| -> Vec<Option<usize>> {
        let answer = world.v4("GET", &format!("{path}?include_html_description=true")).by(&world.bob).gives(200);
        let all = answer.json.as_array().cloned().unwrap_or_else(|| vec![answer.json.clone()]);
        all.iter().map(|release| release["description_html"].as_str().map(str::len)).collect()
    };
    assert_eq!(lengths("/releases/v0"), [None]);
    let one = lengths("/releases/v1");
    assert!(one[0].is_some_and(|length| length > 300_000), "{one:?}");
    // the second would be too much together with the first
    assert_eq!(lengths("/releases"), [one[0], None, None]);
}
