//! Changes of many rows in chunks of less than 10,000 rows. If a request ends early, a repeat of it continues
//! the change.

use crate::kernel::call::Call;
use crate::kernel::error::Result;
use crate::kernel::store::Statement;

/// Limits: chunks in a batch, batches in a request, and milliseconds of database time in a request.
const MOST_OF_A_BATCH: i64 = 50;
const MOST_BATCHES: usize = 5;
const MOST_MILLIS: f64 = 1000.0;

/// Runs `first`, as many chunks as `expected`, and `last` in one batch. More chunks follow if the last
/// statement of `last` returns a row, which means that rows are left. Each batch must be safe to repeat.
/// Returns whether rows are left.
pub async fn run_in_chunks(
    call: &Call<'_>,
    first: Vec<Statement>,
    chunk: &[Statement],
    expected: i64,
    last: &[Statement],
) -> Result<bool> {
    let (mut batch, mut chunks) = (first, expected.clamp(0, MOST_OF_A_BATCH));
    for _ in 0..MOST_BATCHES {
        batch.extend((0..chunks).flat_map(|_| chunk.iter().cloned()));
        batch.extend_from_slice(last);
        let left = call.write_safely(std::mem::take(&mut batch)).await?.pop().unwrap_or_default();
        if left.is_empty() {
            return Ok(false);
        }
        if call.store.cost().millis > MOST_MILLIS {
            break;
        }
        chunks = MOST_OF_A_BATCH;
    }
    Ok(true)
}
