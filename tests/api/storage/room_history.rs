//! After a long random history of files, with refusals, faults and crashes, what is counted is what the database and the object store have.

use super::counters::{checked, disagreements};
use crate::packages::publishing;
use crate::reports::tests;
use crate::support::contents::blob;
use crate::support::git::commit;
use crate::support::v4::ask;
use crate::support::{Answer, Ask, Dice, Fault, Person, Server, Visibility, World, now};
use crate::uploads::uploading;
use edgeforge::Retention;
use edgeforge::quota::Quotas;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

const QUOTAS: Quotas = Quotas {
    project_bytes: 400_000,
    instance_bytes: 2_000_000,
    object_bytes: 900_000,
    person_object_bytes: 300_000,
    person_bytes: 1_000_000,
    hourly_writes: 0,
    file_bytes: 60_000,
    package_file_bytes: 60_000,
};

struct History {
    server: &'static Server,
    dice: Dice,
    worlds: Vec<World>,
    people: Vec<Person>,
    /// Project, its kind of file, and where it is deleted.
    files: Vec<(usize, String)>,
    /// Project and number of issues, and project and hash of commits.
    issues: Vec<(usize, Value)>,
    commits: Vec<(usize, String)>,
    blobs: Vec<(usize, String)>,
    answers: BTreeMap<(&'static str, u16), u32>,
}

impl History {
    fn new(seed: u64) -> History {
        let retention = Retention { deleted_projects: 7, ..Retention::default() };
        let server = Server::with_objects(|config| (config.quotas, config.retention) = (QUOTAS, retention));
        let worlds = [Visibility::Private, Visibility::Public, Visibility::Public];
        let worlds = worlds.map(|visibility| World::new(server, visibility)).into_iter().collect();
        let cast = server.cast();
        let people = [&cast.ann, &cast.bob, &cast.rae, &cast.gus, &cast.eve].map(Person::clone).to_vec();
        let (files, issues, commits, blobs) = Default::default();
        let answers = BTreeMap::new();
        History { server, dice: Dice(seed), worlds, people, files, issues, commits, blobs, answers }
    }

    fn bytes(&mut self) -> Vec<u8> {
        let length = if self.dice.roll(10) == 0 { 70_000 } else { self.dice.roll(20_000) };
        (0..length).map(|_| self.dice.number() as u8).collect()
    }

    /// Sends it; sometimes the database or the object store fails, or the length is not announced.
    fn send(&mut self, name: &'static str, asked: Ask) -> Answer {
        let (mut at, fault) = (self.dice.roll(4), self.dice.roll(12));
        let asked = if fault == 5 { asked.header("Transfer-Encoding", "chunked") } else { asked };
        let (server, lost) = (self.server, "Network connection lost");
        let fault = match fault {
            0 => Some(Fault::Before(lost)),
            1 => Some(Fault::During("D1 DB is overloaded")),
            2 => Some(Fault::After(lost)),
            3 => {
                server.bucket().break_after(Some(self.dice.roll(2)));
                None
            }
            _ => None,
        };
        if let Some(fault) = fault {
            server.database().break_down(move || {
                at = at.wrapping_sub(1);
                (at == 0).then_some(fault)
            });
        }
        let answer = asked.send();
        server.database().mend();
        server.bucket().break_after(None);
        *self.answers.entry((name, answer.status)).or_default() += 1;
        answer
    }

