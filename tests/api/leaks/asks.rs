//! Requests to every route. They name visible, hidden and unknown records, and use every described filter.

use super::content::secret;
use super::random::Random;
use super::viewer::{PEOPLE, Viewer};
use super::world::{Project, World};
use crate::support::{contract_of, urlencoded};
use edgeforge::BASE_PATH;
use serde_json::{Value, json};

#[derive(Debug, Clone)]
pub struct Ask {
    pub method: &'static str,
    pub path: String,
    pub query: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// Whether it names a record that the viewer does not see. The server may look that up.
    pub names_hidden: bool,
    /// Whether the token may read the project but not its content.
    pub reads_project_alone: bool,
}

/// All records that requests may name. `worlds`: both worlds, since a hidden record of either may be named in both.
pub struct Names<'a> {
    pub viewer: Viewer,
    pub worlds: [&'a World; 2],
    /// Whether each search names what it is for. One that does not is refused.
    pub searches: bool,
}

/// The segments of a pattern of `ROUTES`: words and placeholders.
enum Segment {
    Word(&'static str),
    Place(&'static str),
}

fn segments(pattern: &'static str) -> impl Iterator<Item = Segment> {
    let inner = pattern.trim_matches(['[', ']']);
    inner.split(',').map(str::trim).filter(|part| !part.is_empty()).map(|part| match part.strip_prefix('"') {
        Some(word) => Segment::Word(word.trim_end_matches('"')),
        None => Segment::Place(part),
    })
}

const NOWHERE: i64 = 987_654_321;

impl Names<'_> {
    pub fn ask(&self, base: &str, method: &'static str, pattern: &'static str, r: &mut Random) -> Ask {
        let world = if r.chance(50) { self.worlds[0] } else { self.worlds[1] };
        let project = r.pick(&world.projects).cloned().unwrap_or_default();
        let mut hidden = false;
        let (mut path, mut template, mut kind) = (String::new(), String::new(), "");
        let mut issue = None;
        for segment in segments(pattern) {
            let (text, told) = match segment {
                Segment::Word(word) => {
                    kind = word;
                    (word.to_owned(), word.to_owned())
                }
                Segment::Place(place) => {
                    let (text, seen) = self.named((base, kind), world, &project, &mut issue, r);
                    hidden |= !seen;
                    (text, format!("{{{place}}}"))
                }
            };
            path.push('/');
            path.push_str(&text.replace('/', "%2F"));
            template.push('/');
            template.push_str(&told);
        }
        let (query, named) =
            if method == "GET" { self.filters(base, &template, &project, r) } else { (String::new(), false) };
        let (body, body_names) = if method == "GET" { (String::new(), false) } else { self.body(world, &project, r) };
        let mut headers: Vec<(String, String)> = Vec::new();
        if !body.is_empty() {
            headers.push(("content-type".to_owned(), "application/json".to_owned()));
        }
        self.credentials(&mut headers, r);
        let names_hidden = hidden || named || body_names;
        let reads_project_alone = self.viewer == Viewer::Statuses;
        Ask { method, path: format!("{base}{path}"), query, headers, body, names_hidden, reads_project_alone }
    }

    /// The viewer's own token, sometimes with SUDO; or root's token with SUDO of the viewer.
    fn credentials(&self, headers: &mut Vec<(String, String)>, r: &mut Random) {
        let mut add = |name: &str, value: String| headers.push((name.to_owned(), value));
        let acts = self.viewer.user().filter(|_| self.viewer.reads());
        if let Some(user) = acts.filter(|_| r.chance(20)) {
            add("private-token", "root".to_owned());
            add("sudo", user.to_string());
            return;
        }
        if let Some(token) = self.viewer.token() {
            add("private-token", token);
        }
        if self.viewer == Viewer::Session {
            add("cookie", "session=session".to_owned());
            add("sec-fetch-site", "same-origin".to_owned());
            add("x-edgeforge-page", "1".to_owned());
        }
        if r.chance(15) {
            let (id, name) = r.any(&PEOPLE);
            add("sudo", r.any(&[id.to_string().as_str(), name, "1", "nobody-at-all"]).to_owned());
        }
    }

    /// A value for the placeholder after the word `kind`, and whether it names a visible record.
    fn named<'a>(
        &self,
        (base, kind): (&str, &str),
        world: &'a World,
        project: &'a Project,
        issue: &mut Option<&'a super::world::Issue>,
        r: &mut Random,
    ) -> (String, bool) {
        let own = project.seen;
        let number = |list: &[i64], r: &mut Random| match r.pick(list) {
            Some(id) if r.chance(90) => (id.to_string(), own),
            _ => (NOWHERE.to_string(), false),
        };
        match kind {
            "projects" if r.chance(5) => (NOWHERE.to_string(), false),
            "projects" if r.chance(50) => (project.path.clone(), own),
            "projects" => (project.id.to_string(), own),
            "groups" => match r.pick(&world.groups) {
                Some(group) => (if r.chance(50) { group.path.clone() } else { group.id.to_string() }, group.seen),
                None => (NOWHERE.to_string(), false),
            },
            // ids of milestones and issues from this project or from another
            "issues" => {
                *issue = r.pick(&project.issues);
                match issue {
                    Some(issue) if r.chance(90) => {
                        let name = if base == BASE_PATH { issue.id } else { issue.iid };
                        (name.to_string(), own && issue.seen)
                    }
                    _ => (NOWHERE.to_string(), false),
                }
            }
            // it need not belong to this issue
            "notes" => {
                let notes = issue.map(|issue| issue.notes.as_slice()).unwrap_or_default();
                let (text, seen) = number(notes, r);
                (text, seen && issue.is_some_and(|issue| issue.seen))
            }
            "resource_label_events" | "resource_milestone_events" | "resource_state_events" => {
                let events = issue.map(|issue| issue.events.as_slice()).unwrap_or_default();
                let (text, seen) = number(events, r);
                (text, seen && issue.is_some_and(|issue| issue.seen))
            }
            "award_emoji" => {
                let awards = issue.map(|issue| issue.awards.as_slice()).unwrap_or_default();
                let (text, seen) = number(awards, r);
                (text, seen && issue.is_some_and(|issue| issue.seen))
            }
            "links" => {
                let links = issue.map(|issue| issue.links.as_slice()).unwrap_or_default();
                let (text, _) = number(links, r);
                (text, false)
            }
            "milestones" => {
                let id = r.pick(&project.milestones).map_or(NOWHERE, |(id, _)| *id);
                (id.to_string(), project.standing.plans && id != NOWHERE)
            }
            "deployments" => {
                let (text, seen) = number(&project.deployments, r);
                (text, seen && project.standing.deployments)
            }
            "jobs" | "pipelines" => {
                let (text, seen) = number(&project.statuses, r);
                (text, seen && kind == "jobs" && project.standing.titles && project.standing.deployments)
            }
            "badges" if r.chance(50) => {
                let (text, seen) = number(&project.badges, r);
                (text, seen)
            }
            "commits" | "statuses" | "badges" | "feeds" => {
                let sha = r.pick(&project.commits).map_or("master".to_owned(), |(_, sha)| sha.clone());
                let name = match r.below(3) {
                    0 => sha,
                    1 => sha.get(..9).unwrap_or("master").to_owned(),
                    _ => "master".to_owned(),
                };
                (name, project.standing.repository)
            }
            "branches" | "tags" => {
                (r.pick(&project.refs).cloned().unwrap_or("none".into()), project.standing.repository)
            }
            "releases" | "downloads" | "latest" | "raw" => {
                let name = r.pick(&project.refs).cloned().unwrap_or("none".into());
                (if kind == "raw" { format!("{name}%2Fa") } else { name }, false)
            }
            "archive" => (r.any(&["tar", "zip", "tar.gz"]).to_owned(), false),
            "uploads" => {
                let (id, _) = number(&project.uploads, r);
                (if r.chance(30) { id } else { secret(project.id) }, false)
            }
            "packages" | "package_files" => (number(&project.packages, r).0, false),
            "generic" => (r.any(&["tool", "1.0", "a"]).to_owned(), false),
            "todos" => (number(&world.todos, r).0, false),
            "access_tokens" | "hook_tokens" | "personal_access_tokens" | "sessions" => {
                (number(&world.tokens, r).0, false)
            }
            "licenses" => ("mit".to_owned(), true),
            // users and members
            _ => (r.any(&PEOPLE).0.to_string(), true),
        }
    }

