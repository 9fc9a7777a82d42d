//! Changes the server's refs, in several requests if they are many.

use std::hash::{BuildHasher, RandomState};

use edgeforge_wire::{Change, Swap, limits};

use crate::args::Options;
use crate::console::Console;
use crate::error::{Error, Result};
use crate::plan::Plan;
use crate::server::{Server, Swapping};
use crate::text::count;

/// Changes all refs at once and waits until each commit has a branch. Returns false if the server's refs were
/// not at their expected commits.
pub fn swap(server: &Server<'_>, plan: &Plan, options: &Options, console: &Console) -> Result<bool> {
    let chunks = chunks(&plan.changes);
    let last = chunks.len().saturating_sub(1);
    if last as i64 > limits::PORTIONS {
        return Err(Error::Server(format!(
            "one sync changes too many refs: the server accepts {} chunks of them; push fewer refs at once",
            limits::PORTIONS
        )));
    }
    let sync = (last > 0).then(|| format!("{:016x}", RandomState::new().hash_one(std::process::id())));
    let default_branch = plan.default_branch.clone();
    for (number, changes) in chunks.into_iter().enumerate() {
        let swap = Swap {
            default_branch: default_branch.clone(),
            changes: changes.to_vec(),
            sync: sync.clone(),
            portion: number as i64,
            more: number < last,
            recheck: options.recheck && number == last,
            history: options.replace,
        };
        let swapping = server.swap_refs(&swap)?;
        if let Swapping::Done { skipped: skipped @ 1.., .. } = swapping {
            let commits = count(skipped as u64, "commit");
            console.say(&format!(
                "the server closed and mentioned no issues by the messages of {commits}: a push has too many"
            ));
        }
        match swapping {
            Swapping::Refused(reason) => {
                console.say(&format!("the server's refs changed during the sync ({reason}); starting again"));
                return Ok(false);
            }
            Swapping::Done { pending, .. } if number == last && pending => {
                console.say("the refs are updated; waiting until the server has assigned the commits to branches");
                return settle(server, default_branch, console);
            }
            Swapping::Done { .. } => {}
        }
    }
    Ok(true)
}

fn settle(server: &Server<'_>, default_branch: Option<String>, console: &Console) -> Result<bool> {
    let swap = Swap { default_branch, ..Swap::default() };
    let mut requests = 1_u64;
    while matches!(server.swap_refs(&swap)?, Swapping::Done { pending: true, .. }) {
        requests += 1;
    }
    console.detail(&format!("assigning the commits took {} more", count(requests, "request")));
    Ok(true)
}

/// Splits the changes into requests. A change of only the default branch is one request.
fn chunks(changes: &[Change]) -> Vec<&[Change]> {
    let mut chunks = Vec::new();
    let mut rest = changes;
    loop {
        let mut bytes = 2;
        let fits = rest.iter().take(limits::CHANGES).take_while(|change| {
            bytes += serde_json::to_string(change).map_or(0, |json| json.len() + 1);
            bytes <= limits::CHANGES_AS_JSON
        });
        let (chunk, others) = rest.split_at_checked(fits.count().max(1)).unwrap_or((rest, &[]));
        chunks.push(chunk);
        if others.is_empty() {
            return chunks;
        }
        rest = others;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(message: usize) -> Change {
        Change { message: Some("x".repeat(message)), ..Change::default() }
    }

    fn sizes(changes: &[Change]) -> Vec<usize> {
        chunks(changes).into_iter().map(<[_]>::len).collect()
    }

    #[test]
    fn many_changes_go_in_several_requests() {
        assert_eq!(sizes(&vec![change(0); 2001]), [1000, 1000, 1]);
        assert_eq!(sizes(&vec![change(1_000_000); 3]), [1, 1, 1]);
        let controls = Change { message: Some("\u{1}".repeat(64 << 10)), ..Change::default() };
        assert_eq!(sizes(&vec![controls; 4]), [3, 1]);
    }

    #[test]
    fn a_default_branch_alone_is_one_request() {
        assert_eq!(sizes(&[]), [0]);
    }
}