    /// One thing that somebody does; whether they may, and whether there is room, is not asked here.
    fn step(&mut self) {
        let (at, what) = (self.dice.roll(self.worlds.len()), self.dice.roll(100));
        let person = self.people[self.dice.roll(5)].clone();
        let owner = self.people[0].clone();
        match what {
            0..7 if !self.commits.is_empty() => {
                let (at, sha) = self.dice.one(&self.commits).clone();
                let fields = json!({ "state": "success", "name": format!("job {}", self.dice.roll(1000)) });
                let status = self.worlds[at].v4("POST", &format!("/statuses/{sha}")).by(&owner).json(fields).send();
                if status.status != 201 {
                    return;
                }
                let names: Vec<String> =
                    (0..self.dice.roll(400)).map(|_| format!("{:x}", self.dice.number())).collect();
                let cases: Vec<_> = names.iter().map(|name| ("failed", name.as_str())).collect();
                let asked = self.worlds[at].reporting(status.id(), "tests", &tests(&cases)).by(&owner);
                // a repeat stores nothing
                let again = self.worlds[at].reporting(status.id(), "tests", &tests(&cases)).by(&owner);
                let made = self.send("report", asked);
                self.send("report", again);
                if made.status == 201 {
                    self.files.push((at, format!("/jobs/{}/artifacts", status.id())));
                }
            }
            0..20 => {
                let bytes = self.bytes();
                let asked = uploading(&self.worlds[at], "a.bin", &bytes).by(&person);
                let made = self.send("upload", asked);
                if made.status == 201 {
                    let url = made.json["url"].as_str().unwrap().to_owned();
                    self.files.push((at, url));
                }
            }
            20..35 => {
                let path = format!("n/{}/f?select=package_file", self.dice.roll(5));
                let bytes = self.bytes();
                let asked = publishing(&self.worlds[at], &path, &bytes).by(&person);
                let made = self.send("publish", asked);
                if made.status == 200 {
                    let (package, file) = (&made.json["package_id"], &made.json["id"]);
                    let package = format!("/packages/{package}");
                    let whole = self.dice.roll(2) == 0;
                    let path = if whole { package } else { format!("{package}/package_files/{file}") };
                    self.files.push((at, path));
                }
            }
            35..45 => {
                let objects: Vec<_> = (0..=self.dice.roll(3)).map(|_| blob(self.bytes())).collect();
                let mut body: Vec<u8> = objects.iter().flat_map(|object| object.record()).collect();
                if self.dice.roll(5) == 0 {
                    body.truncate(body.len() / 2);
                }
                let asked = self.worlds[at].sending(body);
                if self.send("objects", asked).status == 201 {
                    self.blobs.extend(objects.iter().map(|object| (at, object.id().to_owned())));
                }
            }
            45..57 => {
                let diff = json!([{ "diff": "x".repeat(self.dice.roll(20_000)), "new_path": "a", "old_path": "a",
                    "a_mode": "100644", "b_mode": "100644", "new_file": false, "renamed_file": false, "deleted_file": false }]);
                // some come again
                let commit = commit(1 + self.dice.roll(40) as u32, &[]).with(|commit| commit.diff = diff.to_string());
                let wire = json!({ "commits": [commit.wire()] });
                let asked = self.worlds[at].post("/mirror/commits").by(&owner).json(wire);
                if self.send("push", asked).status == 201 {
                    self.commits.push((at, commit.sha));
                }
            }
            57..67 => {
                let links: Vec<&str> =
                    self.files.iter().filter(|file| file.0 == at).map(|file| file.1.as_str()).collect();
                let text = if links.is_empty() { String::new() } else { format!("[a]({})", self.dice.one(&links)) };
                let fields = json!({ "title": "t", "description": text });
                let asked = ask(&self.worlds[at], "POST", "/issues").by(&owner).json(fields);
                let made = self.send("issue", asked);
                if made.status == 201 {
                    self.issues.push((at, made.json["iid"].clone()));
                }
            }
            67..77 if !self.issues.is_empty() => {
                let (from, iid) = self.dice.one(&self.issues).clone();
                let verb = if self.dice.roll(2) == 0 { "clone" } else { "move" };
                let to = json!({ "to_project_id": self.worlds[at].project.id });
                let path = format!("/issues/{iid}/{verb}");
                let asked = ask(&self.worlds[from], "POST", &path).by(&owner).json(to);
                let made = self.send(verb, asked);
                if made.status == 201 {
                    self.issues.push((at, made.json["iid"].clone()));
                }
            }
            77..90 if !self.files.is_empty() => {
                let gone = self.dice.roll(self.files.len());
                let (at, path) = self.files.swap_remove(gone);
                let asked = ask(&self.worlds[at], "DELETE", &path).by(&owner);
                self.send("delete", asked);
            }
            90..93 if !self.commits.is_empty() => {
                let (at, sha) = self.dice.one(&self.commits).clone();
                let asked = self.worlds[at].delete(&format!("/mirror/commits/{sha}")).by(&owner);
                self.send("forget", asked);
            }
            93..96 if !self.blobs.is_empty() => {
                let (at, id) = self.dice.one(&self.blobs).clone();
                let unneeded = json!({ "extent": "tips", "unneeded": [id] });
                let asked = self.worlds[at].put("/mirror/contents").by(&owner).json(unneeded);
                self.send("unneeded", asked);
            }
            96 => drop(self.server.sweep(now() + (self.dice.roll(48) as i64) * HOUR)),
            // another instance, and what is due to hooks
            97 => {
                self.server.database().forget();
                self.server.deliver(now());
            }
            98 => {
                let asked = self.worlds[at].delete("").by(&owner);
                if self.send("end", asked).status == 200 {
                    for list in [&mut self.files, &mut self.commits, &mut self.blobs] {
                        list.retain(|(of, _)| *of != at);
                    }
                    self.issues.retain(|(of, _)| *of != at);
                    self.worlds[at] = World::new(self.server, Visibility::Public);
                }
            }
            _ => {}
        }
        self.check_quotas();
    }

