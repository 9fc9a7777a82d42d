//! A stand-in for a GitLab: lists in pages by number or by a cursor, limits, and answers that are wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};

use crate::http::{Answer, Faults, Http, Request};

pub const SOURCE_TOKEN: &str = "Token_of_the_source_1";

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Version {
    /// Refuses a cursor.
    Thirteen,
    /// Passes over a cursor.
    Sixteen,
    /// Lists of issues have cursors.
    Eighteen,
}

/// What the project has, by the path below it.
#[derive(Debug, Clone, Default)]
pub struct World {
    pub project: Value,
    pub lists: BTreeMap<String, Vec<Value>>,
    pub users: BTreeMap<i64, Value>,
    pub files: BTreeMap<String, Vec<u8>>,
    /// Paths that answer so.
    pub statuses: BTreeMap<String, u16>,
    pub html: BTreeSet<String>,
    /// Numbers of issues that are deleted when the second page is asked for.
    pub deleted_between: Option<i64>,
}

pub struct GitLab {
    pub http: Http,
    world: Arc<Mutex<World>>,
}

pub const PATH: &str = "group/proj";

impl GitLab {
    pub fn new(world: World, version: Version, faults: Faults) -> GitLab {
        let world = Arc::new(Mutex::new(world));
        let inside = Arc::clone(&world);
        let http = Http::new(faults, move |request, address| inside.lock().unwrap().answer(request, version, address));
        GitLab { http, world }
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }
}

impl World {
    fn answer(&mut self, request: &Request, version: Version, address: &str) -> Answer {
        let missing = || Answer::json(404, &json!({"message": "404 Not Found"}));
        let Some(path) = request.path.strip_prefix("/api/v4/") else {
            return self.files.get(&request.path).map_or_else(missing, |bytes| Answer {
                status: 200,
                headers: Vec::new(),
                body: bytes.clone(),
            });
        };
        if request.headers.get("private-token").is_none_or(|token| token != SOURCE_TOKEN) {
            return Answer::json(401, &json!({"message": "401 Unauthorized"}));
        }
        match path {
            "version" => return Answer::json(200, &json!({"version": "18.3.0", "revision": "abcdef0"})),
            "user" => return Answer::json(200, &self.users[&1]),
            "users" => return Answer::json(200, &self.users.values().cloned().collect()),
            _ => {}
        }
        if let Some(id) = path.strip_prefix("users/") {
            let user = id.parse().ok().and_then(|id: i64| self.users.get(&id));
            return user.map_or_else(missing, |user| Answer::json(200, user));
        }
        let projects = [format!("projects/{PATH}"), "projects/12".to_owned()];
        let Some(rest) = projects.iter().find_map(|project| path.strip_prefix(&**project)) else { return missing() };
        let mut project = self.project.clone();
        project["web_url"] = json!(format!("{address}/{PATH}"));
        let rest = rest.trim_start_matches('/');
        if let Some(status) = self.statuses.get(rest) {
            return Answer::json(*status, &json!({"message": format!("{status} so it is")}));
        }
        if self.html.contains(rest) {
            return Answer { status: 200, headers: Vec::new(), body: b"<html>no".to_vec() };
        }
        if rest.is_empty() {
            return Answer::json(200, &project);
        }
        if let Some(bytes) = self.files.get(rest) {
            return Answer { status: 200, headers: Vec::new(), body: bytes.clone() };
        }
        if rest.starts_with("uploads/") {
            return missing();
        }
        self.page(rest, request, version, address)
    }

