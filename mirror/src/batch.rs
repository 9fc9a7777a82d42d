use std::collections::{BTreeSet, HashMap};

use crate::commit::Commit;
use crate::error::{Error, Result};

/// A batch is closed at this number of commits.
const MOST_COMMITS: usize = 500;

/// Bytes. A batch is closed at this size. A batch of one commit may be larger.
const MOST_BYTES: usize = 1_500_000;

#[derive(Debug)]
pub struct Batch {
    pub number: usize,
    pub body: Vec<u8>,
    pub commits: u64,
    /// The batches that contain parents of these commits.
    pub needs: BTreeSet<usize>,
}

#[derive(Debug, Default)]
pub struct Batches {
    number: usize,
    body: Vec<u8>,
    /// One commit as JSON. Kept so that its memory is used again.
    json: Vec<u8>,
    commits: usize,
    needs: BTreeSet<usize>,
    /// Commit hash to batch number. Holds the commits whose batch may still be unanswered.
    holder: HashMap<String, usize>,
}

impl Batches {
    /// Adds a commit. Returns the previous batch if the commit did not fit into it.
    pub fn push(&mut self, commit: Commit) -> Result<Option<Batch>> {
        let parents = commit.object.parents.clone();
        let id = commit.id.clone();
        self.json.clear();
        serde_json::to_writer(&mut self.json, &commit.into_wire())
            .map_err(|error| Error::Repository(error.to_string()))?;
        let full = self.commits >= MOST_COMMITS || self.body.len() + self.json.len() > MOST_BYTES;
        let closed = if full { self.close() } else { None };
        self.body.extend_from_slice(if self.commits == 0 { br#"{"commits":["# } else { b"," });
        self.body.extend_from_slice(&self.json);
        self.commits += 1;
        for parent in &parents {
            self.needs.extend(self.holder.get(parent).filter(|number| **number != self.number));
        }
        self.holder.insert(id, self.number);
        Ok(closed)
    }

    pub fn close(&mut self) -> Option<Batch> {
        if self.commits == 0 {
            return None;
        }
        self.body.extend_from_slice(b"]}");
        let batch = Batch {
            number: self.number,
            body: std::mem::take(&mut self.body),
            commits: std::mem::take(&mut self.commits) as u64,
            needs: std::mem::take(&mut self.needs),
        };
        self.number += 1;
        Some(batch)
    }

    /// Forgets the commits of batches before `number`, because the server has stored them.
    pub fn forget_before(&mut self, number: usize) {
        self.holder.retain(|_, holder| *holder >= number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use edgeforge_wire::object::Object;

    fn commit(id: usize, parents: &[usize], diff: &str) -> Commit {
        let parents = parents.iter().map(usize::to_string).collect();
        let object = Object { parents, ..Object::default() };
        Commit { id: id.to_string(), object, diff: diff.to_owned(), ..Commit::default() }
    }

    #[test]
    fn a_batch_is_closed_by_count_and_lists_the_batches_it_needs() {
        let mut batches = Batches::default();
        let mut closed = Vec::new();
        for id in 0..1001 {
            closed.extend(batches.push(commit(id, &[id.wrapping_sub(1)], "")).unwrap());
        }
        closed.extend(batches.close());
        assert_eq!(closed.iter().map(|batch| batch.commits).collect::<Vec<_>>(), [500, 500, 1]);
        assert_eq!(closed[0].needs, [].into());
        assert_eq!(closed[2].needs, [1].into());
        let body: serde_json::Value = serde_json::from_slice(&closed[1].body).unwrap();
        assert_eq!(body["commits"][499]["id"], "999");
    }

    #[test]
    fn a_batch_is_closed_by_size_unless_it_is_one_commit() {
        let mut batches = Batches::default();
        let large = "x".repeat(2 * MOST_BYTES);
        assert!(batches.push(commit(1, &[], &large)).unwrap().is_none());
        assert_eq!(batches.push(commit(2, &[], "")).unwrap().unwrap().commits, 1);
        assert_eq!(batches.push(commit(3, &[1], &large)).unwrap().unwrap().commits, 1);
        assert_eq!(batches.close().unwrap().needs, [0].into());
        assert!(batches.close().is_none());
    }

    #[test]
    fn parents_of_batches_that_arrived_are_not_waited_for() {
        let mut batches = Batches::default();
        batches.push(commit(1, &[], "")).unwrap();
        batches.close().unwrap();
        batches.forget_before(1);
        batches.push(commit(2, &[1], "")).unwrap();
        assert!(batches.close().unwrap().needs.is_empty());
    }
}
