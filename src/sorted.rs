//! Few things in order. `sort` and what collects into a `BTreeSet` are code of 4 kB for every type that they are used with,
//! which is written for very many; here a page of rows or a handful of names is put in order, and mostly is already.

use std::collections::BTreeSet;

/// The items in the order of a key; those with equal keys stay as they were. Quick where they are in order or few.
pub fn in_order<T, K: Ord>(items: impl IntoIterator<Item = T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let mut sorted: Vec<T> = Vec::new();
    for item in items {
        let own = key(&item);
        let at = sorted.partition_point(|other| key(other) <= own);
        sorted.insert(at, item);
    }
    sorted
}

/// The items, each once, in order.
pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(items);
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_equal_keys_stays_in_its_order() {
        let items = ["bb", "a", "ccc", "dd", "", "e"];
        assert_eq!(in_order(items, |item| item.len()), ["", "a", "e", "bb", "dd", "ccc"]);
        assert_eq!(in_order([3, 1, 2, 1], |item| *item), [1, 1, 2, 3]);
        assert!(in_order(Vec::<i32>::new(), |item| *item).is_empty());
    }
}
