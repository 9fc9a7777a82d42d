//! Routes that v4 clients call for records that this server does not have.

use crate::support::{Visibility, World, spec};
use serde_json::json;

const OF_PROJECTS: [&str; 9] =
    ["groups", "forks", "protected_tags", "variables", "snippets", "triggers", "runners", "boards", "cluster_agents"];

#[test]
fn what_a_project_has_none_of_is_told_to_those_who_see_it() {
    let hidden = World::new(spec(), Visibility::Private);
    let public = World::new(spec(), Visibility::Public);
    for name in OF_PROJECTS {
        let path = hidden.at(&format!("/{name}"));
        let missing = json!({ "message": "404 Project Not Found" });
        spec().ask_v4("GET", &path).refused(404, missing.clone());
        spec().ask_v4("GET", &path).by(&hidden.eve).refused(404, missing);
        spec().ask_v4("GET", &path).by(&hidden.gus).gives(200);
        let nothing = spec().ask_v4("GET", public.at(&format!("/{name}"))).gives(200);
        assert_eq!(nothing.json, json!([]));
        for (header, value) in [
            ("X-Total", "0"),
            ("X-Total-Pages", "1"),
            ("X-Page", "1"),
            ("X-Per-Page", "20"),
            ("X-Next-Page", ""),
            ("X-Prev-Page", ""),
        ] {
            assert_eq!(nothing.header(header), Some(value), "{header} of {name}");
        }
        let last = nothing.header("Link").unwrap().split(", ").last().unwrap();
        assert!(last.contains("page=1&") && last.ends_with("rel=\"last\""), "{last}");
    }
    assert_eq!(spec().ask_v4("GET", public.at("/languages")).gives(200).json, json!({}));
    spec().ask_v4("GET", public.at("/forks?page=x")).refused(400, json!({ "error": "page is invalid" }));
}

#[test]
fn a_group_has_no_groups_labels_or_milestones_and_nobody_makes_any() {
    let cast = spec().cast();
    for name in
        ["subgroups", "descendant_groups", "projects/shared", "labels", "milestones", "hooks", "variables", "boards"]
    {
        let path = format!("/groups/{}/{name}", cast.group);
        assert_eq!(spec().ask_v4("GET", &path).gives(200).json, json!([]), "{name}");
        assert_eq!(spec().ask_v4("GET", &path).by(&cast.eve).gives(200).json, json!([]), "{name}");
    }
    for name in ["subgroups", "labels", "milestones"] {
        let path = format!("/groups/{}/{name}", cast.group);
        spec().ask_v4("POST", &path).refused(401, json!({ "message": "401 Unauthorized" }));
        spec().ask_v4("POST", &path).by(&cast.ann).refused(403, json!({ "message": "403 Forbidden" }));
    }
    let epics = format!("/groups/{}/epics", cast.group);
    spec().ask_v4("GET", &epics).by(&cast.ann).refused(403, json!({ "message": "403 Forbidden" }));
    let missing = json!({ "message": "404 Group Not Found" });
    spec().ask_v4("GET", "/groups/0/epics").by(&cast.ann).refused(404, missing.clone());
    spec().ask_v4("GET", "/groups/0/subgroups").by(&cast.ann).refused(404, missing);
}

#[test]
fn v3_has_an_empty_list_of_merge_requests() {
    let world = World::new(spec(), Visibility::Private);
    let at = "/merge_requests?state=opened";
    world.get(at).refused(401, json!({ "message": "401 Unauthorized" }));
    world.get(at).by(&world.eve).refused(404, json!({ "message": "404 Project Not Found" }));
    let nothing = world.get(at).by(&world.gus).gives(200);
    assert_eq!((&nothing.json, nothing.header("X-Total")), (&json!([]), Some("0")));
}

#[test]
fn a_bad_token_and_one_of_a_job_are_refused_where_none_is_needed() {
    let world = World::new(spec(), Visibility::Public);
    let path = world.at("/forks");
    let refused = json!({ "message": "401 Unauthorized" });
    spec().ask_v4("GET", &path).header("PRIVATE-TOKEN", "nobody-has-this").refused(401, refused.clone());
    spec().ask_v4("GET", &path).header("Authorization", "Bearer nothing").refused(401, refused.clone());
    // though it would be good as another kind
    let token = world.bob.token.as_str();
    spec().ask_v4("GET", &path).header("JOB-TOKEN", token).refused(401, refused.clone());
    spec().ask_v4("GET", &path).query("job_token", token).refused(401, refused.clone());
    for path in [world.at("/forks"), world.at(""), world.at("/issues"), "/projects".to_owned()] {
        spec().ask_v4("GET", path).header("DEPLOY-TOKEN", token).refused(401, refused.clone());
    }
    spec().ask_v4("GET", &path).header("Authorization", format!("Bearer {token}")).gives(200);
}

#[test]
fn a_list_that_ends_on_its_first_page_tells_how_long_it_is() {
    let world = World::new(spec(), Visibility::Private);
    let told = |path: &str, query: &str| {
        let list = world.v4("GET", &format!("{path}{query}")).by(&world.ann).gives(200);
        ["X-Total", "X-Total-Pages"].map(|name| list.header(name).map(str::to_owned))
    };
    let some = |total: &str, pages: &str| [total, pages].map(|text| Some(text.to_owned()));
    let counted = ["/labels", "/milestones", "/issues", "/environments", "/deployments", "/members/all?user_ids[]=1"];
    for path in counted {
        assert_eq!(told(path, ""), some("0", "1"), "{path}");
    }
    for path in ["/repository/branches", "/repository/tags"] {
        assert_eq!(told(path, ""), some("0", "1"), "{path}");
    }
    // but for commits, which are never counted
    assert_eq!(told("/repository/commits", ""), [None, None]);
    for name in ["a", "b", "c"] {
        let label = json!({ "name": name, "color": "#ff0000" });
        world.v4("POST", "/labels").by(&world.ann).json(label).gives(201);
    }
    assert_eq!(told("/labels", ""), some("3", "1"));
    assert_eq!(told("/labels", "?per_page=3"), some("3", "1"));
    assert_eq!(told("/labels", "?per_page=2"), some("3", "2"));
}
