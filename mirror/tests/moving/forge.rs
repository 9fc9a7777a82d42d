//! A stand-in for the server that an import writes to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::http::{Answer, Faults, Http, Request};

pub const TOKEN: &str = "Token_of_an_administrator_1";
pub const PROJECT: &str = "new/proj";

#[derive(Debug, Default)]
pub struct Forge {
    pub users: Vec<Value>,
    pub has_project: bool,
    pub project: Value,
    pub is_archived: bool,
    /// By their keys.
    pub records: BTreeMap<String, Value>,
    /// By their secrets.
    pub lacks_group: bool,
    pub has_public_group: bool,
    pub files: BTreeMap<String, Vec<u8>>,
    /// By NAME/VERSION/FILE.
    pub packages: BTreeMap<String, Vec<u8>>,
    pub members: BTreeMap<i64, i64>,
    /// Of the requests that write records.
    pub batches: Vec<usize>,
    pub writes: usize,
    /// Numbers of issues that were made here.
    pub own_issues: Vec<i64>,
    issues: BTreeSet<i64>,
    /// Commits, and names of tags. None: whatever is asked for.
    pub indexed: Option<BTreeSet<String>>,
    /// Refuses a request as 413 if it has more records.
    pub most_records: Option<usize>,
    /// Answers the next requests that write so.
    pub next: Vec<u16>,
}

pub struct Target {
    pub http: Http,
    forge: Arc<Mutex<Forge>>,
}

impl Target {
    pub fn new(faults: Faults) -> Target {
        let forge = Forge { has_project: true, ..Forge::default() };
        let forge = Arc::new(Mutex::new(forge));
        forge.lock().unwrap().add_user("root", "root@here.example.com", false);
        let inside = Arc::clone(&forge);
        let http = Http::new(faults, move |request, address| inside.lock().unwrap().answer(request, address));
        Target { http, forge }
    }

    pub fn forge(&self) -> MutexGuard<'_, Forge> {
        self.forge.lock().unwrap()
    }
}

impl Forge {
    pub fn add_user(&mut self, username: &str, email: &str, is_blocked: bool) -> i64 {
        let id = 100 + self.users.len() as i64;
        let state = if is_blocked { "blocked" } else { "active" };
        self.users.push(json!({"id": id, "username": username, "email": email, "name": username, "state": state, "is_admin": id == 100}));
        id
    }

    pub fn user(&self, id: &Value) -> &str {
        self.users.iter().find(|user| user["id"] == *id).map_or("?", |user| user["username"].as_str().unwrap())
    }

    pub fn of_kind(&self, kind: &str) -> Vec<&Value> {
        self.records.values().filter(|record| record["kind"] == kind).collect()
    }

