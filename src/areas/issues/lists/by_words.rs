//! The list of a search, which reads the index of words (ARCHITECTURE.md, How a search runs).

use super::filter::Driver;
use super::plan::List;
use crate::kernel::Row;
use serde_json::json;

#[derive(Debug, Row)]
pub struct SearchState {
    /// Whether the index has all issues that were there before it.
    pub is_whole: bool,
    /// Whether the list spans more projects than it reads.
    pub is_wide: bool,
}

impl List {
    /// Whether the page has the total, unless it is behind the last one: the index of words takes as long for a total as
    /// for a page. The dearest of 203 searches among 100,000 issues of 1,000 projects took 321 ms of D1 with a statement
    /// of its own for the total, and segments that nobody merged; now 123.
    pub fn has_total(&self) -> bool {
        self.driver() == Driver::Words && self.filter.by_field.is_none()
    }

    /// The ranges of each project for a search, as of `List::kinds`. A range of the section 0 has the words of opened and
    /// of closed issues, one of 2 those of confidential ones.
    pub fn kinds_of_words(&self) -> String {
        let sections = self.filter.sections();
        let of = |(half, reads): (i64, Option<i64>)| {
            let has = sections.iter().any(|section| section / 2 == half);
            let kinds = ["", "waiting"].map(|kind| json!([kind, 2 * half, reads, 0]));
            kinds.into_iter().filter(move |_| has)
        };
        let own = sections.iter().filter(|section| **section > 1).map(|section| json!(["own", section, 0, 1]));
        json!([(0, None), (1, Some(1))].into_iter().flat_map(of).chain(own).collect::<Vec<_>>()).to_string()
    }
}