    /// Some filters of the described operation, and whether they name a hidden record.
    fn filters(&self, base: &str, template: &str, project: &Project, r: &mut Random) -> (String, bool) {
        let same = |path: &str| {
            let parts = |text: &str| {
                text.split('/')
                    .filter(|part| !part.is_empty())
                    .map(|part| part.starts_with('{').then_some("").map_or(part.to_owned(), str::to_owned))
                    .collect::<Vec<_>>()
            };
            parts(path) == parts(template)
        };
        let operation = contract_of(base).operations().iter().find(|known| known.method == "GET" && same(&known.path));
        let operation = operation.unwrap_or_else(|| panic!("GET {template} is not described in openapi/"));
        let (mut pairs, mut hidden) = (Vec::new(), false);
        for (name, schema) in &operation.parameters {
            let is_needed = self.searches && matches!(name.as_str(), "scope" | "search");
            if template.contains(&format!("{{{name}}}")) || !(is_needed || r.chance(35)) {
                continue;
            }
            let (value, named) = value_of(name, schema, project, r);
            hidden |= named;
            let list = matches!(name.as_str(), "iid" | "labels") && r.chance(60);
            pairs.push((if list { format!("{name}[]") } else { name.clone() }, value));
        }
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        (urlencoded(&pairs), hidden)
    }

