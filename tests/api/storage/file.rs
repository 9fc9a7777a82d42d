//! What the counter of bytes says beside the size of the database, for the rows that take most beside their texts.

use crate::support::git::commit;
use crate::support::{Server, Visibility, World, templates};
use serde_json::{Value, json};

struct Scale {
    world: World,
}

impl Scale {
    fn new() -> Option<Scale> {
        let server = Server::own(templates::blobs());
        server.is_in_process().then(|| Scale { world: World::new(server, Visibility::Public) })
    }

    /// The bytes of the database and those that count.
    fn read(&self) -> [f64; 2] {
        let sql = "select (select page_count from pragma_page_count) * (select page_size from pragma_page_size)
            - (select freelist_count from pragma_freelist_count) * (select page_size from pragma_page_size) as file,
            (select bytes from stored) as counted";
        let row = self.world.server.rows(sql).remove(0);
        [&row["file"], &row["counted"]].map(|value| value.as_f64().unwrap())
    }

    /// The database grows by no more than what counts, and a little of what was not full before.
    #[track_caller]
    fn counts(&self, write: impl FnOnce(&World)) {
        let before = self.read();
        write(&self.world);
        let after = self.read();
        let [file, counted] = [after[0] - before[0], after[1] - before[1]];
        assert!(file > 90_000.0, "too few to measure: {file}");
        assert!(file <= 1.2 * counted, "the database grew by {file} bytes, and {counted} counted");
    }
}

fn number(number: usize) -> String {
    format!("{number:04}")
}

#[test]
fn refs_with_long_names_count_what_they_take() {
    let Some(scale) = Scale::new() else { return };
    scale.world.push(&[commit(1, &[])], &[]);
    scale.counts(|world| {
        let change = |index: usize| {
            let name = format!("refs/heads/{}{}", "x".repeat(1000), number(index));
            json!({ "name": name, "old": null, "new": crate::support::git::sha(1) })
        };
        let changes: Vec<Value> = (0..300).map(change).collect();
        let swap = json!({ "default_branch": null, "changes": changes });
        world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
    });
}

#[test]
fn labels_milestones_and_environments_with_long_names_count_what_they_take() {
    let Some(scale) = Scale::new() else { return };
    let name = |index: usize| format!("{}{}", "😀".repeat(251), number(index));
    scale.counts(|world| {
        for index in 0..150 {
            world.post("/labels").by(&world.ann).json(json!({ "name": name(index), "color": "#ff0000" })).gives(201);
        }
    });
    scale.counts(|world| {
        for index in 0..150 {
            world.post("/milestones").by(&world.ann).json(json!({ "title": name(index) })).gives(201);
        }
    });
    scale.counts(|world| {
        for index in 0..300 {
            let new = json!({ "name": format!("{}{}", "e".repeat(251), number(index)) });
            world.v4("POST", "/environments").by(&world.ann).json(new).gives(201);
        }
    });
}

#[test]
fn projects_groups_and_tokens_count_what_they_take() {
    let Some(scale) = Scale::new() else { return };
    let name = |index: usize| format!("{}{}", "😀".repeat(250), number(index));
    let path = |index: usize| format!("{}{}", "p".repeat(230), number(index));
    scale.counts(|world| {
        for index in 0..60 {
            let new = json!({ "name": name(index), "path": path(index) });
            world.server.post("/projects").by(&world.ann).json(new).gives(201);
        }
    });
    scale.counts(|world| {
        for index in 100..200 {
            let new = json!({ "name": name(index), "path": path(index) });
            world.server.post("/groups").by(&world.ann).json(new).gives(201);
        }
    });
    scale.counts(|world| {
        for index in 0..100 {
            let new = json!({ "name": name(index), "scopes": ["api"] });
            world.post("/access_tokens").by(&world.ann).json(new).gives(201);
        }
    });
    scale.counts(|world| {
        let path = format!("/users/{}/personal_access_tokens", world.ann.id);
        for index in 0..700 {
            world.server.post(&path).by(&world.ann).json(json!({ "name": number(index) })).gives(201);
        }
    });
}

#[test]
fn issues_that_mention_many_people_count_what_they_take() {
    let Some(scale) = Scale::new() else { return };
    let people: Vec<String> = (0..100).map(|index| scale.world.server.person(&format!("P{index}")).username).collect();
    let text: String = people.iter().map(|name| format!("@{name} ")).collect();
    scale.counts(|world| {
        for _ in 0..60 {
            world.issue(&world.ann, json!({ "title": "x", "description": text }));
        }
    });
    scale.counts(|world| {
        for _ in 0..700 {
            world.issue(&world.ann, json!({ "title": "x" }));
        }
    });
}
