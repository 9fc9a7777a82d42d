//! Finds the commands of a text. A command is a line of its own that begins with its name, not in code or HTML.

use crate::areas::markdown::reader::events;
use crate::kernel::dialect::Dialect;
use pulldown_cmark::{Event, Tag};

#[derive(Debug, PartialEq)]
pub struct Command {
    pub name: &'static str,
    /// What follows the name on its line.
    pub argument: String,
}

/// How a text writes a command, its name, and whether v3 has it, as GitLab 8.12 had.
const NAMES: [(&str, &str, bool); 26] = [
    ("assign", "assign", true),
    ("close", "close", true),
    ("confidential", "confidential", false),
    ("done", "done", true),
    ("due", "due", true),
    ("estimate", "estimate", false),
    ("estimate_time", "estimate", false),
    ("label", "label", true),
    ("labels", "label", true),
    ("lock", "lock", false),
    ("milestone", "milestone", true),
    ("remove_due_date", "remove_due_date", true),
    ("remove_label", "unlabel", true),
    ("reopen", "reopen", true),
    ("shrug", SHRUG, false),
    ("spend", "spend", false),
    ("spend_time", "spend", false),
    ("spent", "spend", false),
    ("subscribe", "subscribe", true),
    ("tableflip", TABLEFLIP, false),
    ("title", "title", true),
    ("todo", "todo", true),
    ("unassign", "unassign", true),
    ("unlabel", "unlabel", true),
    ("unlock", "unlock", false),
    ("unsubscribe", "unsubscribe", true),
];
/// What takes the place of two commands.
const SHRUG: &str = "¯\\＿(ツ)＿/¯";
const TABLEFLIP: &str = "(╯°□°)╯︵ ┻━┻";

/// Commands of one text. What looks like further ones stays text.
const MOST: usize = 100;

/// The text without its commands, and the commands. None if the text has none.
pub fn split(text: &str, dialect: Dialect) -> Option<(String, Vec<Command>)> {
    if !text.starts_with('/') && !text.contains("\n/") {
        return None;
    }
    let is_code =
        |event: &Event<'_>| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock));
    let code: Vec<_> = events(text).filter(|(event, _)| is_code(event)).map(|(_, range)| range).collect();
    let (mut rest, mut commands) = (String::new(), Vec::new());
    let (mut at, mut is_behind, mut has_any) = (0, false, false);
    for line in text.split_inclusive('\n') {
        let next = code.partition_point(|range| range.end <= at);
        let is_code = code.get(next).is_some_and(|range| range.start <= at);
        let found = if is_code || commands.len() == MOST { None } else { command(line, dialect) };
        at += line.len();
        has_any |= found.is_some();
        match found {
            // blank lines go with the command before them
            None if is_behind && line.trim().is_empty() => continue,
            None => rest.push_str(line),
            Some(Command { name: sign @ (SHRUG | TABLEFLIP), argument }) => {
                rest.push_str(format!("{argument} {sign}\n").trim_start());
            }
            Some(command) => {
                commands.push(command);
                is_behind = true;
                continue;
            }
        }
        is_behind = false;
    }
    has_any.then(|| (rest.trim_end().to_owned(), commands))
}

fn command(line: &str, dialect: Dialect) -> Option<Command> {
    let line = line.trim_end().strip_prefix('/')?;
    let (word, argument) = line.split_once(' ').unwrap_or((line, ""));
    let known = NAMES.iter().find(|(written, ..)| written.eq_ignore_ascii_case(word));
    let (_, name, _) = known.filter(|(.., in_v3)| *in_v3 || dialect.is_v4())?;
    Some(Command { name, argument: argument.trim().to_owned() })
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/issues/commands/text.rs"]
mod tests;
