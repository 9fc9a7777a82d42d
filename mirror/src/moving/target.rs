//! The project that an import writes to, and its members.

use serde_json::{Value, json};

use super::api::{Api, Refusal, project, says};
use super::archive::{Archive, Manifest};
use super::fields::{flag, id_in, number, text};
use super::people::{NOBODY, People};
use super::report::Report;
use super::survey::Survey;
use super::texts::{Texts, short};
use crate::error::{Error, Result};
use crate::text::segment;

/// And their levels in archives.
pub const VISIBILITIES: [(&str, i64); 3] = [("private", 0), ("internal", 10), ("public", 20)];

const LONGEST_DESCRIPTION: usize = 2000;

/// Levels of access that the server has. GitLab's minimal access sees nothing, and its planners are guests here.
fn level(there: i64) -> Option<i64> {
    match there {
        15 => Some(10),
        10 | 20 | 30 | 40 | 50 => Some(there),
        _ => None,
    }
}

/// Who writes as others must be an administrator.
pub fn check_token(api: &Api<'_>) -> Result<()> {
    let caller = api.needed("/user")?;
    if flag(&caller, "is_admin") {
        return Ok(());
    }
    let name = text(&caller, "username").unwrap_or_default();
    Err(Error::Server(format!(
        "the token is {name}'s, who is no administrator; an import writes in the name of others"
    )))
}

/// The answer of the project. None if it is absent.
pub fn find(api: &Api<'_>, path: &str) -> Result<Option<Value>> {
    match api.read(&project(path))? {
        Ok(found) => Ok(Some(found)),
        Err(Refusal(404, _)) => Ok(None),
        Err(refusal) => Err(api.refused(&project(path), &refusal)),
    }
}

/// The namespace that a project is made in, and the project's own path.
fn home<'p>(api: &Api<'_>, path: &'p str) -> Result<(Value, &'p str)> {
    let (namespace, own) =
        path.rsplit_once('/').ok_or_else(|| Error::Usage("--project is no NAMESPACE/PATH".to_owned()))?;
    let address = format!("/namespaces/{}", segment(namespace));
    match api.read(&address)? {
        Ok(home) => Ok((home, own)),
        Err(Refusal(404, _)) => {
            Err(Error::Server(format!("there is no group {namespace} at {}; make it first", api.address)))
        }
        Err(refusal) => Err(api.refused(&address, &refusal)),
    }
}

/// What a dry run says of the place of a project that is not made yet.
pub fn check_home(api: &Api<'_>, path: &str, archive: &Archive) -> Result<()> {
    let (home, _) = home(api, path)?;
    let group = path.rsplit_once('/').map_or(path, |(group, _)| group);
    if text(&home, "kind") == Some("group") {
        let visible =
            text(&api.needed(&format!("/groups/{}", segment(group)))?, "visibility").unwrap_or_default().to_owned();
        let wanted = visibility(&archive.object("tree/project.json")?);
        let rank = |of: &str| VISIBILITIES.iter().find(|(name, _)| *name == of).map(|(_, level)| *level);
        if rank(&visible) < rank(wanted) {
            let text =
                format!("the group {group} is {visible}, and {path} is {wanted}; make the group as visible first");
            return Err(Error::Server(text));
        }
    }
    Ok(())
}

/// The word for that of an archive.
fn visibility(tree: &Value) -> &'static str {
    let level = number(tree, "visibility_level");
    VISIBILITIES.iter().find(|(_, of)| Some(*of) == level).map_or("private", |(name, _)| name)
}

/// Makes the project with the settings of the archive.
pub fn create(api: &Api<'_>, path: &str, archive: &Archive, manifest: &Manifest) -> Result<Value> {
    let (home, own) = home(api, path)?;
    let tree = archive.object("tree/project.json")?;
    let name = manifest.of.get("project").and_then(|of| text(of, "name")).unwrap_or(own);
    let plain = Texts::default().rewritten(text(&tree, "description").unwrap_or_default(), "");
    let on = |name: &str| tree.get(name).and_then(Value::as_bool).unwrap_or(true);
    let new = |name: &str| {
        json!({
        "name": short(name, 255),
        "path": own,
        "namespace_id": number(&home, "id"),
        "description": short(&plain, LONGEST_DESCRIPTION),
        "visibility": visibility(&tree),
        "issues_enabled": on("issues_enabled"),
        "builds_enabled": on("builds_enabled"),
        "autoclose_referenced_issues": on("autoclose_referenced_issues"),
        })
    };
    let mut made = api.write("POST", "/projects", &new(name))?;
    // another project of the namespace may have the name
    if made.as_ref().is_err_and(|refusal| says(refusal, "name")) {
        made = api.write("POST", "/projects", &new(own))?;
    }
    made.map_err(|refusal| api.refused("/projects", &refusal))
}

/// An archived project takes no records.
pub fn set_archived(api: &Api<'_>, path: &str, is_archived: bool) -> Result<()> {
    let path = format!("{}/{}", project(path), if is_archived { "archive" } else { "unarchive" });
    api.write("POST", &path, &json!({}))?.map(drop).map_err(|refusal| api.refused(&path, &refusal))
}

/// The source's number of a member.
pub fn id_of(member: &Value) -> i64 {
    number(member, "user_id").or(id_in(member, "user")).unwrap_or(NOBODY)
}

/// Only people with an account: access is a decision.
pub fn members(api: &Api<'_>, path: &str, survey: &Survey, people: &People, report: &mut Report) -> Result<()> {
    let path = format!("{}/members", project(path));
    for of in &survey.members {
        let id = id_of(of);
        report.of("member").read += 1;
        let name = of.get("user").and_then(|user| text(user, "username")).map_or_else(|| id.to_string(), str::to_owned);
        let (Some(here), Some(level)) = (people.account(id), level(number(of, "access_level").unwrap_or_default()))
        else {
            report.leave("members without an account here, or without access", &name);
            continue;
        };
        if of.get("expires_at").is_some_and(|at| !at.is_null()) {
            report.leave("ends of a membership", &name);
        }
        match api.write("POST", &path, &json!({"user_id": here, "access_level": level}))? {
            Ok(_) => report.of("member").new += 1,
            Err(Refusal(409, _)) => report.of("member").same += 1,
            Err(refusal) => report.refuse_one("member", &refusal.told(), &format!("member {name}")),
        }
    }
    Ok(())
}
