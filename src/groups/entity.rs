//! Groups as answers show them.

use super::sql::{GroupRow, Shown};
use crate::call::{Caller, Links};
use crate::projects::entity::Project;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Group {
    id: i64,
    name: String,
    path: String,
    description: String,
    visibility_level: i64,
    /// Groups have no pictures.
    avatar_url: Option<String>,
    web_url: String,
}

impl Group {
    pub fn new(row: GroupRow, links: &Links) -> Group {
        let GroupRow { id, name, path, description, visibility, .. } = row;
        let web_url = format!("{}/groups/{path}", links.base);
        Group { id, name, path, description, visibility_level: visibility, avatar_url: None, web_url }
    }
}

/// The form of a single group.
#[derive(Debug, Serialize)]
pub struct GroupWithProjects {
    #[serde(flatten)]
    group: Group,
    /// Those that the caller may see, a hundred at most.
    projects: Vec<Project>,
}

impl GroupWithProjects {
    pub fn new(shown: Shown, caller: &Caller, links: &Links) -> GroupWithProjects {
        let Shown { group, projects } = shown;
        let projects = projects.into_iter().map(|row| Project::new(row, caller, links)).collect();
        GroupWithProjects { group: Group::new(group, links), projects }
    }
}
