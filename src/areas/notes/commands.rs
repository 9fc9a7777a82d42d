//! Comments with commands (behaviour 6.11).

use super::{NewNote, NoteRow, refusal, sql};
use crate::areas::issues::IssueRef;
use crate::areas::issues::change::Revision;
use crate::areas::issues::commands::{self, Command, split};
use crate::areas::issues::record::{Change, References};
use crate::kernel::call::commit::{self, WrittenRow};
use crate::kernel::call::{Key, idempotency};
use crate::kernel::{Call, Error, Links, Reply, Result, ValidationErrors};
use serde::Serialize;
use serde_json::Value;

/// The answer in the place of a comment that had only commands.
#[derive(Debug, Serialize)]
struct OnlyCommands {
    commands_changes: Value,
    summary: [String; 1],
}

pub fn reply<B: Serialize>(written: WrittenRow<NoteRow>, shown: impl FnOnce(NoteRow, &Links) -> B) -> Reply {
    match written.row.summary.clone() {
        Some(summary) => {
            let answer = OnlyCommands { commands_changes: written.row.commands_changes(), summary: [summary] };
            written.reply(202, |_, _| answer)
        }
        None => written.reply(201, shown),
    }
}

pub async fn create(call: &Call<'_>, issue: Result<IssueRef>, input: Result<NewNote>) -> Result<WrittenRow<NoteRow>> {
    let found = input.as_ref().ok().and_then(|new| split(&new.body, call.dialect));
    let Some((body, commands)) = found else { return super::create(call, issue, input).await };
    let input = input.and_then(|new| Ok((NewNote { body, ..new }, call.idempotency_key()?)));
    match input {
        Ok((new, key)) if !commands.is_empty() => obey(call, issue, &new, &commands, key).await,
        input => super::create(call, issue, input.map(|(new, _)| new)).await,
    }
}

/// Does the commands of a comment, and adds the comment if it has anything else. Takes a round trip before, to read what
/// they name.
async fn obey(
    call: &Call<'_>,
    issue: Result<IssueRef>,
    new: &NewNote,
    commands: &[Command],
    key: Option<Key>,
) -> Result<WrittenRow<NoteRow>> {
    let query = |issue: &IssueRef| {
        let IssueRef { id, iid } = *issue;
        let kept = key.as_ref().map(|key| key.kept(call));
        (issue.query(), commands::query(commands, Some(*issue)), sql::may_comment { id, iid }, kept)
    };
    let (IssueRef { id, iid }, entry, (row, named, checks, kept)) = call.authorize_with(issue, query).await?;
    if let Some(kept) = idempotency::read(key.as_ref(), kept.as_ref())? {
        return WrittenRow::kept(kept);
    }
    refusal(&entry, checks, Ok(new))?;
    let row = row.ok_or_else(Error::no_record)?;
    let nothing = (Change::default(), ValidationErrors::default());
    let revision = Revision { commands, named, unmodified_since: None };
    let (changing, outcome) = revision.steps(call, &entry, &row, nothing, References::default())?;
    let (issue_id, note_id, summary) = (row.id, None::<i64>, outcome.messages.join(" "));
    let changes = Value::from(outcome.changes).to_string();
    let (commands, summary) = (changes.as_str(), summary.as_str());
    let only_commands = new.body.is_empty();
    if only_commands && summary.is_empty() {
        return Err(Error::message("400 Bad request - Failed to apply commands."));
    }
    let mut steps = if only_commands { vec![NewNote::expectation(id, iid, true)] } else { new.steps(call, id, iid) };
    steps.extend(changing);
    steps.push(if only_commands {
        sql::only_commands { issue_id, commands, summary }.into()
    } else {
        sql::written { note_id, issue_id, commands }.into()
    });
    let base = call.links(false).base;
    let keep = key.as_ref().map(|Key { hash: key, digest, .. }| {
        if only_commands {
            sql::keep_only_commands { key, digest, base, issue_id, commands, summary }.into()
        } else {
            sql::keep { key, digest, base, note_id, issue_id, commands }.into()
        }
    });
    let change = commit::Change { steps, keep, key, only_adds: false, query: sql::may_comment { id, iid } };
    call.commit(Ok(change), |entry, checks| refusal(entry, checks, Ok(new))).await
}
