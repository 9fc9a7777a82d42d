//! What the messages of pushed commits do to issues (behaviour 12.1). Before the batch that moves the refs, it reads
//! the commits that are new on a branch. The batch then closes issues and writes comments, all or nothing. The history
//! that a first sync sends does nothing.

mod range;

use self::range::{Branch, Range, branches, looked_at, ranges};
use super::messages::{self, Home, Issue};
use super::sql;
use crate::areas::events::{self, RefMove, activity};
use crate::kernel::gather::Gather;
use crate::kernel::policy;
use crate::kernel::store::Rows;
use crate::kernel::{Action, Call, Entry, Result, Row, Statement};
use edgeforge_wire::{Change, Swap};
use serde::Serialize;
use serde_json::json;
use std::collections::{BTreeSet, HashMap};

const REFERENCES: usize = 1000;
/// The most references that close an issue. Further ones mention it.
const CLOSINGS: usize = 200;
/// The most bytes of issues and milestones that a push writes again by its references.
const REWRITTEN: i64 = 50_000_000;
/// If a first push has more commits, they count as history.
const MOST_AT_FIRST: u64 = 100;
/// The most commits of a branch that hooks get.
const COMMITS_OF_AN_EVENT: usize = 20;

#[derive(Row, Default)]
struct StateBefore {
    user_id: i64,
    has_refs: bool,
    /// If a push moves more refs, hooks get none of them.
    hooks_limit: i64,
    autoclose: bool,
    history_until: i64,
    seen_until: i64,
    main_sha: Option<String>,
    /// The maker of a hook's token that also reaches other projects.
    maker_id: Option<i64>,
}

#[derive(Row)]
struct Message {
    id: i64,
    sha: String,
    message: String,
}

#[derive(Row, Default)]
struct Messages {
    messages: Vec<Message>,
    skipped: i64,
}

#[derive(Serialize)]
struct Reference {
    iid: i64,
    sha: String,
    closes: bool,
    /// The path of another project.
    project: Option<String>,
}

/// What a push does to issues.
#[derive(Default)]
pub struct Work {
    is_history: bool,
    /// The user in whose name issues are closed and commented.
    user_id: i64,
    references: Vec<Reference>,
    maker_id: Option<i64>,
    /// The refs that moved, for events.
    moved: Vec<RefMove>,
    hooks_limit: i64,
    /// Commits that were not looked at.
    pub skipped: usize,
}

pub fn before() -> Statement {
    sql::before_swap {}.into()
}

/// Whether the caller may close every issue of the project and comment on it.
fn may_refer(entry: &Entry) -> bool {
    let actions = [Action::ReadIssues, Action::ReadConfidentialIssues, Action::EditAnyIssue];
    entry.resource.has_issues() && actions.into_iter().all(|action| entry.resource.may(action))
}

/// `before`: the rows of [`before`].
pub async fn read(call: &Call<'_>, entry: &Entry, before: Rows, swap: &Swap) -> Result<Work> {
    let before: StateBefore = before.first()?.unwrap_or_default();
    let StateBefore { user_id, hooks_limit, .. } = before;
    // if there are so many refs that they come in chunks, they count as history, too
    let is_long = swap.recheck || swap.history || swap.sync.is_some();
    let is_history = !before.has_refs || is_long;
    if is_long || (!before.has_refs && is_large(swap)) {
        return Ok(Work { is_history, user_id, ..Work::default() });
    }
    let is_main = |name: &&str| !before.has_refs || entry.resource.default_branch.as_deref() == Some(name);
    let main = swap.default_branch.as_deref().filter(is_main);
    let branches = branches(swap, main, before.main_sha.as_deref());
    let refers = !is_history && may_refer(entry);
    let ranges = if branches.is_empty() { Vec::new() } else { ranges(call, entry.resource.id, &branches).await? };
    let is_small = |range: &Range| range.is_whole && range.newest.len() + range.more <= MOST_AT_FIRST as usize;
    let is_announced = before.has_refs || ranges.iter().all(is_small);
    let moved = match is_announced {
        true => moved(swap, &branches, &ranges, &old_tags(call, entry.resource.id, swap).await?),
        false => Vec::new(),
    };
    if branches.is_empty() || !refers {
        return Ok(Work { is_history, user_id, moved, hooks_limit, ..Work::default() });
    }
    let ids = looked_at(&ranges);
    if ids.is_empty() {
        return Ok(Work { user_id, moved, hooks_limit, ..Work::default() });
    }
    let answer = call.store.ask(sql::messages { ids: json!(ids).to_string() }).await?;
    let messages: Messages = answer.first()?.unwrap_or_default();
    let home = Home { base: &entry.links.base, full_path: &entry.resource.full_path };
    Ok(Work { moved, hooks_limit, ..work(&before, &home, &branches, &ranges, &ids, &messages) })
}

/// Whether a first push is a history, which hooks do not get.
fn is_large(swap: &Swap) -> bool {
    swap.changes.len() > 3
        || swap.changes.iter().any(|change| change.commits.is_some_and(|commits| commits > MOST_AT_FIRST))
}

#[derive(Row)]
struct TagObject {
    name: String,
    tag_sha: String,
}

