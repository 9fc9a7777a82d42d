//! Finds which deleted and new files of a comparison are renamed files.

use super::changes::{Change, sort};
use super::diff::{Pieces, SAME, SIMILAR};
use super::reading::{AT_ONCE, Budget, packed, unpacked};
use crate::areas::contents::reader::{Node, Reader};
use crate::kernel::Result;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, VecDeque};

/// The most new, and the most deleted, files that are compared to find renamed ones.
const MOST_CANDIDATES: usize = 1000;

/// Bytes of them that are read on each side, and steps of comparing them.
const MOST_BYTES: u64 = 4 << 20;
const MOST_STEPS: u64 = 8_000_000;

/// The least similarity of two files with a name that no other file has.
const SIMILAR_BY_NAME: u64 = SAME / 4 * 3;

/// Joins deleted and new files to renamed ones: first files with equal bytes, then similar ones. Also returns whether
/// there were too many, or too long ones, to compare all.
pub async fn with_renames(readers: [&Reader<'_>; 2], changes: Vec<Change>) -> Result<(Vec<Change>, bool)> {
    let (mut gone, rest): (Vec<Change>, Vec<Change>) = changes.into_iter().partition(|change| change.new.is_none());
    let (mut made, mut kept): (Vec<Change>, Vec<Change>) = rest.into_iter().partition(|change| change.old.is_none());
    let pairs = equal(&gone, &made);
    kept.extend(join(&mut gone, &mut made, &pairs));
    let is_possible = !gone.is_empty() && !made.is_empty();
    let mut is_cut = is_possible && gone.len() + made.len() > MOST_CANDIDATES;
    if is_possible && !is_cut {
        let (scores, ended_early) = scores(readers, &gone, &made).await?;
        is_cut = ended_early;
        let pairs = best(&gone, &made, scores);
        kept.extend(join(&mut gone, &mut made, &pairs));
    }
    kept.extend(gone);
    kept.extend(made);
    let mut kept: Vec<Change> = kept.into_iter().flat_map(in_kinds).collect();
    sort(&mut kept);
    Ok((kept, is_cut))
}

/// A file that became a link or a submodule counts as deleted and new, and neither side as renamed.
fn in_kinds(change: Change) -> Vec<Change> {
    match change {
        Change { old: Some(old), new: Some(new), new_path, .. } if kind(&old) != kind(&new) => {
            vec![Change::new(new_path.clone(), Some(old), None), Change::new(new_path, None, Some(new))]
        }
        change => vec![change],
    }
}

fn kind(node: &Node) -> u32 {
    node.mode >> 12
}

fn basename(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

/// A new file, and the deleted one that it was.
type Pairs = HashMap<usize, usize>;

fn join(gone: &mut Vec<Change>, made: &mut Vec<Change>, pairs: &Pairs) -> Vec<Change> {
    let mut sources: Vec<Option<Change>> = std::mem::take(gone).into_iter().map(Some).collect();
    let mut found = Vec::new();
    for (to, change) in std::mem::take(made).into_iter().enumerate() {
        match pairs.get(&to).and_then(|from| sources.get_mut(*from)?.take()) {
            Some(source) => found.push(Change { old_path: source.old_path, old: source.old, ..change }),
            None => made.push(change),
        }
    }
    gone.extend(sources.into_iter().flatten());
    found
}

/// A hash, a kind, and a name or any.
type Source<'a> = (&'a str, u32, Option<&'a [u8]>);

/// Among several files with the same bytes, one of the same name comes first.
fn equal(gone: &[Change], made: &[Change]) -> Pairs {
    let mut sources: HashMap<Source<'_>, VecDeque<usize>> = HashMap::new();
    for (from, change) in gone.iter().enumerate() {
        let Some(node) = &change.old else { continue };
        for name in [Some(basename(&change.old_path)), None] {
            sources.entry((&node.id, kind(node), name)).or_default().push_back(from);
        }
    }
    let (mut pairs, mut used) = (Pairs::new(), HashSet::new());
    for (to, change) in made.iter().enumerate() {
        let Some(node) = &change.new else { continue };
        let mut take = |name| {
            let queue = sources.get_mut(&(node.id.as_str(), kind(node), name))?;
            std::iter::from_fn(|| queue.pop_front()).find(|from| used.insert(*from))
        };
        let from = take(Some(basename(&change.new_path))).or_else(|| take(None));
        pairs.extend(from.map(|from| (to, from)));
    }
    pairs
}

/// The names of deleted and of new files, and how many have each.
struct Names<'a> {
    gone: HashMap<&'a [u8], usize>,
    made: HashMap<&'a [u8], usize>,
}

impl<'a> Names<'a> {
    fn of(gone: &'a [Change], made: &'a [Change]) -> Names<'a> {
        let count = |changes: &'a [Change]| {
            let mut names = HashMap::new();
            changes.iter().for_each(|change| *names.entry(basename(&change.new_path)).or_default() += 1);
            names
        };
        Names { gone: count(gone), made: count(made) }
    }

    fn is_on_both_sides(&self, change: &Change) -> bool {
        let name = basename(&change.new_path);
        self.gone.contains_key(name) && self.made.contains_key(name)
    }

    fn is_only(&self, change: &Change) -> bool {
        let name = basename(&change.new_path);
        self.gone.get(name) == Some(&1) && self.made.get(name) == Some(&1)
    }
}

