//! The statements of a list: one page, and the total. The macro `statements!` makes their texts.

use crate::kernel::paging::{Key, Page};
use crate::kernel::store::{Scope, Statement, Value};
use std::borrow::Cow;

/// Rows that a filtered page looks at if it has no cursor, including the rows that it skips. The first page looks at as
/// many, so that the pages by their numbers have all matches among these rows (behaviour 13.4).
pub const MOST_LOOKED_AT: i64 = 10_000;

/// Rows that a filtered page looks at beyond its size if it has a cursor.
const BESIDE: i64 = 1000;

/// Rows that the total of a filtered list looks at.
const MOST_COUNTED: i64 = 2000;

/// A value that a statement of a list takes.
#[derive(Debug, Clone, Copy)]
pub enum Bind {
    /// One of the caller's, by its place.
    Own(usize),
    /// One of the keys behind which the page begins.
    After(usize),
    /// The least value of the first key that a row behind the page before has.
    From,
    /// The greatest.
    To,
    /// The most rows of the page, with one of the next.
    Most,
    /// The rows of the pages before.
    Skip,
    /// The most rows that are looked at.
    Looks,
}

/// What counts the rows of a list.
pub enum TotalOf {
    /// The list's own rows.
    Rows(RowCount),
    /// A statement of its own, which knows the number otherwise.
    Statement(Statement),
    Nothing,
}

/// The statement that counts the rows of a list.
pub struct RowCount {
    pub name: &'static str,
    pub sql: Cow<'static, str>,
    pub binds: &'static [Bind],
    pub order: ListOrder,
    /// The most rows that it counts.
    pub most: i64,
}

/// For each key whether it is a text, and whether they ascend.
pub type ListOrder = (&'static [bool], bool);

/// A list for one page.
pub struct ListQuery {
    pub name: &'static str,
    pub scope: Scope,
    pub page: Page,
    pub order: ListOrder,
    /// The most rows that a filtered page without a cursor looks at.
    pub looks: i64,
    /// The places of the values that are null if the list is not filtered.
    pub filters: &'static [usize],
    pub values: Vec<Value>,
    pub sql: Cow<'static, str>,
    pub binds: &'static [Bind],
    pub total: TotalOf,
}

/// What reads the answer: the page, and whether the total was asked for.
pub type SentList = (Page, bool);

/// How far a statement reads.
struct Reach {
    after: Vec<Key>,
    skip: i64,
    most: i64,
    looks: i64,
}

impl ListQuery {
    pub fn add_to(self, batch: &mut Vec<Statement>) -> SentList {
        let binds = self.values_of(self.binds, self.order, &self.page_reach());
        batch.push(self.statement(self.name, self.sql.clone(), binds));
        let total = if self.page.is_counted() { self.total() } else { None };
        let is_counted = total.is_some();
        batch.extend(total);
        (self.page, is_counted)
    }

    fn total(&self) -> Option<Statement> {
        match &self.total {
            TotalOf::Nothing => None,
            TotalOf::Statement(statement) => Some(statement.clone()),
            TotalOf::Rows(RowCount { name, sql, binds, order, most }) => {
                let looks = if self.is_filtered() { MOST_COUNTED } else { *most };
                let after = Page::beginning(order.0, order.1);
                let reach = Reach { after, skip: 0, most: most + 1, looks: looks + 1 };
                Some(self.statement(name, sql.clone(), self.values_of(binds, *order, &reach)))
            }
        }
    }

    fn statement(&self, name: &'static str, sql: Cow<'static, str>, binds: Vec<Value>) -> Statement {
        Statement { sql, binds, name, scope: self.scope, writes_events: false }
    }

    fn is_filtered(&self) -> bool {
        self.filters.iter().any(|at| self.values.get(*at).is_some_and(|value| *value != Value::Null))
    }

    fn page_reach(&self) -> Reach {
        let page = &self.page;
        let (after, skip) = page.starts(Page::beginning(self.order.0, self.order.1));
        let most = page.most() + 1;
        let reached = skip + most;
        let looks = match self.is_filtered() {
            false => reached,
            true if page.follows() => (reached + BESIDE).min(self.looks.max(reached)),
            true => self.looks.max(reached),
        };
        Reach { after, skip, most, looks }
    }

    fn values_of(&self, binds: &[Bind], (keys, ascending): ListOrder, reach: &Reach) -> Vec<Value> {
        let Reach { after, skip, most, looks } = reach;
        let [lowest, highest] = [true, false].map(|ascending| Page::beginning(keys, ascending));
        let first = |keys: &[Key]| keys.first().cloned().map(Value::from);
        let value = |bind: &Bind| match *bind {
            Bind::Own(at) => self.values.get(at).cloned(),
            Bind::After(at) => after.get(at).cloned().map(Value::from),
            Bind::From => first(if ascending { after } else { &lowest }),
            Bind::To => first(if ascending { &highest } else { after }),
            Bind::Most => Some((*most).into()),
            Bind::Skip => Some((*skip).into()),
            Bind::Looks => Some((*looks).into()),
        };
        binds.iter().map(|bind| value(bind).unwrap_or(Value::Null)).collect()
    }
}
