//! Every text in a request has a limit. The description states it, and the server enforces it.

use crate::support::{Answer, Visibility, World, apart, contract, contract_v4, spec, unique};
use edgeforge::{Dialect, Profile};
use serde_json::{Map, Value, json};

/// Bytes as JSON that no text may have more of.
const MOST_AS_JSON: usize = 900_000;

/// Both APIs with their descriptions.
pub fn apis() -> [(Dialect, &'static Value); 2] {
    [(Dialect::V3(Profile::Spec), &contract().document), (Dialect::V4, &contract_v4().document)]
}

/// Where each placeholder of a path leads to.
pub struct Places {
    pub world: World,
    filled: Vec<(&'static str, String)>,
}

impl Places {
    pub fn new(world: World) -> Places {
        let (ann, tip) = (&world.ann, world.push_line(2));
        world
            .put("/mirror/refs")
            .by(ann)
            .json(json!({ "default_branch": "master", "changes": [
            { "name": "refs/tags/v1", "old": null, "new": tip, "message": null },
        ] }))
            .gives(200);
        let issue = world.issue(ann, json!({ "title": "An issue", "labels": "bug" }));
        let note = world.comment(ann, &issue, "A comment");
        let milestone = world.milestone(&unique("m"));
        let deployment = json!({ "environment": "e", "sha": tip });
        let deployment = world.post("/deployments").by(ann).json(deployment).gives(201).id();
        let token = json!({ "name": "walked", "scopes": ["api"] });
        let token = world.post("/access_tokens").by(ann).json(token).gives(201).id();
        let person = world.server.person("Walked");
        let first = |list: &str| {
            let path = format!("/projects/{}{list}", world.project.id);
            world.server.ask_v4("GET", path).by(ann).gives(200).json[0]["id"].clone()
        };
        let discussion = first(&format!("/issues/{}/discussions", issue["iid"]));
        let commit = format!("/repository/commits/{tip}/discussions");
        let talk = world.v4("POST", &commit).by(ann).json(json!({ "body": "A comment" })).gives(201).json;
        let commit = format!("{tip}/discussions/{}", talk["id"].as_str().unwrap());
        let environment = first("/environments");
        let hook = json!({ "url": "https://hooks.example.org/" });
        let system = world.server.ask_v4("POST", "/hooks").by(&world.root).json(hook.clone()).gives(201).id();
        let hook = world.v4("POST", "/hooks").by(ann).json(hook).gives(201).id();
        let badge = json!({ "link_url": "https://a", "image_url": "https://b" });
        let badge = world.v4("POST", "/badges").by(&world.ann).json(badge).gives(201).id();
        let release = json!({ "tag_name": "v1", "assets": { "links": [{ "name": "a", "url": "https://a" }] } });
        let release = world.v4("POST", "/releases").by(ann).json(release).gives(201).json;
        let link = release["assets"]["links"][0]["id"].to_string();
        let filled = vec![
            ("{tag}", "v1".to_owned()),
            ("{link_id}", link),
            ("/users/{id}", format!("/users/{}", person.id)),
            ("/access_tokens/{token_id}", format!("/access_tokens/{token}")),
            ("/groups/{id}", format!("/groups/{}", world.group)),
            ("/projects/{id}/hooks/{hook_id}", format!("/projects/{}/hooks/{hook}", world.project.id)),
            ("/hooks/{hook_id}", format!("/hooks/{system}")),
            ("/projects/user/{user_id}", format!("/projects/user/{}", person.id)),
            ("/projects/{id}", format!("/projects/{}", world.project.id)),
            ("/tags/{name}", "/tags/v1".to_owned()),
            ("{issue_id}", issue["id"].to_string()),
            ("{issue_iid}", issue["iid"].to_string()),
            ("{sha}/discussions/{discussion_id}/notes/{note_id}", format!("{commit}/notes/{}", talk["notes"][0]["id"])),
            ("{sha}/discussions/{discussion_id}", commit),
            ("{discussion_id}", discussion.as_str().unwrap_or_default().to_owned()),
            ("{environment_id}", environment.to_string()),
            ("/labels/{name}", "/labels/bug".to_owned()),
            ("{note_id}", note["id"].to_string()),
            ("{milestone_id}", milestone.to_string()),
            ("{deployment_id}", deployment.to_string()),
            ("/members/{user_id}", format!("/members/{}", world.bob.id)),
            ("{sha}", tip),
            ("{git_ref}", "master".to_owned()),
            ("{name}", "master".to_owned()),
            ("{key}", "mit".to_owned()),
            ("{id}", "1".to_owned()),
            ("{token_id}", "1".to_owned()),
            ("{badge_id}", badge.to_string()),
        ];
        Places { world, filled }
    }

    /// Something for each of these members of a body.
    fn required(method: &str, names: &[&str]) -> Map<String, Value> {
        let value = |name: &str| match name {
            "color" => json!("#fff"),
            "state" | "status" => json!("success"),
            "email" => json!(format!("{}@example.com", unique("mail"))),
            "sha" => json!("master"),
            "tag" => json!(false),
            "access_level" => json!(30),
            "user_id" | "target_issue_iid" => json!(1),
            // the only one that names what is there
            "name" if method == "PUT" => json!("bug"),
            _ => json!(unique(name)),
        };
        names.iter().map(|name| (name.to_string(), value(name))).collect()
    }

    pub fn path(&self, template: &str) -> String {
        self.filled.iter().fold(template.to_owned(), |path, (place, with)| path.replace(place, with))
    }
}

/// A text parameter of an operation.
struct Text<'a> {
    dialect: Dialect,
    method: String,
    path: &'a str,
    name: &'a str,
    in_query: bool,
    schema: &'a Value,
    /// The members that the body must have.
    required: Vec<&'a str>,
}

/// All text parameters of all operations, but for those that have a closed set of values.
fn texts(dialect: Dialect, document: &'static Value) -> Vec<Text<'static>> {
    let mut texts = Vec::new();
    for (path, verbs) in document["paths"].as_object().unwrap() {
        for (verb, told) in verbs.as_object().unwrap() {
            let method = verb.to_uppercase();
            let mut body = &told["requestBody"]["content"]["application/json"]["schema"];
            if let Some(name) = body["$ref"].as_str() {
                body = document.pointer(name.trim_start_matches('#')).unwrap();
            }
            let query = told["parameters"].as_array().into_iter().flatten().filter(|it| it["in"] == "query");
            let query = query.map(|it| (it["name"].as_str().unwrap(), true, &it["schema"]));
            let members = body["properties"].as_object().into_iter().flatten();
            let members = members.map(|(name, schema)| (name.as_str(), false, schema));
            // what the hook sends has tests of its own
            let members = members.filter(|_| !path.contains("/mirror/"));
            // paths of links are refused with sentences, which the tests of releases check
            let members = members.filter(|(name, _, _)| !["filepath", "direct_asset_path"].contains(name));
            for (name, in_query, schema) in query.chain(members) {
                let types = [&schema["type"], &schema["type"][0], &schema["items"]["type"]];
                // an invalid cursor gets the same error at any length
                let is_closed = !schema["enum"].is_null() || !schema["items"]["enum"].is_null();
                let is_text = types.contains(&&json!("string")) && !is_closed;
                if is_text && name != "cursor" {
                    let required = body["required"].as_array().into_iter().flatten();
                    let required = required.filter_map(Value::as_str).collect();
                    texts.push(Text { dialect, method: method.clone(), path, name, in_query, schema, required });
                }
            }
        }
    }
    texts
}

impl Text<'_> {
    /// What is described; of a list of names, for each name.
    fn most(&self) -> usize {
        let schema = if self.schema["items"].is_object() { &self.schema["items"] } else { self.schema };
        let most = schema["maxLength"].as_u64();
        let most = most.unwrap_or_else(|| panic!("{self} has no limit in the description"));
        if self.name.ends_with("labels") { 255 } else { usize::try_from(most).unwrap() }
    }

    fn send(&self, places: &Places, text: &str) -> Answer {
        let ask = places.world.server.ask_of(self.dialect, &self.method, places.path(self.path));
        let ask = ask.by(&places.world.root);
        match self.in_query {
            true => ask.query(self.name, text).send(),
            false => {
                // some requests need one of several parameters, which the description cannot express
                let either = match (self.method.as_str(), self.path) {
                    ("POST", "/projects" | "/projects/user/{user_id}") => Some("name"),
                    ("PUT", "/projects/{id}/labels") => Some("name"),
                    ("PUT", "/projects/{id}/issues/{issue_iid}") => Some("title"),
                    _ => None,
                };
                let needed: Vec<&str> = self.required.iter().copied().chain(either).collect();
                let mut fields = Places::required(&self.method, &needed);
                fields.insert(self.name.to_owned(), json!(text));
                ask.json(json!(fields)).send()
            }
        }
    }

    /// What is wrong unless so many characters are refused as too long.
    fn taken(&self, places: &Places, length: usize, (most, unit): (usize, &str)) -> Option<String> {
        let answer = self.send(places, &"x".repeat(length));
        let fault = format!("is too long (maximum is {most} {unit})");
        let told = match answer.json["error"].as_str() {
            Some(error) => error.contains(&format!("{} {fault}", self.name)),
            None => answer.json["message"][self.name].as_array().is_some_and(|all| all.contains(&json!(fault))),
        };
        // hooks are refused as GitLab does
        let refused = (answer.status == 400 || answer.status == 422 && self.path.contains("/hooks")) && told;
        (!refused).then(|| format!("{self}, {length} characters: {} {}", answer.status, answer.json))
    }
}

impl std::fmt::Display for Text<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "`{}` of {} {}{}", self.name, self.method, self.dialect.base_path(), self.path)
    }
}