/// The similarity of a new and a deleted file, and whether they have the same name.
struct Score {
    similarity: u64,
    is_named_alike: bool,
    to: usize,
    from: usize,
}

/// Also whether the budget ended before all were compared. Files whose names are on both sides are read first.
async fn scores([old, new]: [&Reader<'_>; 2], gone: &[Change], made: &[Change]) -> Result<(Vec<Score>, bool)> {
    let names = Names::of(gone, made);
    let in_order = |changes: &[Change]| {
        let (first, last): (Vec<usize>, Vec<usize>) =
            (0..changes.len()).partition(|at| changes.get(*at).is_some_and(|change| names.is_on_both_sides(change)));
        [first, last].concat()
    };
    let mut budget = Budget::new(old.call.store, MOST_BYTES, MOST_STEPS);
    let mut news = Vec::new();
    let keep = |to, change, after, _: &mut u64| news.push((to, change, after));
    let is_cut = read(new, made, &in_order(made), &mut budget, keep).await?;
    budget.bytes = MOST_BYTES;
    // by names that one file on each side has: a directory that moved costs a comparison a file
    let only: HashMap<&[u8], usize> = (0..)
        .zip(&news)
        .filter(|(_, (_, change, _))| names.is_only(change))
        .map(|(at, (_, change, _))| (basename(&change.new_path), at))
        .collect();
    let (mut scores, mut taken) = (Vec::new(), HashSet::new());
    let compare = |from: usize, source: &Change, before: Pieces, steps: &mut u64| {
        let named = only.get(basename(&source.old_path)).copied();
        for at in named.into_iter().chain(0..news.len()).filter(|at| !taken.contains(at)).collect::<Vec<_>>() {
            let Some((to, change, after)) = news.get(at) else { continue };
            let same_kind = source.old.as_ref().map(kind) == change.new.as_ref().map(kind);
            let similarity = if same_kind && *steps > 0 { before.similarity(after, steps) } else { None };
            let Some(similarity) = similarity.filter(|similarity| *similarity >= SIMILAR) else { continue };
            let is_named_alike = basename(&source.old_path) == basename(&change.new_path);
            scores.push(Score { similarity, is_named_alike, to: *to, from });
            if Some(at) == named && similarity >= SIMILAR_BY_NAME {
                taken.insert(at);
                return;
            }
        }
    };
    let is_cut = read(old, gone, &in_order(gone), &mut budget, compare).await? || is_cut;
    Ok((scores, is_cut || budget.steps == 0))
}

/// Reads files in this order until the budget ends. Returns whether it ended. Long files and submodules are passed over.
async fn read<'c>(
    reader: &Reader<'_>,
    changes: &'c [Change],
    order: &[usize],
    budget: &mut Budget<'_>,
    mut take: impl FnMut(usize, &'c Change, Pieces, &mut u64),
) -> Result<bool> {
    for places in order.chunks(AT_ONCE) {
        if budget.is_spent() {
            return Ok(true);
        }
        let some: Vec<&Change> = places.iter().filter_map(|at| changes.get(*at)).collect();
        let found = packed(reader, &some, |change| change.old.as_ref().or(change.new.as_ref())).await?;
        for ((at, change), packed) in places.iter().zip(some).zip(found) {
            if budget.is_spent() {
                return Ok(true);
            }
            let Some(packed) = packed else { continue };
            if let Some(bytes) = unpacked(reader, &packed, budget) {
                take(*at, change, Pieces::of(&bytes, &mut budget.steps), &mut budget.steps);
            }
        }
    }
    Ok(false)
}

/// The most similar ones first.
fn best(gone: &[Change], made: &[Change], mut scores: Vec<Score>) -> Pairs {
    let names = Names::of(gone, made);
    scores.sort_by_cached_key(|Score { similarity, is_named_alike, to, from }| {
        let is_only = || made.get(*to).is_some_and(|change| names.is_only(change));
        let by_name = *is_named_alike && *similarity >= SIMILAR_BY_NAME && is_only();
        (Reverse(by_name), Reverse(*similarity), Reverse(*is_named_alike), *to, *from)
    });
    let (mut pairs, mut used) = (Pairs::new(), HashSet::new());
    for Score { to, from, .. } in scores {
        if !pairs.contains_key(&to) && used.insert(from) {
            pairs.insert(to, from);
        }
    }
    pairs
}
