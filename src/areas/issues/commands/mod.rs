//! Quick actions: lines such as `/close` and `/label ~bug` of a description or a comment (behaviour 6.11).

mod day;
mod text;

use super::record::{Change, Named, References, StateEvent, writing};
use super::texts::{MOST_LABELS_OF_ISSUE, MOST_MENTIONS};
use super::times::Times;
use super::{IssueRef, IssueRow};
use crate::kernel::gather::Gather;
use crate::kernel::time::{self, duration};
use crate::kernel::{Action, Call, Entry, Patch, PreparedQuery, Query, Result};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
pub use text::{Command, split};

/// What commands did, as the answer shows it.
#[derive(Debug, Default)]
pub struct Outcome {
    pub changes: Map<String, Value>,
    pub messages: Vec<String>,
}

impl Command {
    /// The user names, without `@`. Only the first that there is counts.
    fn people<'a>(&'a self, caller: &'a str) -> impl Iterator<Item = &'a str> {
        let words = self.argument.split([' ', '\t', ',']).map(|word| word.trim_start_matches('@'));
        let words = words.filter(|word| !word.is_empty()).take(MOST_MENTIONS);
        words.map(move |word| if word == "me" { caller } else { word })
    }

    /// The titles in `~bug ~"two words" plain`.
    fn labels(&self) -> Vec<&str> {
        let (mut titles, mut rest) = (Vec::new(), self.argument.as_str());
        while titles.len() < MOST_LABELS_OF_ISSUE {
            rest = rest.trim_start_matches([' ', '\t', ',', '~']);
            let (end, title) = match rest.strip_prefix('"') {
                Some(quoted) => ('"', quoted),
                None if rest.is_empty() => break,
                None => (' ', rest),
            };
            let (title, after) = title.split_once(end).unwrap_or((title, ""));
            titles.push(if end == ' ' { title.trim_end_matches(',') } else { title });
            rest = after;
        }
        titles
    }

    /// The title or the number in `%"two words"`.
    fn milestone(&self) -> &str {
        self.argument.trim_start_matches('%').trim_matches('"').trim()
    }
}

/// Reads what the commands name, each name once. `issue`: None for one that is yet to be made.
pub fn query(commands: &[Command], issue: Option<IssueRef>) -> PreparedQuery<Option<Named>> {
    let of = |name: &'static str| commands.iter().filter(move |command| command.name == name);
    let people: BTreeSet<_> = of("assign").flat_map(|command| command.people("")).map(str::to_lowercase).gather();
    let people: Vec<_> = people.into_iter().take(MOST_MENTIONS).collect();
    let labels: BTreeSet<_> = of("label").chain(of("unlabel")).flat_map(Command::labels).gather();
    let labels: Vec<_> = labels.into_iter().take(MOST_LABELS_OF_ISSUE).collect();
    let milestones: BTreeSet<_> = of("milestone").map(Command::milestone).gather();
    let IssueRef { id, iid } = issue.unwrap_or(IssueRef { id: None, iid: None });
    let [usernames, label_titles, milestone_names] =
        [json!(people), json!(labels), json!(milestones)].map(|names| names.to_string());
    writing::named { usernames, label_titles, milestone_names, id, iid }.prepare()
}

/// The issue and the rights of the caller.
pub struct Target<'a> {
    /// None for an issue that is yet to be made.
    pub row: Option<&'a IssueRow>,
    pub named: Named,
    /// Whether the caller may edit the issue, and whether they may plan.
    edits: bool,
    plans: bool,
    username: &'a str,
    user_id: i64,
    now: i64,
}

impl<'a> Target<'a> {
    pub fn new(call: &Call<'_>, entry: &'a Entry, row: Option<&'a IssueRow>, named: Option<Named>) -> Result<Self> {
        let user = &entry.caller()?.user;
        let plans = entry.resource.may(Action::EditAnyIssue);
        let edits = plans || row.is_none_or(|row| row.concerns(user.id));
        let named = named.unwrap_or_default();
        Ok(Target { row, named, edits, plans, username: &user.username, user_id: user.id, now: call.now })
    }

