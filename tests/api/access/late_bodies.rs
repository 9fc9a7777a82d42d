//! A body that is read after authorization may take minutes. Who loses the right meanwhile writes nothing (behaviour 2.3).

use crate::packages::publishing;
use crate::support::contents::blob;
use crate::support::git::commit;
use crate::support::{Ask, Person, Server, Visibility, World, now, tables, unique};
use crate::uploads::{FORM, form, uploading};
use edgeforge::Place;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The status that `who` of [`world`] has posted.
fn newest_status(world: &World) -> i64 {
    world.server.rows("select json_array(coalesce(max(id), 0)) as v from statuses")[0][0].as_i64().unwrap()
}

/// A request of each route that reads its body late.
fn requests(world: &World) -> Vec<(&'static str, Ask)> {
    let pushed = json!({ "commits": [commit(2, &[]).wire()] });
    let missing = blob("missing");
    let swap =
        json!({ "default_branch": "master", "changes": [{ "name": "refs/heads/new", "new": commit(1, &[]).sha }] });
    let noted = json!({ "extent": "tips", "unneeded": [missing.id()] });
    vec![
        ("v3 POST [\"projects\", id, \"uploads\"]", world.post("/uploads").body(FORM, form("a.bin", b"bytes"))),
        ("v4 POST [\"projects\", id, \"uploads\"]", uploading(world, "a.bin", b"bytes")),
        (
            "v4 PUT [\"projects\", id, \"packages\", \"generic\", name, version, file_name]",
            publishing(world, "n/1/f", b"bytes"),
        ),
        (
            "v4 PUT [\"projects\", id, \"jobs\", job_id, \"reports\", kind]",
            world.reporting(newest_status(world), "tests", &crate::reports::tests(&[("success", "a")])),
        ),
        ("POST [\"projects\", id, \"mirror\", \"commits\"]", world.post("/mirror/commits").json(pushed)),
        (
            "POST [\"projects\", id, \"mirror\", \"objects\"]",
            world.post("/mirror/objects").body("application/octet-stream", blob("bytes").record()),
        ),
        ("PUT [\"projects\", id, \"mirror\", \"refs\"]", world.put("/mirror/refs").json(swap)),
        ("PUT [\"projects\", id, \"mirror\", \"contents\"]", world.put("/mirror/contents").json(noted)),
    ]
}

/// Routes that write nothing behind a body.
const READS: &[&str] = &[
    r#"DELETE ["projects", id, "mirror", "commits", sha]"#,
    "POST [\"projects\", id, \"mirror\", \"objects\", \"lacking\"]",
];

/// A route for administrators, which `imports::again` tries.
const OF_ADMINISTRATORS: &str = "POST [\"projects\", id, \"import_records\"]";

type Loss = fn(&World, &Person);

/// How a right is lost, and the status of a request that begins afterwards.
const LOSSES: [(&str, u16, Loss); 6] = [
    ("token revoked", 401, |world, who| {
        world.server.ask_v4("DELETE", "/personal_access_tokens/self").by(who).gives(204);
    }),
    ("member removed", 404, |world, who| {
        world.delete(&format!("/members/{}", who.id)).by(&world.ann).gives(200);
    }),
    ("access lowered", 403, |world, who| {
        let guest = json!({ "access_level": 10 });
        world.put(&format!("/members/{}", who.id)).by(&world.ann).json(guest).gives(200);
    }),
    ("user blocked", 401, |world, who| {
        world.server.ask_v4("POST", format!("/users/{}/block", who.id)).by(&world.root).gives(201);
    }),
    ("user deleted", 401, |world, who| {
        world.server.ask_v4("DELETE", format!("/users/{}", who.id)).by(&world.root).gives(204);
    }),
    ("project deleted", 404, |world, _| {
        world.delete("").by(&world.ann).gives(200);
    }),
];

/// What these routes store.
fn stored(world: &World) -> (Vec<Value>, i64) {
    let tables =
        ["commits", "diffs", "refs", "objects", "uploads", "packages", "package_files", "reports", "reservations"];
    let count = |table| world.server.rows(&format!("select json_array('{table}', count(*)) as v from {table}"));
    (tables.into_iter().flat_map(count).collect(), world.server.bucket().bytes())
}

fn world(server: &'static Server) -> (World, Person) {
    let world = World::new(server, Visibility::Private);
    world.push_line(1);
    let who = server.person(&unique("Late"));
    world.admit(&who, 40);
    world.posted_job(&who, 1, "late", "success");
    (world, who)
}

#[test]
fn who_loses_the_right_while_a_body_arrives_writes_nothing() {
    let server = Server::with_objects(|_| ());
    if !server.is_in_process() {
        return;
    }
    let count = requests(&world(server).0).len();
    for (loss, status, lose) in LOSSES {
        for number in 0..count {
            let (of, who) = world(server);
            let before = stored(&of);
            let (name, asked) = requests(&of).swap_remove(number);
            let (twin, person) = (World { project: of.project.clone(), ..of }, who.clone());
            server.meanwhile(move || lose(&twin, &person));
            let refused = asked.by(&who).send();
            let upload = status == 403 && name.contains("uploads") && refused.status == 201;
            // a guest may upload
            if !upload {
                assert_eq!(refused.status, status, "{loss}: {name}: {}", refused.text);
                // objects that came before the loss wait for the sweep
                server.sweep(now() + 2 * 3_600_000).unwrap();
                assert_eq!(stored(&of), before, "{loss}: {name}");
            }
            let later = requests(&of).swap_remove(number).1.by(&who).send();
            assert_eq!(later.status, refused.status, "{loss}, then {name}: {}", later.text);
        }
    }
}

#[test]
fn each_route_that_reads_its_body_late_is_tried_and_belongs_to_a_project() {
    let (world, _) = world(Server::with_objects(|_| ()));
    let tried: BTreeSet<&str> = requests(&world).into_iter().map(|(name, _)| name).collect();
    for table in tables() {
        for route in edgeforge::routes(table.dialect).filter(|route| route.content.is_read_late()) {
            let name = format!("{} {}", route.verb, route.pattern);
            let named = format!("{} {name}", table.name);
            let is_tried = [&name, &named].iter().any(|name| tried.contains(name.as_str()));
            let reads = READS.contains(&name.as_str()) || name == OF_ADMINISTRATORS;
            assert!(is_tried != reads, "{named}: add a request of it to tests/api/access/late_bodies.rs");
            // the expectation is of a project
            assert!(matches!(route.place, Place::Project | Place::Packages), "{named}");
        }
    }
}
