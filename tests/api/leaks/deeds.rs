//! What is done in a world, for web hooks.

use super::random::Random;
use super::world::{Issue, Project, World};
use serde_json::{Value, json};

/// Verb, path and body.
pub type Deed = (&'static str, String, Value);

/// What an administrator does to records of one kind, those that the viewer sees or the others.
pub fn deeds(world: &World, seen: bool, r: &mut Random) -> Vec<Deed> {
    world.projects.iter().flat_map(|project| deeds_in(project, seen, r)).collect()
}

fn deeds_in(project: &Project, seen: bool, r: &mut Random) -> Vec<Deed> {
    let (base, standing) = (format!("/api/v4/projects/{}", project.id), project.standing);
    let mut list: Vec<Deed> = Vec::new();
    let mut add = |verb, path: String, body| list.push((verb, format!("{base}/{path}"), body));
    if standing.issues == seen {
        add("POST", "issues".to_owned(), json!({ "title": r.words(), "description": r.words() }));
    }
    if (standing.issues && standing.confidential) == seen {
        add("POST", "issues".to_owned(), json!({ "title": r.words(), "confidential": true }));
    }
    for issue in project.issues.iter().filter(|issue| issue.seen == seen) {
        on_issue(issue, r, &mut add);
    }
    if standing.plans == seen {
        add("POST", "milestones".to_owned(), json!({ "title": format!("m{}", r.number()), "description": r.words() }));
    }
    if standing.repository == seen {
        for (number, (_, sha)) in project.commits.iter().enumerate() {
            let state = r.any(&["pending", "running", "success", "failed"]);
            add(
                "POST",
                format!("statuses/{sha}"),
                json!({ "state": state, "ref": "master", "name": format!("ci{number}") }),
            );
            add("POST", format!("repository/commits/{sha}/comments"), json!({ "note": r.words() }));
        }
        if let [(_, first), .., (_, tip)] = project.commits.as_slice() {
            for (old, new) in [(tip, first), (first, tip)] {
                let change =
                    json!({ "name": "refs/heads/master", "old": old, "new": new, "message": null, "commits": 1 });
                let body = json!({ "default_branch": "master", "changes": [change] });
                add("PUT", "mirror/refs".to_owned(), body);
            }
        }
    }
    if let Some((_, sha)) = project.commits.first().filter(|_| standing.deployments == seen) {
        let status = r.any(&["running", "success", "failed"]);
        let body = json!({ "environment": "e", "sha": sha, "ref": "master", "tag": false, "status": status });
        add("POST", "deployments".to_owned(), body);
    }
    if standing.issues == seen {
        // comes to no receiver at all
        let issue = json!({ "kind": "issue", "key": format!("{:016x}", 1), "iid": 100_000, "title": r.words(), "author": 1,
            "state": "opened", "at": 1, "updated_at": 1 });
        let note = json!({ "kind": "note", "key": format!("{:016x}", 2), "issue": 100_000, "author": 1, "body": r.words(),
            "at": 1, "updated_at": 1 });
        add("POST", "import_records".to_owned(), json!({ "records": [issue, note] }));
    }
    list
}

fn on_issue(issue: &Issue, r: &mut Random, add: &mut impl FnMut(&'static str, String, Value)) {
    let path = format!("issues/{}", issue.iid);
    add("POST", format!("{path}/notes"), json!({ "body": r.words() }));
    for note in issue.notes.iter().take(1) {
        add("PUT", format!("{path}/notes/{note}"), json!({ "body": format!("{} {}", r.words(), r.number()) }));
    }
    add("PUT", path.clone(), json!({ "title": format!("{} {}", r.words(), r.number()), "add_labels": r.word() }));
    add("PUT", path, json!({ "state_event": r.any(&["close", "reopen"]), "description": r.words() }));
}
