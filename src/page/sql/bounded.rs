//! Lists whose rows together stay within what one answer may have (behaviour 4.4).

use crate::store::{Rows, Statement, Value};

/// The longest row that is told at first, in bytes. A hundred of them have less than 4 MB; an instance of the Worker has
/// 128 MB for all that it does at once.
const LONGEST: usize = 39_000;

/// The most that the rows of one page have together, in bytes. No row has 2 MB, so every page has one.
const MOST: usize = 4_000_000;

/// A list's statement that leaves long rows out: in the place of each it tells how long it is. Where there is one, the list is
/// asked for again as [`shorter`] says: the same statement, which is compiled already. The last two items of `?6` are the longest
/// row that is told, and how many rows there may be (-1: all).
macro_rules! bounded {
    ($($statement:expr),+ $(,)?) => {
        concat!(
            "select iif(octet_length(v) <= (select ?6 ->> 6), v, '\"cut ' || octet_length(v) || '\"') as v from (",
            $($statement),+,
            ") limit (select ?6 ->> 7)"
        )
    };
}
pub(crate) use bounded;

/// The last two items of `?6`, for a list that is asked for first.
pub const ALL: (usize, i64) = (LONGEST, -1);

/// Whether it is a list's statement.
pub fn is_bounded(statement: &Statement) -> bool {
    statement.sql.starts_with("select iif(octet_length(v) <= (select ?6")
}

/// The length of a row that was left out.
fn cut(row: &str) -> Option<usize> {
    row.strip_prefix("\"cut ")?.strip_suffix('"')?.parse().ok()
}

/// The list's statement for the rows that fit one answer, and how many these are. None: no row was left out.
pub fn shorter(list: &Statement, rows: &Rows) -> Option<(Statement, usize)> {
    if !rows.0.iter().any(|row| cut(row).is_some()) {
        return None;
    }
    let mut bytes = 0;
    let fits = |length: &usize| {
        bytes += *length;
        bytes <= MOST
    };
    let lengths = rows.0.iter().map(|row| cut(row).unwrap_or(row.len()));
    let fitting: Vec<usize> = lengths.take_while(fits).collect();
    let longest = fitting.iter().copied().max().unwrap_or_default().max(LONGEST);
    let mut list = list.clone();
    if let Some(Value::Text(needs)) = list.binds.get_mut(5) {
        let all = format!(",{},{}]", ALL.0, ALL.1);
        *needs = needs.replace(&all, &format!(",{longest},{}]", fitting.len()));
    }
    Some((list, fitting.len()))
}

/// The page of the rows that fit, where `all` are all rows with some left out: behind them come those that tell a total. And
/// whether rows are missing.
pub fn end_early(mut fitting: Vec<String>, all: Vec<String>, count: usize) -> (Vec<String>, bool) {
    let end = fitting.iter().position(|row| cut(row).is_some());
    fitting.truncate(end.unwrap_or(fitting.len()));
    let behind: Vec<String> = all.into_iter().skip(count).collect();
    let is_cut = end.is_some() || behind.iter().any(|row| !row.starts_with("{\"total\":"));
    fitting.extend(behind.into_iter().filter(|row| row.starts_with("{\"total\":")));
    (fitting, is_cut)
}
