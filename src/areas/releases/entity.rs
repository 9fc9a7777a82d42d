//! Releases in answers. Callers who may not read commits get no names of tags.

use super::link::NewLink;
use super::{LinkRow, MilestoneOf, ReleaseRow};
use crate::areas::commits::v4::{Commit, CommitExtras};
use crate::areas::issues::v4::milestone::Milestone;
use crate::areas::markdown::{address_of, rendered};
use crate::areas::users::v4::BasicUser;
use crate::kernel::answers::page_address::{Source, segment, sources};
use crate::kernel::time;
use crate::kernel::{Action, Call, Entry};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Debug, Serialize)]
pub struct Release {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag_name: Option<String>,
    description: Option<String>,
    created_at: String,
    released_at: String,
    upcoming_release: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    description_html: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<BasicUser>,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<Commit>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    milestones: Vec<WithStats>,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assets: Option<Assets>,
    /// Nothing collects evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidences: Option<[(); 0]>,
    #[serde(rename = "_links", skip_serializing_if = "Option::is_none")]
    addresses: Option<BTreeMap<&'static str, String>>,
}

#[derive(Debug, Serialize)]
struct Assets {
    count: usize,
    sources: Vec<Source>,
    links: Vec<Link>,
}

#[derive(Debug, Serialize)]
pub struct Link {
    id: i64,
    name: String,
    url: String,
    direct_asset_url: String,
    link_type: String,
    external: bool,
}

#[derive(Debug, Serialize)]
struct WithStats {
    #[serde(flatten)]
    milestone: Milestone,
    issue_stats: Stats,
}

#[derive(Debug, Serialize)]
struct Stats {
    total: i64,
    closed: i64,
}

impl Release {
    pub fn new(row: ReleaseRow, call: &Call<'_>, entry: &Entry) -> Release {
        let reads_code = entry.resource.may(Action::ReadCommits);
        let page = entry.resource.page(&entry.links);
        let tag = Some(row.tag).filter(|_| reads_code);
        let commit = row.commit.filter(|_| reads_code);
        let below = |rest: String| format!("/{}/-/{rest}", entry.resource.full_path);
        let sources = tag.as_deref().map(|tag| sources(tag, &page)).unwrap_or_default();
        let links: Vec<Link> = row.links.into_iter().map(|link| Link::new(link, tag.as_deref(), &page)).collect();
        let mut milestones: Vec<MilestoneOf> = row.milestones;
        let order =
            |of: &MilestoneOf| (of.row.due_date.is_none(), of.row.due_date.clone(), of.row.title.clone(), of.row.id);
        milestones.sort_unstable_by_key(order);
        Release {
            name: row
                .name
                .filter(|_| reads_code)
                .or_else(|| tag.clone())
                .unwrap_or_else(|| format!("Release-{}", row.id)),
            description: row.description,
            created_at: time::utc(row.created_at),
            released_at: time::utc(row.released_at),
            upcoming_release: row.released_at > call.now,
            description_html: None,
            author: row.author.map(|author| BasicUser::new(author, &entry.links)),
            commit_path: commit.as_ref().map(|commit| below(format!("commit/{}", commit.sha))),
            tag_path: tag.as_deref().map(|tag| below(format!("tags/{}", segment(tag)))),
            commit: commit.map(|commit| Commit::new(commit, &page, CommitExtras::default())),
            milestones: milestones.into_iter().map(|of| WithStats::new(of, call, entry)).collect(),
            assets: Some(Assets { count: sources.len() + links.len(), sources, links }),
            evidences: reads_code.then_some([]),
            // empty for callers who may not read commits
            addresses: Some(tag.as_deref().map(|tag| addresses(tag, &page, entry)).unwrap_or_default()),
            tag_name: tag,
        }
    }
}

impl Release {
    /// The members of a list with `simple`.
    pub fn simple(self) -> Release {
        let milestones = Vec::new();
        let (author, commit, commit_path, tag_path, assets, evidences, addresses) = Default::default();
        Release { author, commit, milestones, commit_path, tag_path, assets, evidences, addresses, ..self }
    }

    /// `left`: how many bytes of HTML the answer may still have. The HTML is null if it is longer.
    pub fn with_html(self, entry: &Entry, left: &mut usize) -> Release {
        let html = rendered(self.description.as_deref().unwrap_or_default(), Some(&address_of(entry)), *left);
        *left -= html.as_ref().map_or(0, String::len);
        Release { description_html: Some(html), ..self }
    }
}

impl Link {
    /// `tag`: None if the caller may not see it.
    pub(super) fn new(row: LinkRow, tag: Option<&str>, page: &str) -> Link {
        let LinkRow { id, link: NewLink { name, url, filepath, link_type } } = row;
        let direct = filepath.as_deref().zip(tag);
        let direct_asset_url = match direct {
            Some((filepath, tag)) => format!("{page}/-/releases/{}/downloads{filepath}", segment(tag)),
            None => url.clone(),
        };
        let rest = url.strip_prefix(page);
        let external = !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        Link { id, name, url, direct_asset_url, link_type, external }
    }
}

/// The addresses of pages about a release, by the names of their members.
fn addresses(tag: &str, page: &str, entry: &Entry) -> BTreeMap<&'static str, String> {
    let tag = segment(tag);
    let list = |kind: &str, state: &str| format!("{page}/-/{kind}?release_tag={tag}&scope=all&state={state}");
    let own = format!("{page}/-/releases/{tag}");
    let edit = entry.resource.may(Action::ManageReleases).then(|| ("edit_url", format!("{own}/edit")));
    let others = [
        ("closed_issues_url", list("issues", "closed")),
        ("closed_merge_requests_url", list("merge_requests", "closed")),
        ("merged_merge_requests_url", list("merge_requests", "merged")),
        ("opened_issues_url", list("issues", "opened")),
        ("opened_merge_requests_url", list("merge_requests", "opened")),
        ("self", own),
    ];
    others.into_iter().chain(edit).collect()
}

impl WithStats {
    /// Counts only issues that the caller may see.
    fn new(of: MilestoneOf, call: &Call<'_>, entry: &Entry) -> WithStats {
        let hidden = i64::from(entry.resource.may(Action::ReadConfidentialIssues));
        let shown = i64::from(entry.resource.has_issues());
        let closed = shown * (of.closed + hidden * of.closed_hidden);
        let opened = shown * (of.opened + hidden * of.opened_hidden);
        let milestone = Milestone::new(of.row, &entry.resource.full_path, &entry.links, call.now);
        WithStats { milestone, issue_stats: Stats { total: opened + closed, closed } }
    }
}
