//! Which files differ between two trees, and which of them were renamed.

use super::similar::{Pieces, SAME};
use crate::contents::reader::{Node, Reader, unpack};
use crate::error::{Error, Result};
use edgeforge_wire::contents::{Entries, Entry};
use edgeforge_wire::text::lossy;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Trees that are read, and changes that are found, before a comparison is refused.
const MOST_TREES: usize = 1500;
const MOST_CHANGES: usize = 20_000;

/// Renamed and changed files are looked for among so many new and deleted ones, and not in longer ones.
const MOST_CANDIDATES: usize = 150;
const LONGEST_CANDIDATE: u64 = 512 << 10;

/// Half of a file.
const SIMILAR: u64 = SAME / 2;
/// Of files with the same name, where no other has it.
const SIMILAR_BY_NAME: u64 = SAME / 4 * 3;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub old_path: Vec<u8>,
    pub new_path: Vec<u8>,
    pub old: Option<Node>,
    pub new: Option<Node>,
}

impl Change {
    fn new(path: Vec<u8>, old: Option<Node>, new: Option<Node>) -> Change {
        Change { old_path: path.clone(), new_path: path, old, new }
    }
}

type Level = (Option<String>, Option<String>, Vec<u8>);

/// The changes from one tree to another in the order of their paths, without renames. None: the empty tree.
pub async fn between(
    readers: [&Reader<'_>; 2],
    old: Option<String>,
    new: Option<String>,
) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    let mut level: Vec<Level> = vec![(old, new, Vec::new())];
    let mut read = 0;
    while !level.is_empty() {
        let mut below = Vec::new();
        for some in level.chunks(60) {
            read += some.len();
            if read > MOST_TREES || changes.len() > MOST_CHANGES {
                let text = format!("more than {MOST_CHANGES} changes, or of {MOST_TREES} directories");
                return Err(Error::unprocessable(text));
            }
            let olds = trees(readers[0], some, |level| level.0.as_ref()).await?;
            let news = trees(readers[1], some, |level| level.1.as_ref()).await?;
            for (at, (_, _, path)) in some.iter().enumerate() {
                let side = |trees: &HashMap<usize, (String, Vec<u8>)>| -> BTreeMap<(Vec<u8>, bool), Node> {
                    trees.get(&at).map(|(id, tree)| nodes(tree, id.len() / 2)).unwrap_or_default()
                };
                compare(side(&olds), side(&news), path, &mut changes, &mut below);
            }
        }
        level = below;
    }
    changes.sort_by(|a, b| a.new_path.cmp(&b.new_path).then(b.old.is_some().cmp(&a.old.is_some())));
    Ok(changes)
}

/// The trees of a side, by their places.
async fn trees(
    reader: &Reader<'_>,
    levels: &[Level],
    side: impl Fn(&Level) -> Option<&String>,
) -> Result<HashMap<usize, (String, Vec<u8>)>> {
    let places: Vec<(usize, String)> =
        levels.iter().enumerate().filter_map(|(at, level)| Some((at, side(level)?.clone()))).collect();
    let path = |at: usize| levels.get(at).map(|(_, _, path)| lossy(path)).unwrap_or_default();
    let wanted: Vec<(String, String)> = places.iter().map(|(at, id)| (id.clone(), path(*at))).collect();
    let found = reader.trees(&wanted).await?;
    Ok(places.into_iter().zip(found).map(|((at, id), tree)| (at, (id, tree))).collect())
}

/// By name, and whether it is a directory.
fn nodes(tree: &[u8], hash: usize) -> BTreeMap<(Vec<u8>, bool), Node> {
    let node = |entry: Entry<'_>| {
        ((entry.name.to_vec(), entry.is_tree()), Node { mode: entry.mode, id: entry.hash() })
    };
    Entries::new(tree, hash).flatten().map(node).collect()
}