    fn page(&mut self, rest: &str, request: &Request, version: Version, address: &str) -> Answer {
        let asked = |name: &str| request.query.get(name);
        let is_keyset = asked("pagination").is_some_and(|kind| kind == "keyset") && rest == "issues";
        if is_keyset && version == Version::Thirteen {
            return Answer::json(
                405,
                &json!({"error": "Keyset pagination is not yet available for this type of request"}),
            );
        }
        let number = |name: &str, usual| asked(name).map_or(usual, |text| text.parse::<usize>().unwrap());
        let (page, size) = (number("page", 1), number("per_page", 20));
        if page > 1
            && rest == "issues"
            && let Some(iid) = self.deleted_between.take()
        {
            self.lists.get_mut("issues").unwrap().retain(|of| of["iid"] != iid);
        }
        if page * size > 50_000 {
            return Answer::json(405, &json!({"error": "Offset pagination has a maximum allowed offset of 50000"}));
        }
        let mut all: Vec<&Value> = self.lists.get(rest).into_iter().flatten().collect();
        if rest == "issues" {
            all.sort_by_key(|of| (of["created_at"].as_str().unwrap().to_owned(), of["iid"].as_i64()));
            for (name, field) in [("created_after", "created_at"), ("updated_after", "updated_at")] {
                if let Some(after) = asked(name) {
                    all.retain(|of| of[field].as_str().unwrap() >= after.as_str());
                }
            }
        }
        let total = all.len();
        let begin = match asked("cursor") {
            Some(cursor) => {
                let iid: i64 = cursor.parse().unwrap();
                all.iter().position(|of| of["iid"] == iid).map_or(total, |place| place + 1)
            }
            None => (page - 1) * size,
        };
        let part: Vec<_> = all.iter().skip(begin).take(size).collect();
        let mut answer = Answer::json(200, &json!(part));
        let query = |other: String| {
            let kept = request.query.iter().filter(|(name, _)| !["page", "cursor"].contains(&name.as_str()));
            let kept: Vec<_> = kept.map(|(name, value)| format!("{name}={}", value.replace('+', "%2B"))).collect();
            format!("{}&{other}", kept.join("&"))
        };
        let is_last = begin + size >= total;
        let by_cursor = is_keyset && version == Version::Eighteen;
        if !is_last {
            let next = if by_cursor {
                query(format!("cursor={}", part.last().unwrap()["iid"]))
            } else {
                query(format!("page={}", page + 1))
            };
            // as behind a proxy, and the first page first
            let link = format!(
                "<https://inner.example.com/api?{}>; rel=\"first\", <https://inner.example.com/api?{next}>; rel=\"next\"",
                query("page=1".to_owned())
            );
            answer = answer.with(
                "Link",
                link.replace(
                    "https://inner.example.com",
                    if rest == "labels" { address } else { "https://inner.example.com" },
                ),
            );
        }
        if !by_cursor {
            answer = answer.with("X-Next-Page", if is_last { String::new() } else { (page + 1).to_string() });
            if total <= 10_000 {
                answer = answer.with("X-Total", total);
            }
        }
        answer
    }

    pub fn list(&mut self, path: &str) -> &mut Vec<Value> {
        self.lists.entry(path.to_owned()).or_default()
    }
}

pub fn user(id: i64, username: &str, email: Option<&str>) -> Value {
    json!({
        "id": id, "username": username, "name": format!("{username} of {id}"), "state": "active", "bot": false,
        "public_email": "", "email": email, "confirmed_at": email.map(|_| "2020-01-01T00:00:00.000Z"), "is_admin": id == 1,
    })
}

pub fn basic(id: i64, username: &str) -> Value {
    json!({"id": id, "username": username, "name": format!("{username} of {id}"), "state": "active"})
}

/// `minute` of the first of March 2020, and beyond.
pub fn at(minute: i64) -> String {
    let (day, hour, minute) = (minute / 1440, minute / 60 % 24, minute % 60);
    format!("2020-{:02}-{:02}T{hour:02}:{minute:02}:00.000Z", 3 + day / 28, 1 + day % 28)
}

pub fn issue(iid: i64, title: &str) -> Value {
    json!({
        "id": 1000 + iid, "iid": iid, "title": title, "description": format!("Text of {iid}"), "state": "opened",
        "author": basic(2, "anna"), "created_at": at(iid * 10), "updated_at": at(iid * 10 + 9), "labels": [],
        "assignees": [], "milestone": null, "closed_at": null, "closed_by": null, "confidential": false,
        "due_date": null, "discussion_locked": null, "issue_type": "issue",
        "time_stats": {"time_estimate": 0, "total_time_spent": 0},
    })
}

pub fn note(id: i64, author: Value, minute: i64, body: &str) -> Value {
    json!({
        "id": id, "body": body, "author": author, "created_at": at(minute), "updated_at": at(minute), "system": false,
        "noteable_type": "Issue", "internal": false, "confidential": false,
    })
}