/// The objects of the annotated tags that are moved or removed.
async fn old_tags(call: &Call<'_>, project_id: i64, swap: &Swap) -> Result<HashMap<String, String>> {
    let is_old = |change: &&Change| change.old.is_some() && change.name.starts_with("refs/tags/");
    let names: Vec<&String> = swap.changes.iter().filter(is_old).map(|change| &change.name).collect();
    if names.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = call.store.ask(sql::tag_objects { project_id, names: json!(names).to_string() }).await?;
    Ok(rows.all()?.into_iter().map(|TagObject { name, tag_sha }| (name, tag_sha)).collect())
}

/// The refs that moved. `tags`: see [`old_tags`].
fn moved(swap: &Swap, branches: &[Branch<'_>], ranges: &[Range], tags: &HashMap<String, String>) -> Vec<RefMove> {
    let one = |change: &Change| {
        let range = branches.iter().zip(ranges).find(|(branch, _)| branch.name == change.name).map(|(_, range)| range);
        let newest = range.map(|range| range.newest.iter().take(COMMITS_OF_AN_EVENT).rev().copied().collect());
        let total = range.map(|range| range.newest.len() + range.more);
        RefMove {
            name: change.name.clone(),
            old: change.old.clone(),
            new: change.new.clone(),
            tag_sha: change.tag_sha.clone(),
            old_tag_sha: tags.get(&change.name).cloned(),
            message: change.message.clone(),
            newest,
            total,
        }
    };
    swap.changes.iter().map(one).collect()
}

fn work(
    before: &StateBefore,
    home: &Home<'_>,
    branches: &[Branch<'_>],
    ranges: &[Range],
    ids: &[i64],
    messages: &Messages,
) -> Work {
    let skipped = usize::try_from(messages.skipped).unwrap_or(0);
    let mut work = Work { user_id: before.user_id, maker_id: before.maker_id, skipped, ..Work::default() };
    let looked_at: BTreeSet<i64> = ids.iter().copied().gather();
    let messages: HashMap<i64, &Message> = messages.messages.iter().map(|message| (message.id, message)).collect();
    let (mut known, mut closings): (BTreeSet<(Issue, &str)>, usize) = Default::default();
    for (branch, range) in branches.iter().zip(ranges) {
        let is_forward = branch.is_new || range.is_forward == Some(true);
        let closes = branch.is_main && !branch.is_new && is_forward;
        let mentions_after =
            if is_forward { before.history_until } else { before.seen_until.max(before.history_until) };
        work.skipped += range.more + range.newest.iter().filter(|id| !looked_at.contains(id)).count();
        for message in range.newest.iter().rev().filter_map(|id| messages.get(id)) {
            for found in messages::references(&message.message, home) {
                let Issue { project, iid } = found.issue.clone();
                // for another project, this setting is checked when the project is found
                let does = closes && found.closes && (before.autoclose || project.is_some());
                let counts = (does || message.id > mentions_after) && (project.is_none() || before.maker_id.is_some());
                if counts && work.references.len() < REFERENCES && known.insert((found.issue, &message.sha)) {
                    closings += usize::from(does);
                    let closes = does && closings <= CLOSINGS;
                    work.references.push(Reference { iid, sha: message.sha.clone(), closes, project });
                }
            }
        }
    }
    work
}

/// The refs for hooks: none if more than `most` moved.
fn moves_for_hooks(moved: &[RefMove], most: i64) -> &[RefMove] {
    if i64::try_from(moved.len()).is_ok_and(|number| number <= most) { moved } else { &[] }
}

impl Work {
    /// How many writes it counts as.
    pub fn writes(&self) -> i64 {
        i64::try_from(self.references.len()).unwrap_or(i64::MAX)
    }

    /// The steps for the batch that moves the refs. They run after the version was counted.
    pub fn steps(&self, call: &Call<'_>, project_id: i64) -> Vec<Statement> {
        let (user_id, now) = (self.user_id, call.now);
        let mut steps: Vec<Statement> = Vec::new();
        if !self.references.is_empty() {
            let references = json!(self.references).to_string();
            let (maker_id, plans) = (self.maker_id, policy::least(Action::EditAnyIssue).0.level());
            steps.push(sql::refer { project_id, references, maker_id, plans, bytes: REWRITTEN }.into());
            steps.push(sql::note_references { project_id, user_id, maker_id, now }.into());
            steps.push(sql::add_events_of_closing { project_id, user_id, maker_id, now }.into());
            let (before, after) = events::issues_closed(call, project_id, Some(user_id), maker_id);
            steps.push(before);
            steps.push(sql::close_referenced { project_id, user_id, maker_id, now }.into());
            steps.push(after);
            steps.push(sql::settle_referenced { user_id, maker_id, now }.into());
            steps.push(sql::end_references {}.into());
        }
        if !self.moved.is_empty() {
            steps.push(events::refs_moved(call, project_id, user_id, moves_for_hooks(&self.moved, self.hooks_limit)));
            steps.push(events::repository_updated(call, project_id, user_id, &self.moved));
            steps.push(activity::pushed(call, project_id, user_id, &self.moved));
        }
        steps.push(sql::see_commits { project_id, is_history: self.is_history }.into());
        steps
    }
}
