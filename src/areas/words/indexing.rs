//! Puts issues into the index of words, when the Cron trigger fires (behaviour 17). All progress is in the database, so
//! a run continues where one that was killed ended, and of two at once the later one leaves out what is done.

use super::tokens;
use crate::kernel::store::{Failure, Store};
use crate::kernel::{Row, Statement};
use serde::Serialize;
use serde_json::{Value, json};

edgeforge_row::statements!(mod sql: "src/areas/words/indexing.sql");

/// Issues of a transaction, at most half of them changed ones.
const MOST: i64 = 200;
/// Bytes of tokens after which a transaction ends. A text has up to 160 kB of them.
const MOST_BYTES: usize = 1_000_000;
/// Limits of a run.
const MOST_ROUNDS: u32 = 100;
const MOST_MILLIS: f64 = 10_000.0;

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct IndexCounts {
    pub issues_indexed: u64,
}

#[derive(Row)]
struct Next {
    project_id: i64,
    class: i64,
    issue_id: i64,
    change: Option<String>,
    below: i64,
    key: Option<String>,
    title: Option<String>,
    description: Option<String>,
}

pub async fn run(store: &Store<'_>) -> Result<IndexCounts, Failure> {
    let mut counts = IndexCounts::default();
    for _ in 0..MOST_ROUNDS {
        let next: Vec<Next> = store.run(sql::next { most: MOST / 2 }).await?.all()?;
        if next.is_empty() || store.cost().millis > MOST_MILLIS {
            break;
        }
        let (steps, count) = steps(&next);
        store.batch(steps).await?;
        counts.issues_indexed += count;
    }
    Ok(counts)
}

/// The statements that index the first of these issues, and of how many.
fn steps(next: &[Next]) -> (Vec<Statement>, u64) {
    let (mut put, mut gone, mut settled, mut bytes) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let (mut below, mut to, mut count) = (0, 0, 0);
    for issue in next {
        if bytes > MOST_BYTES {
            break;
        }
        match &issue.key {
            Some(key) => {
                let tokens = [&issue.title, &issue.description].map(|text| tokens(key, text.as_deref().unwrap_or("")));
                bytes += tokens.iter().map(String::len).sum::<usize>();
                put.push(json!([issue.issue_id, tokens[0], tokens[1], issue.project_id, issue.class, issue.change]));
            }
            None => gone.push(json!(issue.issue_id)),
        }
        match &issue.change {
            Some(change) => settled.push(json!([issue.project_id, issue.class, issue.issue_id, change])),
            None => (below, to) = (issue.below, issue.issue_id),
        }
        count += 1;
    }
    let rows = |rows: &[Value]| json!(rows).to_string();
    let steps = vec![
        sql::put { rows: rows(&put), below }.into(),
        sql::take { ids: rows(&gone) }.into(),
        sql::settle { rows: rows(&settled) }.into(),
        sql::advance { from: below, to }.into(),
    ];
    (steps, count)
}
