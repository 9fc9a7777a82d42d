//! Changes of very many rows, a portion at a time: each statement touches less than 10,000, and a request does its share of
//! them. Who asks for the same again goes on with what is left.

use crate::error::Result;
use crate::store::{Statement, Store};

/// How many portions one batch has, how many batches a request, and after how many milliseconds of the database it ends.
const MOST_OF_A_BATCH: i64 = 50;
const MOST_BATCHES: usize = 5;
const MOST_MILLIS: f64 = 1000.0;

/// `first`, then as many of `portion` as are expected, then `last`, the last of which answers whether something is left;
/// where something is, further portions. Each batch is harmless when it is done twice.
pub async fn exhaust(
    store: &Store<'_>,
    first: Vec<Statement>,
    portion: &Statement,
    expected: i64,
    last: &[Statement],
) -> Result<()> {
    let (mut batch, mut portions) = (first, expected.clamp(0, MOST_OF_A_BATCH));
    for _ in 0..MOST_BATCHES {
        batch.extend((0..portions).map(|_| portion.clone()));
        batch.extend_from_slice(last);
        let answer = store.repeat(std::mem::take(&mut batch)).await?.pop().unwrap_or_default();
        if answer.first::<bool>()? != Some(true) || store.cost().millis > MOST_MILLIS {
            break;
        }
        portions = MOST_OF_A_BATCH;
    }
    Ok(())
}
