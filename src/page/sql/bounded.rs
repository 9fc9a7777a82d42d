//! Lists whose rows together stay within what one answer may have (behaviour 4.4).

use crate::store::{Rows, Statement};

/// A list's statement that leaves long rows out: in the place of each comes [`CUT`]. A hundred rows that are not long have
/// less than 4 MB; an instance of the Worker has 128 MB for all that it does at once. Where a row was long, the list is
/// asked for again by [`ending_early`], which few pages need: its running sum costs rows read.
macro_rules! bounded {
    ($($statement:expr),+ $(,)?) => {
        concat!("select iif(octet_length(v) <= 39000, v, '\"cut\"') as v from (", $($statement),+, ")")
    };
}
pub(crate) use bounded;

/// How it begins.
const BOUNDED: &str = bounded!("").split_at(bounded!("").len() - 1).0;

/// A row that did not fit an answer.
const CUT: &str = "\"cut\"";

/// Whether it is a list's.
pub fn is_bounded(statement: &Statement) -> bool {
    statement.sql.starts_with(BOUNDED)
}

/// The list's statement whose rows come as long as they have 4 MB together, and short ones behind them, which may tell a
/// total. No row has 2 MB, so every page has one. None: no row was left out.
pub fn ending_early(statement: &Statement, rows: &Rows) -> Option<Statement> {
    let list = statement.sql.strip_prefix(BOUNDED)?;
    let sql = format!(
        "select iif(bytes <= 4000000 or octet_length(v) < 300, v, '\"cut\"') as v from (
  select v, sum(octet_length(v)) over (rows unbounded preceding) as bytes from ({list})"
    );
    let is_long = rows.0.iter().any(|row| row == CUT);
    is_long.then(|| Statement { sql: sql.into(), ..statement.clone() })
}

/// Takes away what did not fit, and all items behind it: whether there was such a row.
pub fn end_early(rows: &mut Vec<String>) -> bool {
    let Some(end) = rows.iter().position(|row| row == CUT) else { return false };
    let rest = rows.split_off(end);
    rows.extend(rest.into_iter().filter(|row| row.starts_with("{\"total\":")));
    true
}