fn compare(
    mut old: BTreeMap<(Vec<u8>, bool), Node>,
    new: BTreeMap<(Vec<u8>, bool), Node>,
    above: &[u8],
    changes: &mut Vec<Change>,
    below: &mut Vec<Level>,
) {
    let path = |name: &[u8]| if above.is_empty() { name.to_vec() } else { [above, b"/", name].concat() };
    for ((name, is_tree), node) in new {
        let before = old.remove(&(name.clone(), is_tree));
        if before.as_ref() == Some(&node) {
            continue;
        }
        match before {
            before if is_tree => below.push((before.map(|before| before.id), Some(node.id), path(&name))),
            before => changes.push(Change::new(path(&name), before, Some(node))),
        }
    }
    for ((name, is_tree), node) in old {
        if is_tree {
            below.push((Some(node.id), None, path(&name)));
        } else {
            changes.push(Change::new(path(&name), Some(node), None));
        }
    }
}

fn basename(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

/// Joins deleted and new files to renamed ones: first those of equal bytes, then similar ones. Also whether there are too many
/// to look for similar ones.
pub async fn with_renames(readers: [&Reader<'_>; 2], changes: Vec<Change>) -> Result<(Vec<Change>, bool)> {
    let (mut gone, rest): (Vec<Change>, Vec<Change>) =
        changes.into_iter().partition(|change| change.new.is_none());
    let (mut made, mut kept): (Vec<Change>, Vec<Change>) =
        rest.into_iter().partition(|change| change.old.is_none());
    kept.extend(equal(&mut gone, &mut made));
    let is_possible = !gone.is_empty() && !made.is_empty();
    let is_cut = is_possible && gone.len() + made.len() > MOST_CANDIDATES;
    if is_possible && !is_cut {
        kept.extend(similar(readers, &mut gone, &mut made).await?);
    }
    kept.extend(gone);
    kept.extend(made);
    let mut kept: Vec<Change> = kept.into_iter().flat_map(in_kinds).collect();
    kept.sort_by(|a, b| a.new_path.cmp(&b.new_path).then(b.old.is_some().cmp(&a.old.is_some())));
    Ok((kept, is_cut))
}

/// A file that became a link or a submodule is deleted and new, and neither side is looked for among the renamed ones.
fn in_kinds(change: Change) -> Vec<Change> {
    match change {
        Change { old: Some(old), new: Some(new), new_path, .. } if old.mode >> 12 != new.mode >> 12 => {
            vec![Change::new(new_path.clone(), Some(old), None), Change::new(new_path, None, Some(new))]
        }
        change => vec![change],
    }
}

fn is_same_kind(a: &Option<Node>, b: &Option<Node>) -> bool {
    a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| a.mode >> 12 == b.mode >> 12)
}

fn joined(gone: Change, made: Change) -> Change {
    Change { old_path: gone.old_path, old: gone.old, ..made }
}

/// Of several with the same bytes, one of the same name comes first.
fn equal(gone: &mut Vec<Change>, made: &mut Vec<Change>) -> Vec<Change> {
    let mut found = Vec::new();
    let mut by_id: HashMap<String, Vec<Change>> = HashMap::new();
    for change in std::mem::take(gone) {
        let id = change.old.as_ref().map(|node| node.id.clone()).unwrap_or_default();
        by_id.entry(id).or_default().push(change);
    }
    for change in std::mem::take(made) {
        let id = change.new.as_ref().map(|node| node.id.as_str()).unwrap_or_default();
        let others = by_id.get_mut(id).filter(|others| !others.is_empty());
        let at = others.as_ref().and_then(|others| {
            let fits = |other: &&(usize, &Change)| is_same_kind(&other.1.old, &change.new);
            let places: Vec<(usize, &Change)> = others.iter().enumerate().collect();
            let same = |other: &&(usize, &Change)| basename(&other.1.old_path) == basename(&change.new_path);
            let best = places.iter().filter(fits).find(same).or(places.iter().find(fits));
            best.map(|(at, _)| *at)
        });
        match others.zip(at) {
            Some((others, at)) => found.push(joined(others.remove(at), change)),
            None => made.push(change),
        }
    }
    *gone = by_id.into_values().flatten().collect();
    gone.sort_by(|a, b| a.old_path.cmp(&b.old_path));
    found
}

async fn similar(
    readers: [&Reader<'_>; 2],
    gone: &mut Vec<Change>,
    made: &mut Vec<Change>,
) -> Result<Vec<Change>> {
    let olds = contents(readers[0], gone, |change| change.old.as_ref()).await?;
    let news = contents(readers[1], made, |change| change.new.as_ref()).await?;
    let (olds, news) = (pieces(&olds), pieces(&news));
    let mut scores: Vec<(u64, bool, usize, usize)> = Vec::new();
    for (to, (new, after)) in made.iter().zip(&news).enumerate() {
        for (from, (old, before)) in gone.iter().zip(&olds).enumerate() {
            let Some((before, after)) = before.as_ref().zip(after.as_ref()) else { continue };
            let score = before.similarity(after);
            if score >= SIMILAR && is_same_kind(&old.old, &new.new) {
                scores.push((score, basename(&old.old_path) == basename(&new.new_path), to, from));
            }
        }
    }
    Ok(join(gone, made, scores))
}

fn pieces(contents: &[Option<Vec<u8>>]) -> Vec<Option<Pieces<'_>>> {
    contents.iter().map(|bytes| bytes.as_deref().map(Pieces::of)).collect()
}

fn join(
    gone: &mut Vec<Change>,
    made: &mut Vec<Change>,
    mut scores: Vec<(u64, bool, usize, usize)>,
) -> Vec<Change> {
    let count = |paths: &[Change], side: fn(&Change) -> &Vec<u8>, name: &[u8]| {
        paths.iter().filter(|change| basename(side(change)) == name).count()
    };
    let is_only = |change: &Change| {
        let name = basename(&change.new_path);
        count(gone, |change| &change.old_path, name) == 1 && count(made, |change| &change.new_path, name) == 1
    };
    let by_name = |(score, same, to, _): &(u64, bool, usize, usize)| {
        *same && *score >= SIMILAR_BY_NAME && made.get(*to).is_some_and(is_only)
    };
    scores.sort_by_key(|pair| (Reverse(by_name(pair)), Reverse(pair.0), Reverse(pair.1), pair.2, pair.3));
    let (mut used, mut found) = (HashMap::new(), Vec::new());
    for (_, _, to, from) in scores {
        if !used.contains_key(&to) && !used.values().any(|known| *known == from) {
            used.insert(to, from);
        }
    }
    let mut sources: BTreeMap<usize, Change> = std::mem::take(gone).into_iter().enumerate().collect();
    for (to, change) in std::mem::take(made).into_iter().enumerate() {
        match used.get(&to).and_then(|from| sources.remove(from)) {
            Some(source) => found.push(joined(source, change)),
            None => made.push(change),
        }
    }
    gone.extend(sources.into_values());
    found
}

/// Bytes of files, None of submodules and of long ones, those among them that are not stored.
pub async fn contents(
    reader: &Reader<'_>,
    changes: &[Change],
    side: impl Fn(&Change) -> Option<&Node>,
) -> Result<Vec<Option<Vec<u8>>>> {
    let wanted = |change| side(change).filter(|node| !node.is_submodule());
    let ids: Vec<&str> = changes.iter().filter_map(wanted).map(|node| node.id.as_str()).collect();
    let found = reader.packed(ids.clone(), LONGEST_CANDIDATE as usize).await?;
    let lacking: Vec<&str> =
        ids.iter().zip(&found).filter_map(|(id, found)| found.is_none().then_some(*id)).collect();
    let left_out = reader.left_out(&lacking).await?;
    let mut found = found.into_iter();
    let mut contents = Vec::with_capacity(changes.len());
    for change in changes {
        let Some(node) = wanted(change) else {
            contents.push(None);
            continue;
        };
        match found.next().flatten() {
            Some(packed) => contents.push(unpack(&packed.bytes, LONGEST_CANDIDATE)),
            None if left_out.contains(&node.id) => contents.push(None),
            None => return Err(reader.missing(&node.id, &lossy(&change.new_path)).await),
        }
    }
    Ok(contents)
}