    fn answer(&mut self, request: &Request, address: &str) -> Answer {
        let missing = || Answer::json(404, &json!({"message": "404 Project Not Found"}));
        if request.headers.get("private-token").is_none_or(|token| token != TOKEN) {
            return Answer::json(401, &json!({"message": "401 Unauthorized"}));
        }
        let path = request.path.strip_prefix("/api/v4/").unwrap();
        let body = || serde_json::from_slice::<Value>(&request.body).unwrap_or_default();
        if request.method == "POST" {
            self.writes += 1;
        }
        match (&*request.method, path) {
            ("GET", "user") => return Answer::json(200, &self.users[0]),
            ("GET", "users") => return Answer::json(200, &json!(self.users)),
            ("GET", "namespaces/new") if self.lacks_group => return missing(),
            ("GET", "namespaces/new") => return Answer::json(200, &json!({"id": 5, "kind": "group"})),
            ("GET", "groups/new") => {
                let visibility = if self.has_public_group { "public" } else { "private" };
                return Answer::json(200, &json!({"id": 5, "visibility": visibility}));
            }
            ("POST", "projects") => {
                (self.has_project, self.project) = (true, body());
                return Answer::json(
                    201,
                    &json!({"id": 9, "path_with_namespace": PROJECT, "web_url": format!("{address}/{PROJECT}")}),
                );
            }
            ("POST", "users") => return self.new_user(&body()),
            _ => {}
        }
        let Some(rest) = path.strip_prefix(&format!("projects/{PROJECT}")).filter(|_| self.has_project) else {
            return missing();
        };
        match (&*request.method, rest) {
            ("GET", "") => Answer::json(
                200,
                &json!({"id": 9, "web_url": format!("{address}/{PROJECT}"), "archived": self.is_archived}),
            ),
            ("POST", "/archive" | "/unarchive") => {
                self.is_archived = rest == "/archive";
                Answer::json(201, &json!({}))
            }
            ("POST", "/import_records") => self.import(&body()),
            ("GET", "/issues") => {
                let imported = self.of_kind("issue").into_iter().map(|of| (&of["iid"], of["at"].as_i64().unwrap()));
                let shown = |(iid, at): (&Value, i64)| json!({"iid": iid, "created_at": date(at)});
                let own = self.own_issues.iter().map(|iid| json!({"iid": iid, "created_at": date(0)}));
                Answer::json(200, &imported.map(shown).chain(own).collect())
            }
            ("GET", "/milestones") => {
                let shown = |of: &Value| json!({"iid": of["iid"], "title": of["title"], "created_at": date(of["at"].as_i64().unwrap())});
                Answer::json(200, &self.of_kind("milestone").into_iter().map(shown).collect())
            }
            ("GET", "/repository/tags") => {
                Answer::json(200, &self.indexed.iter().flatten().map(|name| json!({"name": name})).collect())
            }
            ("GET", "/mirror/commits") => {
                let named = self.indexed.iter().flatten().map(|sha| json!({"id": sha, "branch": null}));
                Answer::json(200, &json!({"commits": named.collect::<Vec<_>>(), "next": null}))
            }
            ("GET", "/uploads") => Answer::json(200, &self.files.keys().map(|of| json!({"secret": of})).collect()),
            ("GET", "/packages") => {
                let named = |(id, (name, version)): (usize, &(String, String))| json!({"id": id, "name": name, "version": version});
                Answer::json(200, &self.versions().iter().enumerate().map(named).collect())
            }
            ("GET", rest) if rest.starts_with("/packages/") => {
                let id: usize = rest.split('/').nth(2).unwrap().parse().unwrap();
                let (name, version) = self.versions()[id].clone();
                let own = self.packages.iter().filter_map(|(path, bytes)| {
                    let file = path.strip_prefix(&format!("{name}/{version}/"))?;
                    Some(json!({"file_name": file, "file_sha256": sum(bytes)}))
                });
                Answer::json(200, &own.collect())
            }
            ("PUT", rest) if rest.starts_with("/packages/generic/") => {
                let path = rest.strip_prefix("/packages/generic/").unwrap();
                self.packages.insert(path.to_owned(), request.body.clone());
                self.writes += 1;
                Answer::json(201, &json!({"message": "201 Created"}))
            }
            ("POST", "/uploads") => {
                let secret = request.query["secret"].clone();
                if self.files.contains_key(&secret) {
                    return Answer::json(409, &json!({"message": "taken"}));
                }
                let begin = request.body.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
                let end = request.body.windows(4).rposition(|four| four == b"\r\n--").unwrap();
                self.files.insert(secret, request.body[begin..end].to_vec());
                Answer::json(201, &json!({"id": 1}))
            }
            ("POST", "/members") => {
                let (body, is_new) = (body(), |before: Option<i64>| before.is_none());
                let id = body["user_id"].as_i64().unwrap();
                let is_new = is_new(self.members.insert(id, body["access_level"].as_i64().unwrap()));
                Answer::json(if is_new { 201 } else { 409 }, &json!({"message": "Member already exists"}))
            }
            _ => missing(),
        }
    }