/// A project with a little of everything.
pub fn small() -> World {
    let mut world = World {
        project: json!({
            "id": 12, "name": "Proj", "path_with_namespace": PATH, "description": "A project", "visibility": "private",
            "archived": false, "issues_access_level": "enabled", "autoclose_referenced_issues": true,
            "permissions": {"project_access": {"access_level": 40}, "group_access": null},
        }),
        ..World::default()
    };
    for (id, name, email) in [(1, "root", None), (2, "anna", Some("anna@example.com")), (3, "bob", None)] {
        world.users.insert(id, user(id, name, email));
    }
    *world.list("labels") = vec![
        json!({"id": 7, "name": "bug", "color": "#ff0000", "description": "Wrong", "is_project_label": true}),
        json!({"id": 8, "name": "team::a", "color": "#abc", "description": null, "is_project_label": false}),
    ];
    *world.list("milestones") = vec![json!({
        "id": 31, "iid": 3, "title": "v1", "description": "First", "state": "active", "start_date": "2020-03-01",
        "due_date": "2020-04-01", "created_at": at(0), "updated_at": at(1),
    })];
    for iid in [1, 2, 4] {
        let mut of = issue(iid, &format!("Issue {iid}"));
        if iid == 2 {
            of["state"] = json!("closed");
            of["closed_at"] = json!(at(25));
            of["closed_by"] = basic(3, "bob");
            of["labels"] = json!(["bug", "team::a"]);
            of["milestone"] = json!({"id": 31, "iid": 3, "title": "v1"});
            of["assignees"] = json!([basic(3, "bob")]);
            of["due_date"] = json!("2020-05-01");
            of["time_stats"] = json!({"time_estimate": 3600, "total_time_spent": 1800});
        }
        world.list("issues").push(of);
    }
    let secret = "0123456789abcdef0123456789abcdef";
    *world.list("issues/2/notes") = vec![
        note(501, basic(3, "bob"), 21, &format!("Look ![a](/uploads/{secret}/a.png) @anna")),
        note(502, basic(2, "anna"), 22, "Yes"),
    ];
    *world.list("issues/2/award_emoji") =
        vec![json!({"name": "thumbsup", "user": basic(2, "anna"), "created_at": at(23)})];
    *world.list("issues/2/resource_label_events") = vec![
        json!({"id": 1, "user": basic(3, "bob"), "created_at": at(21), "action": "add", "label": {"id": 7, "name": "bug"}}),
    ];
    *world.list("issues/2/resource_state_events") =
        vec![json!({"id": 2, "user": basic(3, "bob"), "created_at": at(25), "state": "closed"})];
    *world.list("issues/2/resource_milestone_events") = vec![
        json!({"id": 3, "user": basic(3, "bob"), "created_at": at(24), "action": "add", "milestone": {"id": 31, "iid": 3, "title": "v1"}}),
    ];
    let linked = |iid| json!({"iid": iid, "project_id": 12, "link_type": "relates_to", "link_created_at": at(30)});
    *world.list("issues/1/links") = vec![linked(2)];
    *world.list("issues/2/links") = vec![linked(1)];
    world.files.insert(format!("uploads/{secret}/a.png"), b"\x89PNG of a".to_vec());
    *world.list("members/all") = vec![json!({"id": 2, "username": "anna", "access_level": 40, "expires_at": null})];
    world
}

/// Many issues with comments.
pub fn large(issues: i64, notes: i64) -> World {
    let mut world = small();
    world.lists.retain(|path, _| !path.starts_with("issues"));
    for iid in 1..=issues {
        world.list("issues").push(issue(iid, &format!("Issue {iid}")));
        let of = (0..notes).map(|number| {
            note(
                iid * 100 + number,
                basic(2 + number % 2, if number % 2 == 0 { "anna" } else { "bob" }),
                iid * 10 + number % 9,
                &format!("Comment {number}"),
            )
        });
        *world.list(&format!("issues/{iid}/notes")) = of.collect();
    }
    world
}

/// With all that hangs on issues, in the shares of a large project: of ten thousand issues 100,000 comments, 20,000 notes
/// of the system, 43,000 events, 5,000 emoji, 2,000 links and 5,000 files of 20 kB, by 300 people.
pub fn mixed(issues: i64) -> World {
    let mut world = large(issues, 12);
    let named = |number: i64| basic(10 + number % 300, &format!("person{}", 10 + number % 300));
    for number in 0..300 {
        let id = 10 + number;
        world.users.insert(id, user(id, &format!("person{id}"), None));
    }
    for iid in 1..=issues {
        let (minute, secret) = (iid * 10, format!("{iid:032x}"));
        for (number, note) in (0..).zip(world.list(&format!("issues/{iid}/notes"))) {
            (note["author"], note["system"]) = (named(7 * iid + number), json!(number >= 10));
            if number == 0 && iid % 2 == 0 {
                note["body"] = json!(format!("See /uploads/{secret}/f.bin"));
            }
        }
        if iid % 2 == 0 {
            world.files.insert(format!("uploads/{secret}/f.bin"), vec![b'x'; 20_000]);
            let award = json!({"name": "tada", "user": named(iid), "created_at": at(minute + 1)});
            world.list(&format!("issues/{iid}/award_emoji")).push(award);
        }
        if iid % 5 == 0 {
            let link = json!({"iid": iid - 1, "project_id": 12, "link_type": "blocks", "link_created_at": at(minute)});
            world.list(&format!("issues/{iid}/links")).push(link);
        }
        for (number, action, state) in [(0, "add", "closed"), (1, "remove", "reopened")] {
            let event = json!({"user": named(iid + number), "created_at": at(minute + 2), "action": action, "state": state,
                "label": {"id": 7, "name": "bug"}, "milestone": {"id": 31, "iid": 3, "title": "v1"}});
            for kind in
                ["label", "state", "milestone"].into_iter().take(if iid % 3 == 0 && number == 0 { 3 } else { 2 })
            {
                world.list(&format!("issues/{iid}/resource_{kind}_events")).push(event.clone());
            }
        }
    }
    world
}