    /// The quotas are stored, and nothing is longer than they allow but for the paths of moved diffs.
    fn check_quotas(&self) {
        let row = self.server.rows(
            "select json_array(project_most, person_most, most, bytes, (select max(bytes) from storage),
              (select max(steps << 18) from shares)) as v from stored",
        );
        let [project_most, person_most, most, bytes, of_project, of_person] =
            [0, 1, 2, 3, 4, 5].map(|at| row[0][at].as_i64());
        let stored = [project_most, person_most, most];
        assert_eq!(stored, [QUOTAS.project_bytes, QUOTAS.person_bytes, QUOTAS.instance_bytes].map(Some));
        let moved = Some(4000);
        assert!(of_project <= project_most.zip(moved).map(|(most, moved)| most + moved), "{row:?}");
        assert!(of_person <= person_most && bytes <= most, "{row:?}");
    }

    /// Everything that ended has gone, and what is counted is there.
    fn check(&self, what: &str) {
        let found = disagreements(self.server);
        assert!(found.is_empty(), "{what}: {found:#?}");
        while self.server.sweep(now() + 9 * DAY).unwrap().unfinished {}
        let found = disagreements(self.server);
        assert!(found.is_empty(), "{what}, after the sweep: {found:#?}");
        let row = self.server.rows("select json_array(objects, (select count(*) from reservations)) as v from stored");
        assert_eq!(row, [json!([self.server.bucket().bytes(), 0])], "{what}: counted and stored");
    }
}

#[test]
fn after_a_random_history_of_files_their_bytes_are_counted_exactly() {
    after(2, 300);
}

#[test]
#[ignore = "a proof: make prove"]
fn after_ten_thousand_acts_with_files_their_bytes_are_counted_exactly() {
    let Some(answers) = after(10, 1000) else { return };
    println!("{answers:?}");
    for (name, status) in [
        ("upload", 201),
        ("upload", 403),
        ("upload", 503),
        ("publish", 200),
        ("publish", 507),
        ("objects", 201),
        ("objects", 400),
        ("push", 201),
        ("clone", 201),
        ("move", 201),
        ("delete", 204),
        ("end", 200),
        ("report", 201),
        ("report", 200),
        ("report", 503),
    ] {
        assert!(answers.get(&(name, status)).is_some_and(|count| *count > 10), "hardly any {name} {status}");
    }
}

fn after(rounds: usize, steps: usize) -> Option<BTreeMap<(&'static str, u16), u32>> {
    let check = |history: &mut History, when: &str| history.check(when);
    checked(rounds, steps, (History::new, History::step, check)).map(|history| history.answers)
}