    fn versions(&self) -> Vec<(String, String)> {
        let named = self.packages.keys().map(|path| {
            let mut parts = path.split('/').map(str::to_owned);
            (parts.next().unwrap(), parts.next().unwrap())
        });
        named.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn new_user(&mut self, of: &Value) -> Answer {
        let taken = |field: &str| self.users.iter().any(|user| user[field] == of[field]);
        if taken("email") {
            return Answer::json(409, &json!({"message": "Email has already been taken"}));
        }
        if taken("username") {
            return Answer::json(409, &json!({"message": "Username has already been taken"}));
        }
        let email = of["email"].as_str().unwrap().to_owned();
        self.add_user(of["username"].as_str().unwrap(), &email, email.ends_with(".import.invalid"));
        Answer::json(201, self.users.last().unwrap())
    }

    fn import(&mut self, body: &Value) -> Answer {
        if let Some(status) = self.next.pop() {
            return Answer::json(status, &json!({"message": format!("{status} as told")})).with("Retry-After", 0);
        }
        if self.is_archived {
            return Answer::json(403, &json!({"message": "403 Forbidden"}));
        }
        let Some(records) = body["records"].as_array() else {
            return Answer::json(400, &json!({"message": "no records"}));
        };
        let lists = records.iter().flat_map(|of| ["labels", "links", "milestones"].map(|name| of[name].as_array()));
        let items: usize = lists.flatten().map(Vec::len).sum();
        let is_long = items > 500 || records.len() + items > 550 || body.to_string().len() > 1_500_000;
        if records.len() > self.most_records.unwrap_or(300) || is_long {
            return Answer::json(413, &json!({"message": "413 Request Entity Too Large"}));
        }
        self.batches.push(records.len());
        let mut answer = json!({"new": 0, "changed": 0, "same": 0, "kept": [], "refused": []});
        for (place, record) in records.iter().enumerate() {
            match self.record(record) {
                Ok(word) => answer[word] = json!(answer[word].as_i64().unwrap() + 1),
                Err(why) => answer["refused"].as_array_mut().unwrap().push(json!([place, why])),
            }
        }
        Answer::json(200, &answer)
    }

    fn record(&mut self, record: &Value) -> Result<&'static str, String> {
        let key = record["key"].as_str().filter(|key| key.len() == 16).ok_or("no key")?;
        for name in ["author", "user", "assignee", "closed_by"] {
            if record.get(name).is_some() && self.user(&record[name]) == "?" {
                return Err(format!("{name} is not there"));
            }
        }
        let lacks = |name: &str| self.indexed.as_ref().is_some_and(|all| !all.contains(record[name].as_str().unwrap()));
        match record["kind"].as_str() {
            Some("release") if lacks("tag") => return Err("tag: it is not indexed".to_owned()),
            Some("deployment" | "status" | "comment") if lacks("sha") => {
                return Err("sha: the commit is not indexed".to_owned());
            }
            _ => {}
        }
        let iid = record.get("issue").or(record.get("iid").filter(|_| record["kind"] == "issue"));
        for iid in iid.into_iter().chain(record.get("target")) {
            if self.own_issues.iter().any(|own| iid == own) {
                return Err(format!("{iid} is an issue that was made here"));
            }
            if record["kind"] == "issue" {
                self.issues.insert(iid.as_i64().unwrap());
            } else if !self.issues.contains(&iid.as_i64().unwrap()) {
                return Err(format!("issue {iid} is not there"));
            }
        }
        Ok(match self.records.insert(key.to_owned(), record.clone()) {
            None => "new",
            Some(before) if before == *record => "same",
            Some(_) => "changed",
        })
    }
}

fn date(at: i64) -> String {
    let date = edgeforge_wire::object::Date { seconds: at.div_euclid(1000), zone: 0 };
    edgeforge_mirror::date::show(&date)
}

pub fn sum(bytes: &[u8]) -> String {
    edgeforge_wire::text::hex(&Sha256::digest(bytes))
}