    /// The body fields of all writes of this API. Each endpoint ignores the others.
    fn body(&self, world: &World, project: &Project, r: &mut Random) -> (String, bool) {
        let other = r.pick(&world.projects).cloned().unwrap_or_default();
        let group = r.pick(&world.groups).cloned().unwrap_or_default();
        let milestone = r.pick(&project.milestones).map(|(id, _)| *id);
        let label = r.pick(&project.labels).map_or("none".to_owned(), |(_, title)| title.clone());
        let sha = r.pick(&project.commits).map_or("master".to_owned(), |(_, sha)| sha.clone());
        let path = format!("fresh-{}", r.number());
        let mut fields = json!({
            "title": r.words(), "name": path, "path": path, "description": "@owner @other", "body": "@owner",
            "note": "x", "color": "#00ff00", "new_name": "new", "state": "success", "sha": sha, "environment": "e1",
            "status": "success", "user_id": r.any(&PEOPLE).0, "access_level": r.any(&[10, 30, 50]),
            "to_project_id": other.id, "namespace_id": group.id, "assignee_id": r.any(&PEOPLE).0,
            "milestone_id": milestone, "labels": [label], "email": format!("{path}@example.com"),
            "username": path, "commits": [], "changes": [], "visibility_level": 0, "confidential": r.chance(50),
            "state_event": "close", "message": "x", "scopes": ["api"], "duration": "1h",
            "target_project_id": other.path, "target_issue_iid": 1 + r.below(12), "link_url": "https://x/%{commit_sha}", "image_url": "https://x/%{latest_tag}", "link_type": r.any(&["relates_to", "blocks"]),
        });
        // missing fields are refused, too
        if let Value::Object(members) = &mut fields {
            let dropped: Vec<String> = members.keys().filter(|_| r.chance(20)).cloned().collect();
            dropped.iter().for_each(|name| drop(members.remove(name)));
        }
        (fields.to_string(), true)
    }
}

