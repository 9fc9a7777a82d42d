//! Checklists in descriptions: `- [x] done`.

use crate::areas::markdown::reader;
use serde::Serialize;

#[derive(Debug, Serialize, PartialEq, Default)]
pub struct Tasks {
    pub count: usize,
    pub completed_count: usize,
}

impl Tasks {
    pub fn of(text: &str) -> Tasks {
        let mut tasks = Tasks::default();
        for is_done in reader::tasks(text) {
            tasks.count += 1;
            tasks.completed_count += usize::from(is_done);
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

#[cfg(test)]
#[path = "../../../../tests/unit/areas/issues/v4/tasks.rs"]
mod tests;
