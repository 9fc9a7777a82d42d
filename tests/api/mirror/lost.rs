//! What the object store has lost, and which the hook asks for with `recheck` (behaviour 12.2).

use crate::support::contents::{Object, blob, tree};
use crate::support::git::{Commit, line, sha};
use crate::support::{Server, Visibility, World, spec};
use serde_json::{Value, json};

/// A project on a server of its own, whose four commits have long diffs, and at whose tip are a tree and a file.
struct Mirror {
    world: World,
    commits: Vec<Commit>,
    objects: [Object; 2],
}

fn mirror() -> Option<Mirror> {
    if !spec().is_in_process() {
        return None;
    }
    let world = World::new(Server::with_objects(|_| {}), Visibility::Private);
    let file = blob("text\n");
    let objects = [tree(&[("100644", b"a", file.id())]), file];
    let long = |number: usize| {
        json!([{ "diff": format!("+line {number}\n").repeat(200), "new_path": "a", "old_path": "a",
        "a_mode": "100644", "b_mode": "100644", "new_file": false, "renamed_file": false, "deleted_file": false }])
    };
    let commits: Vec<Commit> = line(4)
        .into_iter()
        .enumerate()
        .map(|(number, commit)| {
            commit.with(|commit| {
                commit.diff = long(number).to_string();
                if number == 3 {
                    commit.tree = objects[0].id().to_owned();
                }
            })
        })
        .collect();
    let tip = commits[3].sha.clone();
    world.push(&commits, &[("refs/heads/master", &tip)]);
    world.send_objects(&objects);
    world.note(json!({ "extent": "tips", "complete": [tip] }));
    Some(Mirror { world, commits, objects })
}

impl Mirror {
    fn all(&self) -> Vec<&str> {
        let commits = self.commits.iter().map(|commit| commit.sha.as_str());
        commits.chain(self.objects.iter().map(Object::id)).collect()
    }

    /// Sorted.
    fn recheck(&self, ids: &[&str]) -> Vec<String> {
        let asked = json!({ "objects": ids, "recheck": true });
        let answer = self.world.post("/mirror/objects/lacking").by(&self.world.ann).json(asked).gives(200);
        let mut lost: Vec<String> = serde_json::from_value(answer.json["objects"].clone()).unwrap();
        lost.sort();
        lost
    }

    /// Loses what is named so in the store.
    fn lose(&self, names: &[&str]) {
        let bucket = self.world.server.bucket();
        for key in bucket.keys() {
            if names.iter().any(|name| key.contains(name)) {
                assert!(bucket.lose(&key));
            }
        }
    }

    fn state(&self) -> Value {
        self.world.get("/mirror").by(&self.world.ann).gives(200).json
    }
}

fn sorted(names: &[&str]) -> Vec<String> {
    let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    names.sort();
    names
}

#[test]
fn what_the_store_has_lost_is_found_and_sent_again() {
    let Some(mirror) = mirror() else { return };
    let Mirror { world, commits, objects: [root, file] } = &mirror;
    assert_eq!(mirror.recheck(&mirror.all()), [""; 0]);
    let lost = [&commits[1].sha, &commits[3].sha, file.id()];
    mirror.lose(&lost);
    // what nobody asks about stays as it is
    assert_eq!(mirror.recheck(&[&commits[0].sha, root.id(), &sha(99)]), [""; 0]);
    assert_eq!(mirror.recheck(&mirror.all()), sorted(&lost));
    let state = mirror.state();
    assert_eq!(state["forgotten"].as_array().map(Vec::len), Some(2));
    assert_eq!(state["refs"][0]["contents"], Value::Null, "{state}");
    // so the hook sends as much as before
    assert_eq!(state["contents"], "tips");
    assert_eq!(mirror.recheck(&mirror.all()), [""; 0]);
    let wire: Vec<Value> = commits.iter().map(Commit::wire).collect();
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": wire })).gives(201);
    world.send_objects(std::slice::from_ref(file));
    assert_eq!(mirror.state()["forgotten"], json!([]));
    for commit in commits {
        world.get(&format!("/repository/commits/{}/diff", commit.sha)).by(&world.rae).gives(200);
    }
    assert_eq!(world.v4("GET", "/repository/files/a/raw").by(&world.rae).gives(200).text, "text\n");
}

#[test]
fn of_a_store_with_many_objects_each_is_found() {
    let Some(mirror) = mirror() else { return };
    let files: Vec<Object> = (0..1100).map(|number: u32| blob(number.to_string())).collect();
    files.chunks(500).for_each(|some| mirror.world.send_objects(some));
    let lost = [files[3].id(), files[700].id(), files[1099].id()];
    mirror.lose(&lost);
    let ids: Vec<&str> = files.iter().map(Object::id).collect();
    let found: Vec<String> = ids.chunks(500).flat_map(|some| mirror.recheck(some)).collect();
    assert_eq!(sorted(&found.iter().map(String::as_str).collect::<Vec<_>>()), sorted(&lost));
}

#[test]
fn of_a_copy_the_objects_of_its_original_are_not_lost() {
    let Some(mirror) = mirror() else { return };
    mirror.world.server.tamper("update object_sweeps set own = '0123456789abcdef'");
    assert_eq!(mirror.recheck(&mirror.all()), [""; 0]);
    mirror.lose(&[""]);
    assert_eq!(mirror.recheck(&mirror.all()), sorted(&mirror.all()));
}

#[test]
fn a_store_that_cannot_be_read_loses_nothing() {
    let Some(mirror) = mirror() else { return };
    let asked = json!({ "objects": mirror.all(), "recheck": true });
    let ask = || mirror.world.post("/mirror/objects/lacking").by(&mirror.world.ann).json(asked.clone());
    mirror.world.server.bucket().bind(false);
    ask().gives(501);
    mirror.world.server.bucket().bind(true);
    assert_eq!(mirror.state()["forgotten"], json!([]));
    let many: Vec<String> = (0..501).map(|number| format!("{number:040x}")).collect();
    let refused = mirror.world.post("/mirror/objects/lacking").by(&mirror.world.ann);
    let refused = refused.json(json!({ "objects": many, "recheck": true })).gives(400);
    assert_eq!(refused.json["message"], "more than 500 hashes at once");
}
