//! Puts texts into the indexes of words, when the Cron trigger fires (behaviour 17). All progress is in the database, so
//! a run continues where one that was killed ended, and of two at once the later one leaves out what is done.

use super::tokens;
use crate::kernel::sql::{Piece, Text};
use crate::kernel::store::{Failure, Scope, Store};
use crate::kernel::{Row, Statement};
use serde::Serialize;
use serde_json::{Value, json};

edgeforge_row::statements!(mod sql: "src/areas/words/indexing.sql");

/// Records of a kind in a transaction, at most half of them changed ones.
const MOST: i64 = 200;
/// Bytes of tokens of a kind after which a transaction ends. A text has up to 160 kB of them.
const MOST_BYTES: usize = 500_000;
/// Limits of a run.
const MOST_ROUNDS: u32 = 100;
const MOST_MILLIS: f64 = 10_000.0;

/// A kind of records with an index of words. Its tables have the name `one` in theirs.
struct Kind {
    one: &'static str,
    /// What is indexed of a record.
    record: Piece,
    /// The columns of the index, and their values.
    columns: &'static str,
    tokens: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind { one: "issue", record: sql::issue, columns: "title, description", tokens: "value ->> 1, value ->> 2" },
    Kind { one: "note", record: sql::note, columns: "tokens", tokens: "value ->> 1" },
    Kind { one: "commit", record: sql::commit, columns: "tokens", tokens: "value ->> 1" },
];

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct IndexCounts {
    pub texts_indexed: u64,
}

#[derive(Row)]
struct Next {
    project_id: i64,
    class: i64,
    id: i64,
    change: Option<String>,
    below: i64,
    /// The key of the tokens, and the texts.
    texts: Option<Vec<Option<String>>>,
}

pub async fn run(store: &Store<'_>) -> Result<IndexCounts, Failure> {
    let mut counts = IndexCounts::default();
    for _ in 0..MOST_ROUNDS {
        let found = store.batch(KINDS.iter().map(Kind::next).collect()).await?;
        let (mut steps, mut count) = (Vec::new(), 0);
        for (kind, rows) in KINDS.iter().zip(&found) {
            count += kind.steps(&rows.all()?, &mut steps);
        }
        if steps.is_empty() || store.cost().millis > MOST_MILLIS {
            break;
        }
        store.batch(steps).await?;
        counts.texts_indexed += count;
    }
    Ok(counts)
}

impl Kind {
    fn text(&self) -> Text {
        let Kind { one, record, columns, tokens } = *self;
        Text::new(Scope::None)
            .piece("record", record)
            .text("columns", columns)
            .text("tokens", tokens)
            .text("records", format!("{one}s"))
            .text("words", format!("{one}_words"))
            .text("queue", format!("unindexed_{one}s"))
            .text("id", format!("{one}_id"))
            .text("progress", format!("{one}_index"))
    }

    fn next(&self) -> Statement {
        self.text().bind("most", MOST / 2).statement::<Next>(sql::next)
    }

    /// Adds the statements that index the first of these records. Returns of how many.
    fn steps(&self, next: &[Next], steps: &mut Vec<Statement>) -> u64 {
        let (mut put, mut gone, mut settled, mut bytes) = (Vec::new(), Vec::new(), Vec::new(), 0);
        let (mut below, mut to, mut count) = (0, 0, 0);
        for record in next {
            if bytes > MOST_BYTES {
                break;
            }
            let Next { project_id, class, id, change, .. } = record;
            match record.texts.as_deref() {
                Some([key, texts @ ..]) => {
                    let key = key.as_deref().unwrap_or_default();
                    let of = |at: usize| texts.get(at).cloned().flatten().map(|text| tokens(key, &text));
                    let [first, second] = [of(0), of(1)].map(Option::unwrap_or_default);
                    bytes += first.len() + second.len();
                    put.push(json!([id, first, second, project_id, class, change]));
                }
                _ => gone.push(json!(id)),
            }
            match change {
                Some(change) => settled.push(json!([project_id, class, id, change])),
                None => (below, to) = (record.below, *id),
            }
            count += 1;
        }
        let rows = |rows: &[Value]| json!(rows).to_string();
        if count > 0 {
            steps.extend([
                self.text().bind("rows", rows(&put)).bind("below", below).statement::<i64>(sql::put),
                self.text().bind("ids", rows(&gone)).statement::<i64>(sql::take),
                self.text().bind("rows", rows(&settled)).statement::<i64>(sql::settle),
                self.text().bind("from", below).bind("to", to).statement::<i64>(sql::advance),
                self.text().statement::<i64>(sql::merge_two),
                self.text().statement::<i64>(sql::merge),
            ]);
        }
        count
    }
}