/// A value for a filter, and whether it names a record that may be hidden.
fn value_of(name: &str, schema: &Value, project: &Project, r: &mut Random) -> (String, bool) {
    let value = match name.trim_start_matches("not[").trim_end_matches(']') {
        "page" => r.any(&["1", "2", "3"]).to_owned(),
        "per_page" => r.any(&["1", "2", "5", "100"]).to_owned(),
        "state" => r.any(&["opened", "closed", "all", "active", "pending", "done", "inactive"]).to_owned(),
        "status" => r.any(&["success", "created", "running", "failed"]).to_owned(),
        "scope" => {
            let scopes = ["issues", "notes", "commits", "projects", "milestones", "users"];
            r.any(&["all", "created_by_me", "assigned_to_me"].into_iter().chain(scopes).collect::<Vec<_>>()).to_owned()
        }
        "search" if r.0.is_multiple_of(3) => format!("{} birch", r.word()),
        "labels" => match r.pick(&project.labels) {
            Some((_, title)) if r.chance(80) => title.clone(),
            _ => r.any(&["No Label", "None", "Any", "ash0", "none"]).to_owned(),
        },
        "milestone" => match r.pick(&project.milestones) {
            Some((_, title)) if r.chance(80) => title.clone(),
            _ => r.any(&["No Milestone", "None", "Any", "oak0", "none"]).to_owned(),
        },
        "milestone_id" => r.any(&["None", "Any", "Upcoming", "Started"]).to_owned(),
        "iid" | "iids" => return (r.below(12).to_string(), true),
        "id_after" | "id_before" => (20 + r.below(60)).to_string(),
        "order_by" => r.any(&["created_at", "updated_at", "id", "name", "path", "due_date", "title", "ref"]).to_owned(),
        "package_name" | "package_version" => r.any(&["a", "tool", "1.0"]).to_owned(),
        "sort" => r.any(&["asc", "desc", "name_asc", "updated_desc", "expires_desc"]).to_owned(),
        "in" => r.any(&["title", "description", "title,description"]).to_owned(),
        "author_id" | "closed_by_id" | "entity_id" => "16".to_owned(),
        "assignee_id" => r.any(&["None", "Any", "0", "12", "16"]).to_owned(),
        "user_id" | "user_ids" | "skip_users" => r.any(&PEOPLE).0.to_string(),
        "project_id" => return (project.id.to_string(), !project.seen),
        "group_id" | "skip_groups" => return ((20 + r.below(60)).to_string(), true),
        "type" => r.any(&["Issue", "branch", "tag", "all"]).to_owned(),
        "target_type" => r.any(&["issue", "note", "milestone"]).to_owned(),
        "before" => r.any(&["2026-05-28", "2035-01-01"]).to_owned(),
        "ref_name" | "ref" | "from" | "to" | "refs" => r.any(&["master", "next", "none"]).to_owned(),
        "weight" | "iteration_id" | "iteration_title" | "epic_id" | "health_status" => r.any(&["None", "3"]).to_owned(),
        "my_reaction_emoji" => r.any(&["None", "Any", "star"]).to_owned(),
        "min_access_level" => r.any(&["10", "20", "30", "40"]).to_owned(),
        "key_text" | "author" | "path" | "exclude_paths" | "file" | "filepath" | "file_path" | "page_token"
        | "trailers_of" => r.word().to_owned(),
        "from_project_id" => return (project.id.to_string(), !project.seen),
        "job" => r.any(&["test", "deploy"]).to_owned(),
        "min_good" | "min_acceptable" | "min_medium" | "value_width" => "50".to_owned(),
        "key_width" => r.any(&["1", "80", "513"]).to_owned(),
        "source" => r.any(&["external", "push"]).to_owned(),
        "select" => "package_file".to_owned(),
        "states" => r.any(&["available", "stopped"]).to_owned(),
        "sha" => project.commits.first().map_or("none".to_owned(), |(_, sha)| sha.clone()),
        "job_id" => return (project.statuses.first().unwrap_or(&NOWHERE).to_string(), true),
        "pipeline_id" => return (r.below(40).to_string(), false),
        "stage" => r.any(&["test", "deploy"]).to_owned(),
        "with_programming_language" => "Rust".to_owned(),
        "topic_id" | "saml_provider_id" => "1".to_owned(),
        "extern_uid" | "provider" | "public_email" | "custom_attributes" | "repository_storage" => {
            "somebody".to_owned()
        }
        "marked_for_deletion_on" => "2026-05-28".to_owned(),
        "environment" => "e1".to_owned(),
        "names" | "except" => r.any(&["test", "test,deploy", "default"]).to_owned(),
        "name" | "search" | "query" | "fullname" | "project" | "title" | "regex" | "topic" => r.word().to_owned(),
        "username" | "author_username" | "assignee_username" => r.any(&PEOPLE).1.to_owned(),
        "link_url" | "image_url" => r.any(&["https://x/%{commit_sha}", "https://x/%{latest_tag}", "x"]).to_owned(),
        "after" => project.commits.first().map_or("refs/".to_owned(), |(_, sha)| sha.clone()),
        "since" => "2026-05-28T00:00:00Z".to_owned(),
        "until" => "2026-05-29T00:00:00Z".to_owned(),
        time if time.ends_with("_after") || time.ends_with("_before") => {
            r.any(&["2026-05-28T00:00:00Z", "2026-05-28T12:00:00Z", "2026-05-29T00:00:00Z"]).to_owned()
        }
        // a cursor comes from a Link header
        "cursor" => String::new(),
        _ if schema["type"] == "boolean" => r.any(&["true", "false"]).to_owned(),
        _ if schema["enum"].is_array() => {
            let words = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
            r.any(&words.collect::<Vec<_>>()).to_owned()
        }
        name => panic!("the filter {name} has no test value: add one to value_of in tests/api/leaks/asks.rs"),
    };
    (value, false)
}
