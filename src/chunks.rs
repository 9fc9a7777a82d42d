//! Changes of many rows, a chunk at a time: each statement touches less than 10,000 rows, and a request does its share of
//! them. A request for the same change again goes on with what is left.

use crate::error::Result;
use crate::store::{Statement, Store};

/// How many chunks one batch has, how many batches a request, and after how many milliseconds of the database it ends.
const MOST_OF_A_BATCH: i64 = 50;
const MOST_BATCHES: usize = 5;
const MOST_MILLIS: f64 = 1000.0;

/// Runs `first`, then as many of `chunk` as are expected, then `last`, whose last statement has a row if something is left.
/// Where something is left, runs further chunks. Each batch is harmless when it is done twice.
pub async fn run_in_chunks(
    store: &Store<'_>,
    first: Vec<Statement>,
    chunk: &Statement,
    expected: i64,
    last: &[Statement],
) -> Result<()> {
    let (mut batch, mut chunks) = (first, expected.clamp(0, MOST_OF_A_BATCH));
    for _ in 0..MOST_BATCHES {
        batch.extend((0..chunks).map(|_| chunk.clone()));
        batch.extend_from_slice(last);
        let left = store.repeat(std::mem::take(&mut batch)).await?.pop().unwrap_or_default();
        if left.is_empty() || store.cost().millis > MOST_MILLIS {
            break;
        }
        chunks = MOST_OF_A_BATCH;
    }
    Ok(())
}
