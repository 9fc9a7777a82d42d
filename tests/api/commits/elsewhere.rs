//! What names a commit where the description has no place for one: ranges, searches, feeds, pages and bases.

use super::names::{plain, segment, world};
use crate::support::World;
use crate::support::git::sha;
use serde_json::json;

/// Requests in which `NAME` names a commit. `PATH` is the path of the project.
const ASKS: [&str; 22] = [
    "/api/v4/projects/ID/repository/commits?ref_name=NAME..master",
    "/api/v4/projects/ID/repository/commits?ref_name=master..NAME",
    "/api/v4/projects/ID/repository/commits?ref_name=NAME..NAME",
    "/api/v3/projects/ID/repository/commits?ref_name=NAME&since=1970-01-01T00:00:00Z",
    "/api/v4/projects/ID/repository/commits?ref_name=NAME&order=topo&with_stats=true",
    "/api/v4/projects/ID/repository/commits?ref_name=NAME&first_parent=true&trailers=true",
    "/api/v4/projects/ID/repository/commits?ref_name=NAME&path=a",
    "/api/v4/projects/ID/repository/commits/NAME?stats=false",
    "/api/v4/projects/ID/search?scope=commits&search=NAME",
    "/api/v4/projects/ID/search?scope=commits&search=Change&ref=NAME",
    "/api/v4/projects/ID/repository/merge_base?refs[]=NAME&refs[]=NAME",
    "/api/v4/projects/ID/repository/merge_base?refs[]=master&refs[]=NAME&refs[]=HEAD",
    "/api/v4/projects/ID/repository/compare?from=NAME&to=NAME&straight=true",
    "/api/v4/projects/ID/repository/archive.tar.gz?sha=NAME",
    "/api/v3/projects/ID/repository/archive.zip?sha=NAME",
    "/api/v4/projects/ID/repository/tree?ref=NAME&recursive=true&per_page=1",
    "/api/v4/projects/ID/repository/commits/NAME/statuses?all=true&ref=v1",
    "/PATH/-/commits/NAME?format=atom",
    "/PATH/-/raw/NAME/a",
    "/PATH/-/archive/NAME/x.tar.gz",
    "/PATH/-/archive/NAME.tar.gz",
    "/PATH/badges/NAME/pipeline.svg",
];

fn ask(world: &World, path: &str, name: &str) -> (u16, String) {
    let project = &world.project;
    let path =
        path.replace("ID", &project.id.to_string()).replace("PATH", &project.path).replace("NAME", &segment(name));
    let answer = world.server.ask_at("GET", path.clone()).by(&world.ann).send();
    let text = if path.contains("archive") { String::new() } else { plain(&answer, name, &sha(1)) };
    (answer.status, text)
}

#[test]
fn the_hash_of_a_tag_names_its_commit_in_ranges_searches_feeds_and_pages_too() {
    let world = world();
    let first = sha(1);
    let [tag, outer, inner] = ["ab12", "cd34", "0a9b"].map(|start| start.repeat(10));
    world.tag("refs/tags/v1", [None, Some(&first)], Some(&tag), &[]);
    world.tag("refs/tags/of-a-tag", [None, Some(&first)], Some(&outer), &[&inner]);
    let status = json!({ "state": "success", "name": "x", "ref": "v1" });
    world.v4("POST", &format!("/statuses/{tag}")).by(&world.ann).json(status).gives(201);
    let mut good = 0;
    for path in ASKS {
        let by_hash = ask(&world, path, &first);
        good += usize::from(by_hash.0 == 200);
        for name in [&tag, &tag.to_uppercase(), &tag[..7], &outer, &inner, &inner[..12]] {
            assert_eq!(ask(&world, path, name), by_hash, "{path} {name}");
        }
    }
    assert!(good >= 20, "{good}");
}