    /// Adds what the commands do to the change. What the caller may not, or what is so already, is only told.
    pub fn apply(&self, commands: &[Command], change: &mut Change, found: &mut References) -> Outcome {
        let mut outcome = Outcome::default();
        for command in commands {
            let message = if self.may(command.name) {
                self.one(command, change, found, &mut outcome.changes)
            } else {
                Some(format!("Could not apply {} command.", command.name))
            };
            outcome.messages.extend(message);
        }
        outcome
    }

    fn may(&self, name: &str) -> bool {
        let is = |test: fn(&IssueRow) -> bool| self.row.is_some_and(test);
        match name {
            "close" => self.edits && is(|row| row.state == "opened"),
            "reopen" => self.edits && is(|row| row.state == "closed"),
            "title" => self.edits && self.row.is_some(),
            "due" => self.edits,
            "remove_due_date" => self.edits && is(|row| row.plain.due_date.is_some()),
            "confidential" => self.edits && !is(|row| row.plain.confidential),
            "unlabel" => self.plans && is(|row| !row.labels.is_empty()),
            "unassign" => self.plans && is(|row| row.assignee_id.is_some()),
            "lock" => self.plans && is(|row| row.discussion_locked != Some(1)),
            "unlock" => self.plans && is(|row| row.discussion_locked == Some(1)),
            "todo" => self.row.is_some() && !self.named.has_todo,
            "done" => self.named.has_todo,
            "subscribe" => is(|row| !row.subscribed),
            "unsubscribe" => is(|row| row.subscribed),
            _ => self.plans,
        }
    }