fn has_limits(index: usize, at_least: usize) {
    let apart = apart();
    let places = Places::new(World::new(apart.server, Visibility::Private));
    let (dialect, document) = apis()[index];
    let texts = texts(dialect, document);
    assert!(texts.len() > at_least, "{} texts", texts.len());
    let mut wrong = Vec::new();
    for text in texts {
        let most = text.most();
        wrong.extend(text.taken(&places, most + 1, (most, "characters")));
        if most > MOST_AS_JSON {
            wrong.extend(text.taken(&places, MOST_AS_JSON + 1, (MOST_AS_JSON, "bytes as JSON")));
        }
        let fits = text.send(&places, &"x".repeat(most.min(MOST_AS_JSON)));
        // this server has no store for contents, or no contents
        if (fits.status >= 500 && ![501, 503].contains(&fits.status)) || fits.text.contains("too long") {
            wrong.push(format!("{text}: {} {}", fits.status, fits.text));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_text_of_every_route_of_v3_has_a_limit_that_is_described() {
    has_limits(0, 100);
}

#[test]
fn every_text_of_every_route_of_v4_has_a_limit_that_is_described() {
    has_limits(1, 200);
}

#[test]
fn what_a_path_names_has_a_limit_and_the_path_itself() {
    let world = World::new(spec(), Visibility::Public);
    let places = Places::new(world);
    let root = &places.world.root;
    let paths = apis().into_iter().flat_map(|(dialect, document)| {
        document["paths"].as_object().unwrap().iter().map(move |(path, verbs)| (dialect, path, verbs))
    });
    for (dialect, path, verbs) in paths {
        for (verb, told) in verbs.as_object().unwrap() {
            for place in told["parameters"].as_array().into_iter().flatten() {
                let is_one = place["schema"]["enum"].is_array();
                if place["in"] != "path" || place["schema"]["type"] != "string" || is_one {
                    continue;
                }
                let name = place["name"].as_str().unwrap();
                let most = place["schema"]["maxLength"].as_u64();
                let most = most.unwrap_or_else(|| panic!("{name} of {path} has no limit in the description"));
                let long = "x".repeat(usize::try_from(most).unwrap() + 1);
                let path = places.path(&path.replace(&format!("{{{name}}}"), &long));
                let ask = spec().ask_of(dialect, &verb.to_uppercase(), path).by(root);
                let answer = ask.json(json!({})).send();
                // a badge of a branch that is not there is a picture, too, and a mirror refuses every change
                let known = [200, 400, 403, 404, 501, 503].contains(&answer.status);
                assert!(known, "{}: {}", answer.what, answer.status);
            }
        }
    }
    // empty segments are passed over, and links repeat them
    let issues = places.world.at("/issues");
    let get = |length: usize| spec().get("/".repeat(length - "/api/v3".len() - issues.len()) + &issues).by(root);
    get(8192).gives(200);
    get(8193).refused(400, json!({ "error": "path is too long (maximum is 8192 characters)" }));
}

#[test]
fn a_text_that_json_makes_longer_is_refused_before_it_breaks_a_list() {
    let world = World::new(spec(), Visibility::Private);
    let refused = json!({ "message": { "description": ["is too long (maximum is 900000 bytes as JSON)"] } });
    let post = |text: &str, times: usize| {
        let fields = json!({ "title": "long", "description": text.repeat(times) });
        // a body has a megabyte, and JSON would take more
        let fields = fields.as_object().unwrap();
        let pairs: Vec<(&str, &str)> =
            fields.iter().map(|(name, text)| (name.as_str(), text.as_str().unwrap())).collect();
        world.post("/issues").by(&world.rae).multipart(&pairs)
    };
    for (text, length) in [("\u{1}", 6), ("\\", 2), ("\"", 2)] {
        post(text, MOST_AS_JSON / length).gives(200);
        post(text, MOST_AS_JSON / length + 1).refused(400, refused.clone());
    }
    assert_eq!(world.get("/issues").by(&world.gus).gives(200).each("title").len(), 3);
    let reader = world.server.person("Reader");
    world.admit(&reader, 10);
    // the longest comment on the longest issue still makes a to-do item
    let text = format!("@{} {}", reader.username, "x".repeat(MOST_AS_JSON - 100));
    let issue = world.issue(&world.rae, json!({ "title": "mention", "description": text }));
    world.comment(&world.rae, &issue, &text);
    let todos = world.server.get("/todos").by(&reader).gives(200);
    assert!(todos.each("id").len() == 1, "{} to-do items", todos.each("id").len());
}

#[test]
fn blanks_around_a_text_do_not_make_it_too_long() {
    let world = World::new(spec(), Visibility::Private);
    let padded = |text: &str| format!("{}{text}\n", " ".repeat(300));
    let label = json!({ "name": padded("bug"), "color": "#fff" });
    assert_eq!(world.post("/labels").by(&world.ann).json(label).gives(201).json["name"], "bug");
    let issue = world.issue(&world.rae, json!({ "title": padded("A") }));
    assert_eq!(issue["title"], "A");
}

#[test]
fn labels_of_a_filter_are_taken_once_and_counted() {
    let world = World::new(spec(), Visibility::Private);
    world.issue(&world.rae, json!({ "title": "A", "labels": "a" }));
    let get = |names: &str| world.get(&format!("/issues?labels={names}")).by(&world.gus);
    let names = |count: usize| (0..count).map(|n| format!("l{n}")).collect::<Vec<_>>().join(",");
    get(&format!("a,{}", names(49))).gives(200);
    let refused = json!({ "error": "labels are too many (maximum is 50)" });
    get(&names(51)).refused(400, refused.clone());
    let list = format!("/groups/{}/issues?labels={}", world.group, names(51));
    spec().get(list).by(&world.gus).refused(400, refused);
    let repeated = vec!["a"; 3000].join(",");
    let ((once, cost), (often, same)) = (get("a").cost(), get(&repeated).cost());
    assert_eq!(cost, same);
    assert_eq!((once.json, 1), (often.json.clone(), often.each("id").len()));
    let in_group = spec().get(format!("/groups/{}/issues?labels=a,a", world.group)).by(&world.gus).gives(200);
    assert!(in_group.each("project_id").contains(&json!(world.project.id)));
}

#[test]
fn a_list_in_one_text_has_at_most_ten_thousand_values() {
    let world = World::new(spec(), Visibility::Public);
    let numbers = |most: usize| (1..=most).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    let ask = |most: usize| world.v4("GET", "/issues").form(&[("not[iids]", &numbers(most))]);
    ask(10_000).gives(200);
    ask(10_001).refused(400, json!({ "error": "not[iids] is invalid" }));
}
