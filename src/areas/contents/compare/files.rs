//! The files that differ, with their patches.

use super::changes::{Change, between};
use super::diff::{Side, patch};
use super::reading::{AT_ONCE, Budget, packed, unpacked};
use super::renames::with_renames;
use crate::areas::commits::diffs::StoredDiff;
use crate::areas::contents::in_json;
use crate::areas::contents::reader::{Node, Reader};
use crate::kernel::Result;
use crate::kernel::store::PackedObject;
use edgeforge_wire::text::lossy;

/// The most files of an answer, and the most bytes of their paths in JSON. Further files are left out.
const MOST_FILES: usize = 1000;
const MOST_PATHS: usize = 2 << 20;

/// The most bytes of all patches in JSON. Further patches are left out.
const MOST_TEXT: usize = 6 << 20;

/// Bytes of files that are read for patches, and steps of comparing their lines. A patch that is left out counts, too.
const MOST_BYTES: u64 = 48 << 20;
const MOST_STEPS: u64 = 20_000_000;

/// The most of these for one file, so that a rewritten file leaves steps for the others. They suffice for some 3,000
/// changed lines; a longer patch is mostly too long.
const MOST_STEPS_OF_ONE: u64 = 5_000_000;

/// Returns the files, and whether something was left out.
pub async fn files(readers: [&Reader<'_>; 2]) -> Result<(Vec<StoredDiff>, bool)> {
    let [old, new] = readers;
    let changes = between(readers, Some(old.root()?.id), Some(new.root()?.id)).await?;
    let (changes, mut is_cut) = with_renames(readers, changes).await?;
    let listed = listed(&changes);
    is_cut |= listed.len() < changes.len();
    let mut budget = Budget::new(old.call.store, MOST_BYTES, MOST_STEPS);
    let (mut files, mut text) = (Vec::new(), 0);
    for some in listed.chunks(AT_ONCE) {
        let is_over = budget.is_spent() || text > MOST_TEXT;
        let read: Vec<&Change> = some.iter().filter(|change| !is_over && has_patch(change)).collect();
        let mut before = packed(old, &read, |change| change.old.as_ref()).await?.into_iter();
        let mut after = packed(new, &read, |change| change.new.as_ref()).await?.into_iter();
        for change in some {
            let diff = match has_patch(change) {
                false => Some(String::new()),
                true if budget.is_spent() || text > MOST_TEXT => None,
                true => {
                    let sides = [(old, before.next().flatten()), (new, after.next().flatten())];
                    of_file(change, sides, &mut budget)
                }
            };
            text += diff.as_deref().map_or(0, in_json);
            is_cut |= diff.is_none();
            files.push(stored(change, diff));
        }
    }
    Ok((files, is_cut))
}

fn listed(changes: &[Change]) -> &[Change] {
    let mut bytes = 0;
    let fits = |change: &&Change| {
        bytes += in_json(&lossy(&change.old_path)) + in_json(&lossy(&change.new_path));
        bytes <= MOST_PATHS
    };
    let count = changes.iter().take(MOST_FILES).take_while(fits).count();
    changes.get(..count).unwrap_or_default()
}

/// Whether the change has a patch. A file that only moved has none, and is not read.
fn has_patch(change: &Change) -> bool {
    let id = |node: &Option<Node>| node.as_ref().map(|node| node.id.clone());
    id(&change.old) != id(&change.new)
}

/// The patch of a file. None if it is too long.
fn of_file(
    change: &Change,
    [old, new]: [(&Reader<'_>, Option<PackedObject>); 2],
    budget: &mut Budget<'_>,
) -> Option<String> {
    let before = content(change.old.as_ref(), old, budget)?;
    let after = content(change.new.as_ref(), new, budget)?;
    let old = Side { path: &change.old_path, bytes: before.as_deref() };
    let new = Side { path: &change.new_path, bytes: after.as_deref() };
    budget.within(MOST_STEPS_OF_ONE, |steps| patch(old, new, steps))
}

/// None if the file is too long; nothing if it is not on this side.
fn content(
    node: Option<&Node>,
    (reader, packed): (&Reader<'_>, Option<PackedObject>),
    budget: &mut Budget<'_>,
) -> Option<Option<Vec<u8>>> {
    match node {
        None => Some(None),
        Some(node) if node.is_submodule() => Some(Some(format!("Subproject commit {}\n", node.id).into_bytes())),
        Some(_) => unpacked(reader, &packed?, budget).map(Some),
    }
}

fn stored(change: &Change, diff: Option<String>) -> StoredDiff {
    let mode =
        |node: &Option<Node>| Some(node.as_ref().map_or_else(|| "0".to_owned(), |node| format!("{:06o}", node.mode)));
    StoredDiff {
        too_large: diff.is_none(),
        diff: diff.unwrap_or_default(),
        new_path: lossy(&change.new_path),
        old_path: lossy(&change.old_path),
        a_mode: mode(&change.old),
        b_mode: mode(&change.new),
        new_file: change.old.is_none(),
        renamed_file: change.old_path != change.new_path,
        deleted_file: change.new.is_none(),
    }
}