    /// Returns a sentence for the answer. None if the command names nothing that there is.
    fn one(
        &self,
        command: &Command,
        change: &mut Change,
        found: &mut References,
        changes: &mut Map<String, Value>,
    ) -> Option<String> {
        let Command { name, argument } = command;
        let mut note = |key: &str, value: Value, message: &str| {
            changes.insert(key.to_owned(), value);
            Some(message.to_owned())
        };
        let spent_until_now = self.row.map_or(0, |row| row.time_spent);
        let fields = &mut change.fields;
        match *name {
            "close" | "reopen" => {
                let closes = *name == "close";
                fields.state_event = Some(if closes { StateEvent::Close } else { StateEvent::Reopen });
                note("state_event", json!(name), if closes { "Closed this issue." } else { "Reopened this issue." })
            }
            "title" if (1..=255).contains(&argument.chars().count()) => {
                fields.title = Patch::Set(argument.clone());
                note("title", json!(argument), &format!("Changed the title to \"{argument}\"."))
            }
            "label" => {
                let (titles, ids) = self.labels(command, &change.add_labels)?;
                change.add_labels.extend(titles.iter().cloned());
                note("add_label_ids", json!(ids), &labels_told("Added", &titles))
            }
            "unlabel" if argument.is_empty() => {
                change.remove_labels.extend(self.row.iter().flat_map(|row| row.labels.iter().cloned()));
                note("label_ids", json!([]), "Removed all labels.")
            }
            "unlabel" => {
                let (titles, ids) = self.labels(command, &change.remove_labels)?;
                change.remove_labels.extend(titles.iter().cloned());
                note("remove_label_ids", json!(ids), &labels_told("Removed", &titles))
            }
            "assign" => {
                let known = |word: &str| self.named.people.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
                let own = || Some((self.username, self.user_id));
                let person = command.people(self.username).find_map(|word| match known(word) {
                    Some((name, id)) => Some((name.as_str(), *id)),
                    None if word == self.username => own(),
                    None => None,
                });
                let Some((username, id)) = person else {
                    return Some("Failed to assign a user because no user was found.".to_owned());
                };
                fields.assignee_id = Patch::Set(id);
                found.assignee = Some(username.to_owned());
                note("assignee_ids", json!([id]), &format!("Assigned @{username}."))
            }
            "unassign" => {
                fields.assignee_id = Patch::Clear;
                let username = self.row.and_then(IssueRow::assignee).map(|user| user.username).unwrap_or_default();
                note("assignee_ids", json!([]), &format!("Removed assignee @{username}."))
            }
            "milestone" => {
                let (name, known) = (command.milestone(), &self.named.milestones);
                let by_title = known.iter().find(|(.., title)| title == name);
                let (id, iid, title) = by_title.or(known.iter().find(|(_, iid, _)| iid.to_string() == name))?;
                fields.milestone_id = Patch::Set(*id);
                (change.milestone, found.milestone_iid) = (None, Some(*iid));
                note("milestone_id", json!(id), &format!("Set the milestone to %\"{title}\"."))
            }
            "due" if argument.is_empty() => None,
            "due" => {
                let Some(date) = day::read(argument, self.now) else {
                    return Some("Failed to set due date because the date format is invalid.".to_owned());
                };
                fields.due_date = Patch::Set(date.to_string());
                note("due_date", json!(date.to_string()), &date.format("Set the due date to %b %-d, %Y.").to_string())
            }
            "remove_due_date" => {
                fields.due_date = Patch::Clear;
                note("due_date", Value::Null, "Removed the due date.")
            }
            "estimate" => {
                let times = Times::Estimate(duration::read(argument)?);
                times.fits(spent_until_now).then_some(())?;
                change.times.retain(|other| !matches!(other, Times::Estimate(_)));
                change.times.push(times);
                note("time_estimate", json!(times.seconds()), &times.sentence())
            }
            "spend" => {
                let (spent, date) = day::duration_and_day(argument, self.now)?;
                let times = Times::Spend(duration::read(&spent).filter(|seconds| *seconds != 0)?);
                times.fits(spent_until_now).then_some(())?;
                change.times.retain(|other| matches!(other, Times::Estimate(_)));
                change.times.push(times);
                let at = date.map_or_else(|| time::utc(self.now), |date| date.to_string());
                let spent = json!({ "duration": times.seconds(), "user_id": self.user_id, "spent_at": at });
                note("spend_time", spent, &times.sentence())
            }
            "lock" | "unlock" => {
                let locks = *name == "lock";
                change.discussion_locked = Some(locks);
                let message = if locks { "Locked the discussion." } else { "Unlocked the discussion." };
                note("discussion_locked", json!(locks), message)
            }
            "confidential" => {
                fields.confidential = Some(true);
                note("confidential", json!(true), "Made this issue confidential.")
            }
            "todo" | "done" => {
                let adds = *name == "todo";
                change.todo = Some(adds);
                let message = if adds { "Added a to-do item." } else { "Marked to-do item as done." };
                note("todo_event", json!(if adds { "add" } else { "done" }), message)
            }
            "subscribe" | "unsubscribe" => {
                let subscribes = *name == "subscribe";
                change.subscribed = Some(subscribes);
                let message =
                    if subscribes { "Subscribed to notifications." } else { "Unsubscribed from notifications." };
                note("subscription_event", json!(name), message)
            }
            _ => None,
        }
    }

    /// The titles and ids of those labels that there are, without those of commands before. None without any.
    fn labels(&self, command: &Command, before: &[String]) -> Option<(Vec<String>, Vec<i64>)> {
        let titles: BTreeSet<&str> = command.labels().into_iter().gather();
        let is_new = |title: &String| titles.contains(title.as_str()) && !before.contains(title);
        let known = self.named.labels.iter().filter(|(title, _)| is_new(title));
        let (titles, ids): (Vec<_>, Vec<_>) = known.cloned().unzip();
        (!ids.is_empty()).then_some((titles, ids))
    }
}

fn labels_told(verb: &str, titles: &[String]) -> String {
    let names: Vec<String> = titles.iter().map(|title| format!("~\"{title}\"")).collect();
    format!("{verb} {} {}.", names.join(" "), if titles.len() == 1 { "label" } else { "labels" })
}
