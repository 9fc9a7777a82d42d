//! Checklists in descriptions: `- [x] done`.

use serde::Serialize;

#[derive(Debug, Serialize, PartialEq, Default)]
pub struct Tasks {
    pub count: usize,
    pub completed_count: usize,
}

impl Tasks {
    pub fn of(text: &str) -> Tasks {
        let mut tasks = Tasks::default();
        let mut fence = None;
        for line in text.lines() {
            let line = line.trim_start_matches([' ', '\t', '>']);
            let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
            match (fence, mark) {
                (None, Some(_)) => fence = mark,
                (Some(_), found) if found == fence => fence = None,
                (Some(_), _) => {}
                (None, None) => {
                    if let Some(completed) = completed(line) {
                        tasks.count += 1;
                        tasks.completed_count += usize::from(completed);
                    }
                }
            }
        }
        tasks
    }

    /// `1 of 2 checklist items completed`. None without items.
    pub fn summary(&self) -> Option<String> {
        let Tasks { count, completed_count } = self;
        let items = if *count == 1 { "item" } else { "items" };
        (*count > 0).then(|| format!("{completed_count} of {count} checklist {items} completed"))
    }
}

/// Whether the item is ticked. None if the line is no item.
fn completed(line: &str) -> Option<bool> {
    let numbered = || line.strip_prefix("1.").or_else(|| line.strip_prefix("1)"));
    let item = line.strip_prefix(['-', '*', '+']).or_else(numbered)?;
    let rest = item.strip_prefix(" [")?;
    let completed = rest.starts_with(['x', 'X']);
    let text = rest.strip_prefix([' ', 'x', 'X'])?.strip_prefix("] ")?;
    (!text.trim().is_empty()).then_some(completed)
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/issues/v4/tasks.rs"]
mod tests;
