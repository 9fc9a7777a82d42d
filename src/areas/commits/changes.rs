//! The last commit that changed a path, by the stored diffs.

use super::history::{VisitRow, last_parent, needle};
use super::sql;
use crate::kernel::paging::EVER;
use crate::kernel::store::Rows;
use crate::kernel::{Call, Result, Statement};
use serde_json::json;

/// A query looks at 200 commits, or at fewer if their diffs are long.
const MOST_QUERIES: usize = 5;

/// A request that has read this many rows gives up. A commit takes about 50. A query over two diffs of 16,000 files
/// reads 34,000 in 100 ms.
const MOST_ROWS: u64 = 20_000;

/// The first query, in the scope of the route. `name`: where the walk begins.
pub fn first(name: Option<&str>, path: &str) -> Statement {
    query(name, path, None, "[]")
}

fn query(name: Option<&str>, path: &str, waiting: Option<String>, met: &str) -> Statement {
    let page = sql::page {
        name,
        tips: 0,
        waiting,
        met,
        farthest: 1,
        within: EVER,
        last_parent: last_parent(false),
        since: -EVER,
        until: EVER,
        author: None::<&str>,
        message: None::<&str>,
        path,
        needle: needle(path),
        looks: None::<i64>,
        skip: 0,
        size: 1,
    };
    page.into()
}

/// The hash of the commit. `rows`: the answer of the first query. None if the limits are reached first.
pub async fn last(call: &Call<'_>, mut rows: Rows, path: &str) -> Result<Option<String>> {
    let mut shown: Vec<i64> = Vec::new();
    for left in (0..MOST_QUERIES).rev() {
        let mut waiting = Vec::new();
        for VisitRow { id, waits, commit, .. } in rows.all()? {
            if let Some(commit) = commit {
                return Ok(Some(commit.sha));
            }
            if waits { waiting.push(id) } else { shown.push(id) }
        }
        if waiting.is_empty() || left == 0 || call.store.cost().rows_read > MOST_ROWS {
            break;
        }
        let next = query(None, path, Some(json!(waiting).to_string()), &json!(shown).to_string());
        rows = call.authorize(next).await?.1;
    }
    Ok(None)
}
