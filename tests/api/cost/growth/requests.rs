//! A request to each GET route, about the records of the world.

use super::world::Stock;
use crate::support::Person;
use crate::support::contents::blob;
use edgeforge::route::{Route, Segment};
use edgeforge::{Dialect, Place, Profile};

impl Stock {
    pub fn asks(&self) -> Vec<Request> {
        let tables = [Dialect::V3(Profile::Spec), Dialect::V4];
        let routes =
            tables.into_iter().flat_map(|dialect| edgeforge::routes(dialect).map(move |route| (dialect, route)));
        let gets = routes.filter(|(_, route)| route.verb == "GET");
        gets.flat_map(|(dialect, route)| self.of_route(dialect, route)).collect()
    }

    fn of_route(&self, dialect: Dialect, route: &'static Route) -> Vec<Request> {
        let (mut path, mut word) = (dialect.base_path().to_owned(), "");
        for segment in route.path {
            let text = match *segment {
                Segment::Word(text) => {
                    word = text;
                    text.to_owned()
                }
                Segment::Any(name) => self.value(dialect, &path, word, name),
            };
            path = format!("{path}/{text}");
        }
        let version = if dialect == Dialect::V4 { "v4" } else { "v3" };
        let by = if route.place == Place::Admin { self.world.root.clone() } else { self.world.ann.clone() };
        let request = |query: &&str| Request {
            route: format!("{version} {}{}{query}", route.pattern, if query.is_empty() { "" } else { "?" }),
            target: format!("{path}{}{query}", if query.is_empty() { "" } else { "?" }),
            by: by.clone(),
        };
        queries(route.pattern).iter().map(request).collect()
    }

    /// The value of a placeholder: behind this word, and this path.
    fn value(&self, dialect: Dialect, before: &str, word: &str, name: &str) -> String {
        let Stock { world, commits, .. } = self;
        let of_project = before.contains("/projects/");
        let ann = world.ann.id;
        let sql = match (word, name) {
            ("groups" | "namespaces", _) => return world.group.to_string(),
            ("issues", "issue_iid") => "iid from issues where iid = 1",
            ("notes", _) => "id from notes where body = 'word'",
            ("discussions", _) => {
                let commit = format!("/repository/commits/{}", commits[1]);
                let on = if before.contains("/commits/") { &commit } else { "/issues/1" };
                let list = world.v4("GET", &format!("{on}/discussions")).by(&world.ann).gives(200).json;
                let words = |one: &&serde_json::Value| one["notes"][0]["body"] == "word";
                return list.as_array().unwrap().iter().find(words).unwrap()["id"].as_str().unwrap().to_owned();
            }
            ("award_emoji", _) if before.contains("/notes/") => "id from awards where note_id > 0",
            ("award_emoji", _) => "id from awards where note_id = 0",
            ("blobs", "sha") if dialect != Dialect::V4 => return commits[1].clone(),
            ("blobs" | "raw_blobs", _) => return blob("two\n").id().to_owned(),
            ("commits", _) => return commits[1].clone(),
            (_, "git_ref") | ("branches" | "protected_branches", _) => return "master".to_owned(),
            ("tags", _) | (_, "tag") => return "v1".to_owned(),
            ("archive", _) => return "tar.gz".to_owned(),
            ("raw", _) => return "master%2F{file}".to_owned(),
            ("files", _) => return "{file}".to_owned(),
            ("downloads", _) => return "l".to_owned(),
            ("latest", _) => return "downloads%2Fl".to_owned(),
            ("links", "link_id") => "id from release_links",
            ("links", _) => "id from issue_links",
            ("licenses" | "Licenses", _) => return "mit".to_owned(),
            ("labels", _) => return "bug".to_owned(),
            ("uploads", "secret") => "secret from uploads",
            (_, "filename" | "file_name") => return "f".to_owned(),
            ("generic", "name") => return "p".to_owned(),
            ("generic", "version") => return "1".to_owned(),
            ("members" | "all", _) if of_project => return world.bob.id.to_string(),
            ("users" | "members" | "all", _) => return ann.to_string(),
            ("personal_access_tokens", _) => &format!("id from tokens where user_id = {ann} and kind = 'personal'"),
            ("access_tokens", _) => "id from tokens where kind = 'project'",
            ("jobs", _) => "id from statuses",
            ("pipelines", _) => "pipeline_id from status_counts",
            ("resource_label_events" | "resource_milestone_events" | "resource_state_events", _) => {
                &format!("id from resource_events where kind = '{}'", word.split('_').nth(1).unwrap())
            }
            ("hooks", _) => {
                if of_project {
                    "id from hooks where project_id > 0"
                } else {
                    "id from hooks where project_id is null"
                }
            }
            // the other words are tables
            _ => &format!("id from {word}"),
        };
        let found = world.server.rows(&format!("select json_array((select {sql} limit 1)) as v"));
        found[0][0].to_string().trim_matches('"').to_owned()
    }
}

pub struct Request {
    pub route: String,
    pub target: String,
    pub by: Person,
}

/// The parameters that a route needs, and those that make it do another work.
fn queries(pattern: &str) -> &'static [&'static str] {
    match pattern {
        r#"["audit_events"]"# => &["", "entity_type=Project&created_before=2100-01-01"],
        r#"["projects", id, "search"]"# => &[
            "scope=issues&search=word",
            "scope=milestones&search=word",
            "scope=users&search=word",
            "scope=notes&search=word",
            "scope=commits&search=word",
        ],
        p if p.ends_with(r#""search"]"#) => &[
            "scope=projects&search=word",
            "scope=issues&search=word",
            "scope=milestones&search=word",
            "scope=users&search=word",
        ],
        p if p.ends_with(r#""commits"]"#) && p.contains("repository") => &["", "all=true", "ref_name=old..master"],
        p if p.ends_with(r#""compare"]"#) => &["from=old&to=master", "from=old&to=master&straight=true"],
        p if p.ends_with(r#""merge_base"]"#) => &["refs[]=old&refs[]=master"],
        p if p.ends_with(r#""render"]"#) => &["link_url=https://x/&image_url=https://x/"],
        p if p.ends_with(r#""tree"]"#) => &["", "recursive=true"],
        p if p.ends_with(r#""files"]"#) => &["file_path={file}&ref=master"],
        p if p.contains(r#""files","#) => &["ref=master"],
        p if p.ends_with(r#""blob"]"#) || p == r#"["projects", id, "repository", "blobs", sha]"# => {
            &["filepath={file}"]
        }
        _ => &[""],
    }
}
